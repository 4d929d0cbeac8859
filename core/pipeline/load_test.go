package pipeline

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/repox-dev/repox/core/diag"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func env(name string) (string, bool) {
	v, ok := map[string]string{"BUDGET": "128", "FORMAT": "json", "EVIL": "text\nstages: []", "EMPTY": "", "WORD": "yes"}[name]
	return v, ok
}

func loadText(text string, set ...string) (*Pipeline, diag.List) {
	return Load(context.Background(), Options{
		File: "pipeline.yaml", Data: []byte(text), Set: set, LookupEnv: env, Catalog: testCatalog(), Presets: testPresets,
	})
}

func mustLoad(t *testing.T, text string, set ...string) *Pipeline {
	t.Helper()
	p, l := loadText(text, set...)
	if p == nil {
		t.Fatal(rendered(t, l))
	}
	return p
}

func rendered(t *testing.T, l diag.List) string {
	t.Helper()
	var b bytes.Buffer
	if err := diag.Render(&b, l); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestMistakes holds what is said about each kind of mistake against a golden file. A file named set-… is loaded with the
// settings in its first line's comment.
func TestMistakes(t *testing.T) {
	files, err := filepath.Glob("testdata/errors/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".yaml")
		if strings.HasPrefix(name, "base-") {
			continue
		}
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var set []string
			if line, _, _ := strings.Cut(string(data), "\n"); strings.HasPrefix(line, "# --set ") {
				set = strings.Split(strings.TrimPrefix(line, "# --set "), " --set ")
			}
			p, l := Load(context.Background(), Options{
				File: file, Set: set, LookupEnv: env, Catalog: testCatalog(), Presets: testPresets,
			})
			if p != nil && !strings.HasPrefix(name, "warn-") {
				t.Error("the pipeline was taken")
			}
			golden(t, "testdata/errors/"+name+".golden", rendered(t, l))
		})
	}
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v; run the test with -update to write it", err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("%s differs (-want +got):\n%s", file, diff)
	}
}

const fullPipeline = `version: 1
source:
  path: src
  include: ["**/*.go"]
  exclude: [vendor]
  rev: HEAD
  max_file_bytes: 2MiB
languages:
  - use: go
    with: {}
  - ./toml
stages:
  - extract
  - use: rank
    with:
      focus: the parser
      damping: 0.5
  - use: ./filter
  - use: redact
    with:
      allow: [a, b]
  - use: report
    with:
      format: json
      budget: 256
      loud: true
verify: off
cache: false
limits:
  file:
    time: 500ms
    memory: 64MiB
  stage:
    time: 1m30s
    memory: 1048576
allow_unredacted: false
`

func TestEveryKeyIsRead(t *testing.T) {
	p := mustLoad(t, fullPipeline)
	if p.Source.Path != "src" || p.Source.Rev != "HEAD" || p.Source.MaxFileBytes != 2<<20 || len(p.Source.Include) != 1 || len(p.Source.Exclude) != 1 {
		t.Errorf("source is %+v", p.Source)
	}
	if p.Verify != VerifyOff || p.Cache || p.Limits.File.Time.Milliseconds() != 500 || p.Limits.File.Memory != 64<<20 ||
		p.Limits.Stage.Time.Seconds() != 90 || p.Limits.Stage.Memory != 1<<20 {
		t.Errorf("pipeline is %+v", p)
	}
	var configs []string
	for _, s := range p.Stages {
		configs = append(configs, s.Use+" "+string(s.ConfigJSON()))
	}
	want := []string{
		`extract {}`, `rank {"damping":0.5,"focus":"the parser"}`, `./filter {}`, `redact {"allow":["a","b"]}`,
		`report {"budget":256,"format":"json","loud":true}`,
	}
	if diff := cmp.Diff(want, configs); diff != "" {
		t.Error(diff)
	}
	if len(p.Languages) != 2 || p.Languages[0].Component.Name != "lang-go" || !filepath.IsAbs(p.Languages[1].Path) {
		t.Errorf("languages are %+v", p.Languages)
	}
}

func TestDefaultsAreFilledIn(t *testing.T) {
	p := mustLoad(t, "version: 1\nextends: map\n")
	if p.Verify != VerifyWarn || !p.Cache || p.Source.Path != "." {
		t.Errorf("pipeline is %+v", p)
	}
	if got := string(p.Stages[3].ConfigJSON()); got != `{"budget":4096,"format":"text"}` {
		t.Errorf("report gets %s", got)
	}
}

