package pipeline

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func printed(t *testing.T, p *Pipeline) string {
	t.Helper()
	var b bytes.Buffer
	if err := p.Print(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// effect is what a run would see of a pipeline.
func effect(p *Pipeline) []any {
	out := []any{p.Source, p.Verify, p.Cache, p.Limits, p.AllowUnredacted}
	for _, items := range [][]Item{p.Languages, p.Stages} {
		for _, i := range items {
			out = append(out, i.Path, i.Component.Name, string(i.ConfigJSON()))
		}
	}
	return out
}

// TestWhatIsPrintedMeansTheSame prints pipelines and reads them again.
func TestWhatIsPrintedMeansTheSame(t *testing.T) {
	const chain = "version: 1\nlanguages: [go]\nstages: [extract, rank, redact, report]\n"
	for name, text := range map[string]string{
		"everything":       fullPipeline,
		"a preset":         "version: 1\nextends: map\n",
		"empty mappings":   "version: 1\nextends: map\nsource:\nlimits: {file: , stage: {}}\n",
		"odd strings":      chain + "source: {rev: '1e3', path: 'true', include: ['', '~', ' a', '- b', 'c: d', '#e', \"f\\tg\\u2028\", '2024-01-01', '=', '<<', '0x10', \"\\e\"]}\n",
		"block strings":    chain + "source:\n  rev: |\n    a\n    b\n  path: >-\n    c\n    d\n",
		"aliases":          chain + "limits: {file: &l {time: 1s, memory: 5MiB}, stage: *l}\n",
		"a date":           chain + "source: {rev: 2024-01-01}\n",
		"numbers":          chain + "limits: {file: {memory: 0x100}, stage: {memory: 1_000}}\n",
		"variables":        chain + "source: {rev: \"${FORMAT} x\", path: '${NONE:-a: b # c}', include: [\"${FORMAT}\", '$${X}'], exclude: \"${FORMAT}\"}\ncache: ${NONE:-false}\n",
		"an evil variable": chain + "source: {rev: \"${EVIL}\"}\n",
	} {
		t.Run(name, func(t *testing.T) {
			p := mustLoad(t, text)
			out := printed(t, p)
			again, l := loadText(out)
			if again == nil {
				t.Fatalf("it is refused:\n%s\n%s", out, rendered(t, l))
			}
			if diff := cmp.Diff(effect(p), effect(again)); diff != "" {
				t.Errorf("%s\n%s", out, diff)
			}
			if twice := printed(t, again); twice != out {
				t.Errorf("printed twice:\n%s\n%s", out, twice)
			}
		})
	}
}

// TestPathsOfOtherFoldersArePrintedFromHere: a base may lie in another folder than the file that extends it.
func TestPathsOfOtherFoldersArePrintedFromHere(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"base/base.yaml": "version: 1\nextends: map\nsource: {path: \"${NONE:-src}\"}\nlanguages: [go, ./toml]\nstages: [extract, rank, {use: ../bin/filter}, redact, report]\n",
		"ci/child.yaml":  "version: 1\nextends: ../base/base.yaml\nverify: off\n",
	} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	load := func(file string) *Pipeline {
		p, l := Load(context.Background(), Options{File: filepath.Join(dir, file), Catalog: testCatalog(), Presets: testPresets})
		if p == nil {
			t.Fatal(rendered(t, l))
		}
		return p
	}
	p := load("ci/child.yaml")
	if err := os.WriteFile(filepath.Join(dir, "ci", "printed.yaml"), []byte(printed(t, p)), 0o644); err != nil {
		t.Fatal(err)
	}
	again := load("ci/printed.yaml")
	if diff := cmp.Diff(effect(p), effect(again)); diff != "" {
		t.Errorf("%s\n%s", printed(t, p), diff)
	}
	if want := filepath.Join(dir, "base", "src"); p.Source.Path != want {
		t.Errorf("path is %s, want %s", p.Source.Path, want)
	}
}

// TestTheEnvironmentStaysWhereItIs: a variable may hold a secret, and no output or message shows it.
func TestTheEnvironmentStaysWhereItIs(t *testing.T) {
	const secret = "hunter2-7f3a9c"
	load := func(text string) (*Pipeline, string) {
		p, l := Load(context.Background(), Options{
			File: "pipeline.yaml", Data: []byte(text), Catalog: testCatalog(), Presets: testPresets,
			LookupEnv: func(string) (string, bool) { return secret, true },
		})
		return p, rendered(t, l)
	}
	p, out := load("version: 1\nlanguages: [go]\nstages: [extract, {use: rank, with: {focus: \"${A}\"}}, {use: redact, with: {allow: \"${A}\"}}, report]\nsource: {rev: \"x${A}\"}\n")
	if p == nil {
		t.Fatal(out)
	}
	if out := printed(t, p); strings.Contains(out, secret) {
		t.Errorf("it is printed:\n%s", out)
	}
	for _, line := range []string{
		"verify: ${A}", "cache: ${A}", "limits: {file: {time: \"${A}\"}}", "limits: {file: {memory: \"${A}\"}}", "stages: [\"${A}\"]", "languages: [\"${A}\"]",
		"stages: [{use: report, with: {format: \"${A}\"}}]", "stages: [{use: report, with: {budget: \"${A}\"}}]", "stages: [{use: redact, with: {allow: [1, \"${A}\"]}}]", "extends: ${A}",
	} {
		if !strings.HasPrefix(line, "extends") {
			line = "extends: map\n" + line
		}
		p, out := load("version: 1\n" + line + "\n")
		if p != nil {
			t.Errorf("%s is taken", line)
		}
		if strings.Contains(out, secret) {
			t.Errorf("%s shows it:\n%s", line, out)
		}
	}
}
