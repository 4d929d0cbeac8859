//go:build cgo

package treesitter

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	golang "github.com/tree-sitter/tree-sitter-go/bindings/go"

	"github.com/repox-dev/repox/sdk"
	"github.com/repox-dev/repox/sdk/tag"
)

// testQuery has every feature that patterns can have.
const testQuery = `
; comments are skipped
(package_clause (package_identifier) @package)
(function_declaration name: (identifier) @name) @definition.function
(method_declaration receiver: (parameter_list (parameter_declaration name: (identifier)? @self type: [
   (type_identifier) @scope (pointer_type (type_identifier) @scope)])) name: (field_identifier) @name) @definition.method
(type_declaration "(" (type_spec name: (type_identifier) @name type: (struct_type (field_declaration_list) @body)) @definition.struct)
(type_declaration (type_spec name: (type_identifier) @name type: (struct_type (field_declaration_list) @body))) @definition.struct
(type_declaration (type_spec name: (type_identifier) @name type: (_))) @definition.type
(import_spec name: (_)? @import.local path: (_) @import.module) @import
((call_expression function: (identifier) @name) @reference.call (#not-eq? @name "println"))
((call_expression function: (selector_expression operand: (_) @qualifier field: (field_identifier) @name)) @reference.call
  (#match? @name "^[A-Z]"))
((type_identifier) @name @reference.type (#not-any-of? @name "int" "string"))
`

