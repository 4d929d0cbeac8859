package langrust

import (
	"encoding/json"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"github.com/repox-dev/repox/sdk/packtest"
	"github.com/repox-dev/repox/sdk/tag"
	"github.com/repox-dev/repox/sdk/treesitter"
)

func TestFixtures(t *testing.T) { packtest.Run(t, New(), "fixtures") }

// TestCases compares imports by their full paths: where a path splits into module and name cannot be told from one
// file.
func TestCases(t *testing.T) {
	folder := t.TempDir()
	sources, err := filepath.Glob("testdata/cases/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range sources {
		b, err := os.ReadFile(s)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(s, ".expect.json") {
			b = joinAnswers(t, b)
		}
		if err := os.WriteFile(filepath.Join(folder, filepath.Base(s)), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p := New()
	p.NewExtractor = treesitter.New(treesitter.Spec{Language: grammar(), Query: query, Finish: finishJoined})
	packtest.Cases(t, p, folder)
}

// finishJoined is finish with full paths for imports.
func finishJoined(src []byte, f *tag.File) {
	finish(src, f)
	var joined []tag.Import
	for _, i := range f.Imports {
		for _, path := range fullPaths(i.Module, i.Names) {
			joined = append(joined, tag.Import{Module: path, Row: i.Row})
		}
	}
	f.Imports = joined
}

func joinAnswers(t *testing.T, content []byte) []byte {
	t.Helper()
	var all map[string]any
	if err := json.Unmarshal(content, &all); err != nil {
		t.Fatal(err)
	}
	var joined []any
	for _, i := range all["imports"].([]any) {
		imp := i.(map[string]any)
		var names []string
		for _, n := range imp["names"].([]any) {
			names = append(names, n.(string))
		}
		for _, path := range fullPaths(imp["module"].(string), names) {
			joined = append(joined, map[string]any{"module": path, "line": imp["line"]})
		}
	}
	all["imports"] = joined
	out, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func fullPaths(module string, names []string) []string {
	if len(names) == 0 {
		return []string{module}
	}
	var out []string
	for _, n := range names {
		name, _, _ := strings.Cut(n, " as ")
		if name == "self" {
			out = append(out, module)
		} else {
			out = append(out, module+"::"+name)
		}
	}
	sort.Strings(out)
	return out
}
