package packtest

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/repox-dev/repox/sdk"
	"github.com/repox-dev/repox/sdk/tag"
)

// answer is what an expect.json file says of a source. Lines count from 1.
type answer struct {
	Definitions []answerDefinition `json:"definitions"`
	Optional    []answerDefinition `json:"definitions_optional"`
	Imports     []answerImport     `json:"imports"`
	References  []answerReference  `json:"references_include"`
}

type answerDefinition struct {
	Name    string   `json:"name"`
	Kind    string   `json:"kind"`
	KindAlt []string `json:"kind_alt"`
	Start   uint32   `json:"line_start"`
	End     uint32   `json:"line_end"`
	Scope   string   `json:"scope"`
}

type answerImport struct {
	Module string   `json:"module"`
	Line   uint32   `json:"line"`
	Names  []string `json:"names"`
}

type answerReference struct {
	Name string `json:"name"`
	Line uint32 `json:"line"`
}

// Cases checks a pack on a folder of sources, each with a file NAME.expect.json beside it that says which definitions
// must be found and which may, which imports there are exactly, and which references are among those found.
func Cases(t *testing.T, p *sdk.Pack, folder string) {
	t.Helper()
	answers, err := filepath.Glob(filepath.Join(folder, "*.expect.json"))
	if err != nil {
		t.Fatal(err)
	}
	if len(answers) == 0 {
		t.Fatalf("no cases in %s", folder)
	}
	for _, a := range answers {
		stem := strings.TrimSuffix(a, ".expect.json")
		t.Run(filepath.Base(stem), func(t *testing.T) { runCase(t, p, stem, a) })
	}
}

func runCase(t *testing.T, p *sdk.Pack, stem, answerFile string) {
	var want answer
	b, err := os.ReadFile(answerFile)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &want); err != nil {
		t.Fatal(err)
	}
	sources, _ := filepath.Glob(stem + ".*")
	for _, s := range sources {
		if s == answerFile {
			continue
		}
		src, err := os.ReadFile(s)
		if err != nil {
			t.Fatal(err)
		}
		f, err := Extract(p, filepath.Base(s), src)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range compare(f, want) {
			t.Error(d)
		}
	}
}

func compare(f *tag.File, want answer) []string {
	out := compareDefinitions(f, want)
	var wantImports, gotImports []string
	for _, i := range want.Imports {
		wantImports = append(wantImports, importKey(i.Module, i.Line, i.Names))
	}
	for _, i := range f.Imports {
		gotImports = append(gotImports, importKey(i.Module, i.Row+1, i.Names))
	}
	sort.Strings(wantImports)
	sort.Strings(gotImports)
	if !slices.Equal(wantImports, gotImports) {
		out = append(out, fmt.Sprintf("imports: got %q, want %q", gotImports, wantImports))
	}
	refs := map[answerReference]bool{}
	for _, r := range f.References {
		refs[answerReference{r.Name, r.Row + 1}] = true
	}
	for _, r := range want.References {
		if !refs[r] {
			out = append(out, fmt.Sprintf("missing reference %s in line %d", r.Name, r.Line))
		}
	}
	return out
}

func importKey(module string, line uint32, names []string) string {
	names = slices.Clone(names)
	sort.Strings(names)
	return fmt.Sprintf("%s:%d:%q", module, line, names)
}

func compareDefinitions(f *tag.File, want answer) []string {
	var out []string
	left := map[string][]string{} // place → kinds found there
	for _, d := range f.Definitions {
		k := definitionKey(d.Name, d.StartRow+1, d.EndRow+1, d.Scope)
		left[k] = append(left[k], d.Kind)
	}
	take := func(d answerDefinition, kinds []string) bool {
		k := definitionKey(d.Name, d.Start, d.End, d.Scope)
		for i, found := range left[k] {
			if len(kinds) == 0 || slices.Contains(kinds, found) {
				left[k] = slices.Delete(left[k], i, i+1)
				return true
			}
		}
		return false
	}
	for _, d := range want.Definitions {
		if !take(d, append([]string{d.Kind}, d.KindAlt...)) {
			out = append(out, fmt.Sprintf("missing %s %s", d.Kind, definitionKey(d.Name, d.Start, d.End, d.Scope)))
		}
	}
	for _, d := range want.Optional {
		take(d, nil)
	}
	for k, kinds := range left {
		for _, kind := range kinds {
			if kind != "field" {
				out = append(out, fmt.Sprintf("extra %s %s", kind, k))
			}
		}
	}
	sort.Strings(out)
	return out
}

func definitionKey(name string, start, end uint32, scope string) string {
	return fmt.Sprintf("%s lines %d-%d scope %q", name, start, end, scope)
}
