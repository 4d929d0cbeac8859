package pipeline

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

const settable = `version: 1
languages: [go, ./toml]
stages:
  - extract
  - rank
  - ./filter
  - use: "./several#stage-other"
  - redact
  - use: ${NONE:-report}
    with: {budget: "${UNSET_BUT_OVERRIDDEN}"}
`

// TestSettingsFindTheirItem tries each way to call an item; the option does not exist, so that the answer shows where the
// setting went.
func TestSettingsFindTheirItem(t *testing.T) {
	for _, name := range []string{"go", "lang-go", "./toml", "toml", "./filter", "filter", "filter[1]", "./several#stage-other", "stage-other", "several", "report"} {
		_, l := loadText(settable, "report.budget=99", name+".nosuch=1")
		if out := rendered(t, l); len(l) != 1 || !strings.Contains(out, `unknown option "nosuch"`) {
			t.Errorf("%s: got\n%s", name, out)
		}
	}
}

func TestASettingReplacesAVariableThatIsNotSet(t *testing.T) {
	p := mustLoad(t, settable, "report.budget=99")
	if got := p.Stages[5].With["budget"]; got != int64(99) {
		t.Errorf("budget is %v", got)
	}
}

// TestSettingsAreTakenAsTheyAre: words that a user is after may look like anything.
func TestSettingsAreTakenAsTheyAre(t *testing.T) {
	for _, focus := range []string{"", "a=b", "${HOME} $${x} ${", "[bug] in {x}", "[a, b]", "true", "12", "null", "~", "a: b # c", "- x", "*", "line\nline", "日本", "'\"", " x "} {
		p := mustLoad(t, "version: 1\nextends: map\n", "rank.focus="+focus)
		if got := p.Stages[1].With["focus"]; got != focus {
			t.Errorf("focus is %q, want %q", got, focus)
		}
		again, l := loadText(printed(t, p))
		if again == nil {
			t.Fatalf("what is printed for %q is refused:\n%s", focus, rendered(t, l))
		}
		if got := again.Stages[1].With["focus"]; got != focus {
			t.Errorf("printed and read again focus is %q, want %q", got, focus)
		}
	}
}

func TestListsInSettings(t *testing.T) {
	for value, want := range map[string][]string{
		"a": {"a"}, "[a]": {"a"}, "[a, 'b, c']": {"a", "b, c"}, "[1, true]": {"1", "true"}, "[a": {"[a"}, "**/*.go": {"**/*.go"}, "[]": nil,
		"[**/*.go]": {"[**/*.go]"}, "${X}": {"${X}"},
	} {
		p := mustLoad(t, "version: 1\nextends: map\n", "source.exclude="+value, "redact.allow="+value)
		if !cmp.Equal(p.Source.Exclude, want) {
			t.Errorf("%s: exclude is %q, want %q", value, p.Source.Exclude, want)
		}
		again := mustLoad(t, printed(t, p))
		if !cmp.Equal(again.Source.Exclude, want) || !cmp.Equal(p.Stages[2].With, again.Stages[2].With) {
			t.Errorf("%s: printed and read again exclude is %q, want %q", value, again.Source.Exclude, want)
		}
	}
}

func TestSettingsOfEveryKey(t *testing.T) {
	p := mustLoad(t, "version: 1\nextends: map\nallow_unredacted: true\n",
		"cache=false", "allow_unredacted=false", "source.max_file_bytes=4096", "source.rev=1234567", "limits.stage.memory=1GiB", "limits.file.memory=77", "source.include=[a, b]")
	if p.Cache || p.AllowUnredacted || p.Source.MaxFileBytes != 4096 || p.Source.Rev != "1234567" || p.Limits.Stage.Memory != 1<<30 || p.Limits.File.Memory != 77 {
		t.Errorf("pipeline is %+v", p)
	}
}

func TestFaultsOfSettings(t *testing.T) {
	for setting, want := range map[string]string{
		"version=1":            "--set:1:1: error: version cannot be set here; write it into a pipeline file",
		"extends=map":          "--set:1:1: error: extends cannot be set here",
		"stages=[report]":      "--set:1:1: error: stages cannot be set here",
		"languages=[go]":       "--set:1:1: error: languages cannot be set here",
		"":                     "--set:1:1: error: a setting has the form",
		"=x":                   "a setting has the form",
		"report=json":          "name the option too, as in report.option=value",
		"report.=1":            `unknown option ""`,
		"reprot.budget=100":    `there is no stage, language or key "reprot" in this pipeline; did you mean "report"?`,
		"report.format=jsno":   `--set:1:15: error: "jsno" is not one of text, markdown, json; did you mean "json"?`,
		"report.budget=-5":     "--set:1:15: error: budget must be at least 64, found -5",
		"report.budget=many":   "--set:1:15: error: expected an integer, found a string",
		"report.budget.x=1":    "expected an integer, found a mapping",
		"report[0].budget=100": "report stands in the pipeline once; there is no report[0]",
		"report[99999999999999999999].budget=100": "there is no report[99999999999999999999]",
		"source.pth=x":        `--set:1:8: error: unknown key "pth"; did you mean "path"?`,
		"source=x":            "--set:1:8: error: expected a mapping, found a string",
		"verify.x=off":        "expected a string, found a mapping",
		"limits.file.time=10": `expected a duration such as 500ms, 10s or 2m, found "10"`,
		"cache=yes":           `expected a boolean, and yes is a string in YAML 1.2; did you mean "true"?`,
		"日本.x=1":              `there is no stage, language or key "日本"`,
	} {
		_, l := loadText("version: 1\nextends: map\n", setting)
		if out := rendered(t, l); !l.HasErrors() || !strings.Contains(out, want) {
			t.Errorf("%q: want %s, got\n%s", setting, want, out)
		}
	}
}

func FuzzSetting(f *testing.F) {
	for _, s := range []string{"report.budget=100", "report[1].format=json", "source.path=x", "=", "[", "a[1][2].b=c", "./filter.x=[a"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, setting string) {
		if !utf8.ValidString(setting) {
			t.Skip("YAML cannot print it")
		}
		p, l := loadText(settable, "report.budget=99", setting)
		rendered(t, l)
		if p == nil {
			return
		}
		if again, l := loadText(printed(t, p)); again == nil {
			t.Errorf("what is printed is refused:\n%s", rendered(t, l))
		}
	})
}
