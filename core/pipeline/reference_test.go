package pipeline

import (
	"strings"
	"testing"
)

// TestReferenceNamesEverything: what may stand in a file stands in the reference.
func TestReferenceNamesEverything(t *testing.T) {
	out := string(Reference(testCatalog()))
	var want []string
	var walk func(prefix string, keys []*keySpec)
	walk = func(prefix string, keys []*keySpec) {
		for _, k := range keys {
			if k.doc == "" || !strings.HasSuffix(k.doc, ".") {
				t.Errorf("%s%s has no sentence that explains it", prefix, k.name)
			}
			want = append(want, "| `"+prefix+k.name+"` |")
			walk(prefix+k.name+".", k.keys)
		}
	}
	walk("", topKeys)
	for _, c := range testComponents() {
		want = append(want, "### "+c.Name)
		for _, o := range c.Options {
			want = append(want, "| `"+o.Name+"` |")
		}
	}
	want = append(want, "Reads go: .go.", "selection (redacted)", "findings (redacted, optional)", "at least 64", "at most 1", "`text`, `markdown`, `json`", "| required |", "| `4096` |", "| list of strings |")
	for _, w := range want {
		if !strings.Contains(out, w) {
			t.Errorf("%q is missing", w)
		}
	}
}

func TestOnlyLanguagesKeepsWhatIsNamed(t *testing.T) {
	const all = "go, python, typescript, javascript"
	for _, tt := range []struct {
		languages string
		names     []string
		want      string
		fails     bool
	}{
		{all, nil, "lang-go:go lang-python:python lang-ts:typescript,javascript", false},
		{all, []string{"go"}, "lang-go:go", false},
		{all, []string{"lang-python"}, "lang-python:python", false},
		{all, []string{"python", "go", "lang-go"}, "lang-go:go lang-python:python", false},
		{all, []string{"javascript"}, "lang-ts:javascript", false},
		{all, []string{"lang-ts"}, "lang-ts:typescript,javascript", false},
		{"typescript", nil, "lang-ts:typescript", false},
		{"lang-ts", nil, "lang-ts:typescript,javascript", false},
		{"typescript", []string{"javascript"}, "lang-ts:typescript", true},
		{all, []string{"cobol"}, "lang-go:go lang-python:python lang-ts:typescript,javascript", true},
	} {
		p := mustLoad(t, "version: 1\nlanguages: ["+tt.languages+"]\nstages: [extract, rank, redact, report]\n")
		if tt.names != nil {
			err := p.OnlyLanguages(tt.names)
			if (err != nil) != tt.fails || err != nil && !strings.Contains(err.Error(), "; it has "+tt.languages) {
				t.Errorf("%v: %v", tt.names, err)
			}
		}
		var got []string
		for _, item := range p.Languages {
			var names []string
			for _, l := range item.Languages {
				names = append(names, l.Name)
			}
			got = append(got, item.Component.Name+":"+strings.Join(names, ","))
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s %v: got %v, want %s", tt.languages, tt.names, got, tt.want)
		}
	}
}

// TestLongValuesAreNotRepeated: half a secret would not be recognised by who redacts messages.
func TestLongValuesAreNotRepeated(t *testing.T) {
	long := strings.Repeat("k", 200)
	for _, text := range []string{"verify: " + long, long + ": 1", "stages: [" + long + "]", "limits: {file: {time: " + long + "}}", "extends: " + long} {
		_, l := loadText("version: 1\n" + text + "\n")
		for _, d := range l {
			if strings.Contains(d.Message, "kkkkk") {
				t.Errorf("got %q", d.Message)
			}
		}
	}
}
