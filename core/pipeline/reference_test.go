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
	const text = "version: 1\nlanguages: [go, python]\nstages: [extract, rank, redact, report]\n"
	for _, tt := range []struct {
		names []string
		want  string
		fails bool
	}{
		{[]string{"go"}, "lang-go", false},
		{[]string{"lang-python"}, "lang-python", false},
		{[]string{"python", "go", "lang-go"}, "lang-python lang-go", false},
		{[]string{"cobol"}, "lang-go lang-python", true},
	} {
		p := mustLoad(t, text)
		err := p.OnlyLanguages(tt.names)
		if (err != nil) != tt.fails || err != nil && !strings.Contains(err.Error(), `"cobol"; it has go, python`) {
			t.Errorf("%v: %v", tt.names, err)
		}
		var got []string
		for _, l := range p.Languages {
			got = append(got, l.Component.Name)
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%v: got %v, want %s", tt.names, got, tt.want)
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