func TestExtendsMergesKeysAndReplacesLists(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("base.yaml", "version: 1\nextends: map\nsource: {path: here, exclude: [a, b], rev: HEAD}\nlimits: {file: {time: 1s}}\nverify: require\n")
	write("child.yaml", "version: 1\nextends: ./base.yaml\nsource: {exclude: [c]}\nlimits: {file: {memory: 1MiB}}\nlanguages: [python]\n")
	p, l := Load(context.Background(), Options{File: filepath.Join(dir, "child.yaml"), Catalog: testCatalog(), Presets: testPresets})
	if p == nil {
		t.Fatal(rendered(t, l))
	}
	if p.Source.Path != filepath.Join(dir, "here") || p.Source.Rev != "HEAD" || !cmp.Equal(p.Source.Exclude, []string{"c"}) {
		t.Errorf("source is %+v", p.Source)
	}
	if p.Limits.File.Time.Seconds() != 1 || p.Limits.File.Memory != 1<<20 || p.Verify != VerifyRequire {
		t.Errorf("limits are %+v, verify is %v", p.Limits, p.Verify)
	}
	if len(p.Languages) != 1 || p.Languages[0].Component.Name != "lang-python" || len(p.Stages) != 4 {
		t.Errorf("languages %v, stages %v", p.Languages, p.Stages)
	}
}

