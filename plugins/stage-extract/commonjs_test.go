package extract

import (
	"testing"

	"github.com/repox-dev/repox/sdk/model"
)

func TestOlderModules(t *testing.T) {
	const class = "kind class Compiler\nmethod Compiler.run\nwhole module.exports Compiler"
	for name, c := range map[string]struct {
		files      []facts
		want       []string
		unresolved uint64
	}{
		"a module's name means what it assigns to module.exports": {[]facts{
			{"x.js", "bound Compiler ./a * as Compiler -> 1\nref Compiler\nref Compiler.run"}, {"a.js", class}},
			[]string{"x.js -> a.js Compiler", "x.js -> a.js Compiler.run"}, 0},
		"by another name too": {[]facts{
			{"x.js", "bound C ./a * as C -> 1\nref C\nref C.run"}, {"a.js", class}},
			[]string{"x.js -> a.js Compiler", "x.js -> a.js Compiler.run"}, 0},
		"names that are taken out of a module": {[]facts{
			{"x.js", "bound f ./a f -> 1\nbound h ./a g as h -> 1\nref f\nref h"}, {"a.js", "def f\ndef g"}},
			[]string{"x.js -> a.js f", "x.js -> a.js g"}, 0},
		"a module of several exports is no definition, and they are its members": {[]facts{
			{"x.js", "bound a ./a * as a -> 1\nref a\nref a.f"}, {"a.js", "def f\ndef g"}},
			[]string{"x.js -> a.js f"}, 1},
		"what comes from outside is neither tied nor missed": {[]facts{
			{"x.js", "bound path path * as path\nref path\nref path.join"}}, nil, 0},
		"what a module passes on": {[]facts{
			{"x.js", "bound Compiler ./lib Compiler -> 1\nref Compiler\nref Compiler.run"},
			{"lib/index.js", "bound Compiler ./a * as Compiler -> 2"}, {"lib/a.js", class}},
			[]string{"x.js -> lib/a.js Compiler", "x.js -> lib/a.js Compiler.run"}, 0},
		"what a module assigns that it has from another": {[]facts{
			{"x.js", "bound C ./b * as C -> 1\nref C"}, {"b.js", "bound Compiler ./a * as Compiler -> 2\nwhole module.exports Compiler"}, {"a.js", class}},
			[]string{"x.js -> a.js Compiler"}, 0},
		"modules that assign each other's end": {[]facts{
			{"x.js", "bound C ./a * as C -> 1\nref C"}, {"a.js", "bound B ./b * as B -> 2\nwhole module.exports B"},
			{"b.js", "bound A ./a * as A -> 1\nwhole module.exports A"}}, nil, 1},
		"a default import of such a module": {[]facts{
			{"x.js", "import ./a default as D -> 1\nref D"}, {"a.js", class + "\ndef other"}},
			[]string{"x.js -> a.js Compiler"}, 0},
		"a default export that is named beside others": {[]facts{
			{"x.js", "import ./a default as D -> 1\nref D"}, {"a.js", "def make\ndef other\nwhole default make"}},
			[]string{"x.js -> a.js make"}, 0},
		"a namespace is not its default export": {[]facts{
			{"x.js", "import ./a * as D -> 1\nref D"}, {"a.js", "def make\nwhole default make"}}, nil, 1},
		"a constant that is no import stays one": {[]facts{
			{"x.js", "import ./a f -> 1\nhidden constant g\nref g"}, {"a.js", "def f\ndef g"}}, []string{"x.js -> x.js g"}, 0},
	} {
		t.Run(name, func(t *testing.T) { checkEdges(t, "javascript", c.files, c.want, c.unresolved) })
	}
}

func TestAConstantThatIsAnImportIsMarked(t *testing.T) {
	r := &repo{t: t}
	r.file("x.js", "javascript", model.ClassSource, "bound f ./a f -> 1\nhidden constant g")
	r.file("a.js", "javascript", model.ClassSource, "def f")
	r.file("a.go", "go", model.ClassSource, "package a\nbound f x f -> 1")
	g, _ := r.run()
	for i, want := range []bool{true, false, false, false} {
		if got := g.DefFlags[i]&flagImport != 0; got != want {
			t.Errorf("definition %d %s: got %v", i, g.Strings[g.DefName[i]], got)
		}
	}
}
