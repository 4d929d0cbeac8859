package langts

import (
	"slices"
	"testing"

	"github.com/repox-dev/repox/sdk/packtest"
)

func TestFixtures(t *testing.T) { packtest.Run(t, New(), "fixtures") }

func TestTypeScriptCases(t *testing.T) { packtest.Cases(t, New(), "testdata/cases/typescript") }

func TestJavaScriptCases(t *testing.T) { packtest.Cases(t, New(), "testdata/cases/javascript") }

func TestExported(t *testing.T) {
	tests := []struct {
		name, file, source string
		want               []string
	}{
		{"keywords", "a.ts", "export const a = 1; const b = 2; export class C { m() {} #p() {} private q() {} }", []string{"a", "C", "m"}},
		{"a list", "a.ts", "function a() {}\nfunction b() {}\nexport { a as c };", []string{"a"}},
		{"a list of another module", "a.ts", "function a() {}\nexport { a } from './b';", nil},
		{"by default", "a.mjs", "export default () => 1;", []string{"default"}},
		{"a name by default", "a.mjs", "class A { m() {} }\nexport default A;", []string{"A", "m"}},
		{"the whole of a file", "a.js", "function a() {}\nmodule.exports = { a, b() {} };", []string{"a", "b"}},
		{"members of exports", "a.cjs", "exports.a = () => 1; function b() {}", []string{"a"}},
		{"a name in a namespace", "a.ts", "export namespace N { export function a() {} function b() {} }", []string{"N", "a"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f, err := packtest.Extract(New(), tt.file, []byte(tt.source))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, d := range f.Definitions {
				if d.Exported {
					got = append(got, d.Name)
				}
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("exported: %v, want %v", got, tt.want)
			}
		})
	}
}

func TestPublished(t *testing.T) {
	const module = "github.com/tree-sitter/tree-sitter-javascript"
	packtest.Published(t, New(), module, "test/tags/classes.js", packtest.Reading{
		Same: map[string][]string{"reference.class": {"reference.call"}},
	})
	packtest.Published(t, New(), module, "test/tags/functions.js", packtest.Reading{
		Except: map[int]string{9: "a function of an object that no name is bound to has no scope to be found in"},
	})
}