func newTestExtractor(t testing.TB, spec Spec) sdk.Extractor {
	t.Helper()
	if spec.Language == nil {
		spec.Language = golang.Language()
	}
	cfg, err := sdk.NewConfig(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	e, err := New(spec)(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Close)
	return e
}

// goSources calls f with the sources of the Go tree that runs the test, up to a number of files.
func goSources(t testing.TB, limit int, f func(path string, src []byte)) {
	t.Helper()
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	root := filepath.Join(strings.TrimSpace(string(out)), "src")
	n := 0
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		if n++; n > limit {
			return fs.SkipAll
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		f(path, src)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if n == 0 {
		t.Fatalf("no Go source below %s", root)
	}
}

// general makes a query run on tree-sitter's own engine: repetition is a feature that patterns lack.
const general = "\n(source_file (comment)* @doc)\n"

func TestBothEnginesFindTheSame(t *testing.T) {
	walk := newTestExtractor(t, Spec{Query: testQuery})
	own := newTestExtractor(t, Spec{Query: testQuery + general})
	if walk.(*extractor).programs[""].general || !own.(*extractor).programs[""].general {
		t.Fatal("the two extractors do not run on the two engines")
	}
	goSources(t, 400, func(path string, src []byte) {
		var enc tag.Encoder
		var got [2]*tag.File
		for i, e := range []sdk.Extractor{walk, own} {
			f, err := e.Extract(context.Background(), sdk.Source{Path: path, Content: src})
			if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			tags, imports, err := enc.Encode(f)
			if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			if got[i], err = tag.Decode(tags, imports); err != nil {
				t.Fatalf("%s: %v", path, err)
			}
		}
		if diff := cmp.Diff(got[1], got[0]); diff != "" {
			t.Errorf("%s: the walk differs from the query engine (-query +walk):\n%s", path, diff)
		}
	})
}

func TestFaultsOfAQueryHaveAPlace(t *testing.T) {
	tests := []struct{ name, query, want string }{
		{"unknown node", "(function_declaration)\n(no_such_node) @name", `tags.scm:2:2: the grammar has no node type "no_such_node"`},
		{"unknown token", "(type_declaration \"typo\")", `tags.scm:1:19: the grammar has no token "typo"`},
		{"unknown field", "(function_declaration nam: (identifier))", `tags.scm:1:29: the grammar has no field "nam"`},
		{"unknown node in the general engine", "(source_file (comment)* (nope))", `tags.scm:1:26: the grammar has no such node type`},
		{"open parenthesis", "(function_declaration", `tags.scm:1:1: this parenthesis is not closed`},
		{"open bracket", "[(comment)", `tags.scm:1:1: this bracket is not closed`},
		{"open string", "(type_declaration \"type)", `tags.scm:1:19: this string is not closed`},
		{"nothing where a pattern should be", "(comment) ) (comment)", `tags.scm:1:11: expected a pattern`},
		{"nameless capture", "(comment) @", `tags.scm:1:12: a capture needs a name`},
		{"bad regular expression", "((comment) @name (#match? @name \"[\"))", `tags.scm:1:33: bad regular expression: error parsing regexp: missing closing ]: ` + "`[`"},
		{"unknown predicate", "((comment) @name (#is-odd? @name \"x\"))", `tags.scm:1:18: unknown predicate #is-odd?`},
		{"predicate without arguments", "((comment) @name (#eq?))", `tags.scm:1:18: #eq? needs a capture and at least one more argument`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			cfg, _ := sdk.NewConfig(nil, nil)
			_, err := New(Spec{Language: golang.Language(), Query: tt.query})(cfg)
			var qe *QueryError
			if !errors.As(err, &qe) || err.Error() != tt.want {
				t.Errorf("got %v\nwant %s", err, tt.want)
			}
		})
	}
}

func TestAMissingGrammarIsAnError(t *testing.T) {
	cfg, _ := sdk.NewConfig(nil, nil)
	if _, err := New(Spec{Query: "(x)"})(cfg); err == nil {
		t.Error("no error")
	}
}

func TestAFileOverItsLimitsIsSkipped(t *testing.T) {
	src := []byte("package p\nvar x = []int{" + strings.Repeat("1,", 400_000) + "}\n")
	for code, cfg := range map[string]*extractor{
		"timeout":     {limit: 1},
		"too_complex": {limit: defaultTime},
	} {
		t.Run(code, func(t *testing.T) {
			e := newTestExtractor(t, Spec{Query: testQuery}).(*extractor)
			e.limit = cfg.limit
			if code == "too_complex" {
				e.replaceWorker(1 << 20)
			}
			_, err := e.Extract(context.Background(), sdk.Source{Path: "x.go", Content: src})
			var skip *sdk.SkipError
			if !errors.As(err, &skip) || skip.Code != code {
				t.Fatalf("got %v, want a skip of code %s", err, code)
			}
			// The worker is as good as before.
			f, err := e.Extract(context.Background(), sdk.Source{Path: "x.go", Content: []byte("package p")})
			if code == "too_complex" && (err != nil || f.Package != "p") {
				t.Errorf("the next file gives %v, %v", f, err)
			}
		})
	}
}

func TestHostileInput(t *testing.T) {
	e := newTestExtractor(t, Spec{Query: testQuery})
	for name, src := range map[string]string{
		"empty":           "",
		"nul bytes":       "package p\x00\x00func f() {}",
		"invalid utf-8":   "package p\nfunc \xff\xfe() {}\nfunc g() {}",
		"brackets":        strings.Repeat("(", 20_000),
		"closed brackets": "package p; var x = " + strings.Repeat("(", 20_000) + "1" + strings.Repeat(")", 20_000),
		"one long line":   "package p; var x = `" + strings.Repeat("y", 2_000_000) + "`",
		"only a bom":      "\xef\xbb\xbf",
		"no final line":   "package p\nfunc f() {",
	} {
		t.Run(name, func(t *testing.T) {
			f, err := e.Extract(context.Background(), sdk.Source{Path: "x.go", Content: []byte(src)})
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range f.Definitions {
				if int(d.End) > len(src) {
					t.Errorf("%s ends at %d of %d", d.Name, d.End, len(src))
				}
			}
		})
	}
}

func FuzzExtract(f *testing.F) {
	e := newTestExtractor(f, Spec{Query: testQuery})
	f.Add([]byte("package p\nfunc (x *T) M() { g() }\n"))
	f.Add([]byte("\xff\x00{{{"))
	f.Fuzz(func(t *testing.T, src []byte) {
		file, err := e.Extract(context.Background(), sdk.Source{Path: "x.go", Content: src})
		if err != nil {
			return
		}
		for _, d := range file.Definitions {
			if d.Start > d.End || int(d.End) > len(src) || d.NameStart < d.Start {
				t.Errorf("%+v lies outside of %d bytes", d, len(src))
			}
		}
		for _, r := range file.References {
			if int(r.Start) > len(src) {
				t.Errorf("%+v lies outside of %d bytes", r, len(src))
			}
		}
	})
}

func FuzzQuery(f *testing.F) {
	f.Add(testQuery)
	f.Add("((a)* @b . [(c) \"d\"]? @e (#eq? @b \"x\"))")
	f.Fuzz(func(t *testing.T, text string) {
		patterns, err := readQuery(text)
		if err != nil {
			return
		}
		for _, p := range patterns {
			variants(p)
		}
	})
}

func BenchmarkExtract(b *testing.B) {
	e := newTestExtractor(b, Spec{Query: testQuery})
	var sources [][]byte
	total := 0
	goSources(b, 200, func(_ string, src []byte) {
		sources = append(sources, src)
		total += len(src)
	})
	b.SetBytes(int64(total))
	for b.Loop() {
		for _, src := range sources {
			if _, err := e.Extract(context.Background(), sdk.Source{Path: "x.go", Content: src}); err != nil {
				b.Fatal(err)
			}
		}
	}
}
