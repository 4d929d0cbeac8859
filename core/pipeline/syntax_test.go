package pipeline

import (
	"fmt"
	"strings"
	"testing"
)

// TestSyntaxErrorsHaveTheirPlace holds where the usual mistakes are found; the parser itself gives a line at best. Each file
// begins with a comment, because the parser counts lines differently when its block does not begin in the first one.
func TestSyntaxErrorsHaveTheirPlace(t *testing.T) {
	tests := []struct{ name, text, place, says string }{
		{"a second colon", "version: 1\nsource:\n  path: a: b\n", "4:10", "a second colon; put a value that holds `: ` in quotes"},
		{"a line too deep", "version: 1\n  extends: map\n", "3:3", "indented deeper"},
		{"a line not deep enough", "version: 1\nsource:\n  path: a\n exclude: [b]\n", "5:2", "check that this line is indented"},
		{"an item not deep enough", "version: 1\nstages:\n  - a\n - b\n", "5:2", "check that this line is indented"},
		{"a list left open", "version: 1\nstages: [a, [b]\nverify: off\n", "3:9", "the [ that opens here is not closed"},
		{"a mapping left open", "version: 1\nsource: {path: a\nverify: off\n", "3:9", "the { that opens here is not closed"},
		{"a bracket too many", "version: 1\nstages: [a, b]]\n", "3:15", "nothing is open that this ] could close"},
		{"a double quote left open", "version: 1\nverify: \"off\ncache: true\n", "3:9", "the quote \" that opens here is not closed"},
		{"a single quote left open", "version: 1\nstages: [it's, 'b]\n", "3:16", "the quote ' that opens here is not closed"},
		{"a reserved character", "version: 1\nverify: @off\n", "3:9", "a value cannot begin with @; put it in quotes"},
		{"a reserved character in a list", "version: 1\nstages: [a, `b`]\n", "3:13", "a value cannot begin with `"},
		{"a glob without quotes", "version: 1\nsource: {include: [*.go]}\n", "3:20", "put a value that begins with * in quotes"},
		{"an escape that is none", "version: 1\nsource: {rev: \"a\\d\"}\n", "3:17", `\d means nothing in double quotes`},
		{"half an escape", "version: 1\nsource: {rev: \"\\u12\"}\n", "3:16", `\u means nothing in double quotes`},
		{"a control character", "version: 1\nverify: a\x01b\n", "3:10", "control characters are not allowed"},
		{"a key without a colon", "version: 1\nverify off\ncache: true\n", "3:1", "expected a key, as in `key: value`"},
		{"a tab", "version: 1\nsource:\n  path: x\n  \texclude: y\n", "5:3", "tabs"},
		{"a tab after wide characters", "version: 1\nsource: {rev: 日本: x: y}\n", "3:", "not valid YAML"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, ending := range []string{"\n", "\r\n"} {
				_, l := loadText(strings.ReplaceAll("# a pipeline\n"+tt.text, "\n", ending))
				out := rendered(t, l)
				if !strings.HasPrefix(out, "pipeline.yaml:"+tt.place) || !strings.Contains(out, tt.says) {
					t.Errorf("want %s: … %s, got\n%s", tt.place, tt.says, out)
				}
				if len(l) != 1 {
					t.Errorf("%d diagnostics for one mistake", len(l))
				}
			}
		})
	}
}

func TestLinesAreCountedAsTheParserCounts(t *testing.T) {
	for name, text := range map[string]string{
		"a mark at the start": "\ufeff# x\nversion: 1\nverfy: off\n",
		"old line ends":       "# x\rversion: 1\rverfy: off\r",
		"mixed line ends":     "# x\r\nversion: 1\rverfy: off\n",
		"rare line ends":      "# x\u2028version: 1\u0085verfy: off\n",
	} {
		_, l := loadText(text)
		out := rendered(t, l)
		if want := "pipeline.yaml:3:1: error: unknown key \"verfy\"; did you mean \"verify\"?\n    verfy: off\n    ^~~~~\n"; !strings.Contains(out, want) {
			t.Errorf("%s: got\n%s", name, out)
		}
	}
}

// TestColumnsAreCharacters checks that a column does not depend on how a file is encoded.
func TestColumnsAreCharacters(t *testing.T) {
	_, l := loadText("version: 1\nextends: map\nsource: {rev: \"日本é\", pth: x}\n")
	if out := rendered(t, l); !strings.HasPrefix(out, "pipeline.yaml:3:22: error: unknown key \"pth\"") {
		t.Errorf("got\n%s", out)
	}
}

func TestEveryPrefixOfAFileIsToldSoundly(t *testing.T) {
	for i := range fullPipeline {
		p, l := loadText(fullPipeline[:i])
		if p == nil && !l.HasErrors() {
			t.Fatalf("neither a pipeline nor an error after %d bytes", i)
		}
		for _, d := range l {
			if d.Place.Line > 1+strings.Count(fullPipeline[:i], "\n") {
				t.Errorf("%v is beyond the file of %d bytes", d.Place, i)
			}
		}
	}
}

func ExampleLoad() {
	_, diagnostics := loadText("version: 1\nextends: map\nverify: requird\n")
	fmt.Println(diagnostics.Error())
	// Output: pipeline.yaml:3:9: "requird" is not one of require, warn, off
}