func TestVariables(t *testing.T) {
	for _, tt := range []struct{ name, with, want string }{
		{"a number", "budget: ${BUDGET}", `{"budget":128,"format":"text"}`},
		{"a default", "budget: ${NONE:-99}", `{"budget":99,"format":"text"}`},
		{"an empty variable takes the default", "budget: ${EMPTY:-98}", `{"budget":98,"format":"text"}`},
		{"a number in quotes", `budget: "${BUDGET}"`, `{"budget":128,"format":"text"}`},
		{"a word", `format: "${FORMAT}"`, `{"budget":4096,"format":"json"}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := mustLoad(t, "version: 1\nlanguages: [go]\nstages:\n  - extract\n  - rank\n  - redact\n  - use: report\n    with:\n      "+tt.with+"\n")
			if got := string(p.Stages[3].ConfigJSON()); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
	t.Run("a variable cannot add keys", func(t *testing.T) {
		p := mustLoad(t, "version: 1\nextends: map\nsource:\n  rev: \"${EVIL}\"\n")
		if p.Source.Rev != "text\nstages: []" || len(p.Stages) != 4 {
			t.Errorf("rev is %q, %d stages", p.Source.Rev, len(p.Stages))
		}
	})
	t.Run("the characters themselves", func(t *testing.T) {
		p := mustLoad(t, "version: 1\nextends: map\nsource: {rev: \"$${BUDGET} $5\"}\n")
		if p.Source.Rev != "${BUDGET} $5" {
			t.Errorf("rev is %q", p.Source.Rev)
		}
	})
}

func TestSettings(t *testing.T) {
	base := "version: 1\nlanguages: [go]\nstages: [extract, rank, redact, report, {use: report, with: {format: markdown}}]\n"
	p := mustLoad(t, base, "rank.focus=a: b, c", "report[2].budget=70", "redact.allow=[x, y]", "source.path=/tmp", "verify=off", "limits.file.time=2s", "source.exclude=a*")
	if got := p.Stages[1].With["focus"]; got != "a: b, c" {
		t.Errorf("focus is %q", got)
	}
	if a, b := p.Stages[3].With["budget"], p.Stages[4].With["budget"]; a != 4096.0 || b != int64(70) || p.Stages[4].With["format"] != "markdown" {
		t.Errorf("budgets are %v and %v", a, b)
	}
	if got := p.Stages[2].With["allow"]; !cmp.Equal(got, []string{"x", "y"}) {
		t.Errorf("allow is %v", got)
	}
	if p.Source.Path != "/tmp" || p.Verify != VerifyOff || p.Limits.File.Time.Seconds() != 2 || !cmp.Equal(p.Source.Exclude, []string{"a*"}) {
		t.Errorf("pipeline is %+v", p)
	}
}

func TestWithPlaceFindsOptionsAndItems(t *testing.T) {
	p := mustLoad(t, fullPipeline)
	redact := p.Stages[3]
	for _, tt := range []struct {
		path []string
		line int
	}{{nil, 19}, {[]string{"allow"}, 21}, {[]string{"allow", "1"}, 21}, {[]string{"nope"}, 19}} {
		if got := redact.WithPlace(tt.path); got.Line != tt.line {
			t.Errorf("%v is in line %d, want %d", tt.path, got.Line, tt.line)
		}
	}
}

func TestPlanGolden(t *testing.T) {
	p := mustLoad(t, "version: 1\nlanguages: [go]\nstages: [extract, survey, rank, redact, report, {use: report, with: {format: json}}]\n")
	var b bytes.Buffer
	if err := p.WritePlan(&b); err != nil {
		t.Fatal(err)
	}
	golden(t, "testdata/plan.golden", b.String())
}

func TestPrintGolden(t *testing.T) {
	p := mustLoad(t, strings.Replace(fullPipeline, "budget: 256", "budget: ${BUDGET}", 1), "rank.focus=123")
	var b bytes.Buffer
	if err := p.Print(&b); err != nil {
		t.Fatal(err)
	}
	golden(t, "testdata/print.golden", b.String())
	again, l := loadText(b.String())
	if again == nil {
		t.Fatalf("what was printed is not taken:\n%s", rendered(t, l))
	}
	if diff := cmp.Diff(p.Stages[4].With, again.Stages[4].With); diff != "" {
		t.Error(diff)
	}
}

// TestAnyMisspeltKeyIsAnError mutates every key of a full pipeline.
func TestAnyMisspeltKeyIsAnError(t *testing.T) {
	key := regexp.MustCompile(`(?m)^(\s*(?:- )?)([a-z_]+):`)
	for _, m := range key.FindAllStringSubmatchIndex(fullPipeline, -1) {
		name := fullPipeline[m[4]:m[5]]
		text := fullPipeline[:m[4]] + name + "x" + fullPipeline[m[5]:]
		p, l := loadText(text)
		if p != nil {
			t.Errorf("%sx is taken", name)
			continue
		}
		if out := rendered(t, l); !strings.Contains(out, name+"x") {
			t.Errorf("nothing is said of %sx:\n%s", name, out)
		}
	}
}

func TestOutputIsTheSameEveryTime(t *testing.T) {
	text := "version: 2\nsorce: 1\nverfy: 1\nstages: [rnk, extrct]\nlanguages: [g]\n"
	_, first := loadText(text)
	for range 20 {
		_, l := loadText(text)
		if a, b := rendered(t, first), rendered(t, l); a != b {
			t.Fatalf("two answers:\n%s\n%s", a, b)
		}
	}
}

func TestConfigIsJSON(t *testing.T) {
	p := mustLoad(t, fullPipeline)
	for _, s := range p.Stages {
		if !json.Valid(s.ConfigJSON()) {
			t.Errorf("%s gets %s", s.Use, s.ConfigJSON())
		}
	}
}

func FuzzLoad(f *testing.F) {
	f.Add(fullPipeline)
	f.Add("version: 1\nextends: map\nsource: &a {path: *a}\n")
	f.Add("a: &a [*a, *a]\nb: [[[[[[[[")
	f.Add("\t- x\n? {a: b}\n: c")
	f.Add("version: 1\nextends: map\nsource: {rev: \"${FORMAT} $${\", path: ~, include: [\"\\u2028\", *a]}\n")
	f.Add("version: 1\nlanguages: [go]\nstages: [extract, rank, redact, report]\nlimits: {file: &l {time: 1s}, stage: *l}\n")
	f.Fuzz(func(t *testing.T, text string) {
		p, l := loadText(text)
		if p == nil && !l.HasErrors() {
			t.Error("neither a pipeline nor an error")
		}
		rendered(t, l)
		for _, d := range l {
			if lines := len(splitLines(text)); d.Place.File == "pipeline.yaml" && d.Place.Line > lines {
				t.Errorf("line %d of a file of %d lines", d.Place.Line, lines)
			}
		}
		if p == nil {
			return
		}
		out := printed(t, p)
		again, l := loadText(out)
		if again == nil {
			t.Fatalf("what is printed is refused:\n%s\n%s", out, rendered(t, l))
		}
		if diff := cmp.Diff(effect(p), effect(again)); diff != "" {
			t.Errorf("what is printed means something else:\n%s\n%s", out, diff)
		}
	})
}
