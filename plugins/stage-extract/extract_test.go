package extract

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"

	"github.com/repox-dev/repox/sdk"
	"github.com/repox-dev/repox/sdk/model"
)

func TestTheDeclarationsAreSound(t *testing.T) {
	if err := sdk.Validate(New()); err != nil {
		t.Error(err)
	}
}

func TestReferencesMeanWhatTheyCanReach(t *testing.T) {
	for name, c := range map[string]struct {
		language   string
		files      []facts
		want       []string
		unresolved uint64
	}{
		"a bare name means its own file first": {"go", []facts{
			{"p/a.go", "package p\ndef F\nref F"}, {"p/b.go", "package p\ndef F"}}, []string{"p/a.go -> p/a.go F"}, 0},
		"else its package, each variant once": {"go", []facts{
			{"p/a.go", "package p\nref F\nref F"}, {"p/b_linux.go", "package p\nprivate F"}, {"p/b_windows.go", "package p\nprivate F"}},
			[]string{"p/a.go -> p/b_linux.go F", "p/a.go -> p/b_windows.go F"}, 0},
		"but no other folder, no other package, no test": {"go", []facts{
			{"p/a.go", "package p\nref F\nref G\nref H"}, {"q/b.go", "package p\ndef F"}, {"p/c.go", "package main\ndef G"}, {"p/c_test.go", "package p\ndef H"}},
			nil, 3},
		"a test sees its package": {"go", []facts{
			{"p/a_test.go", "package p\nref F"}, {"p/b.go", "package p\nprivate F"}}, []string{"p/a_test.go -> p/b.go F"}, 0},
		"a package goes by its own name": {"go", []facts{
			{"p/a.go", "package p\nimport m/go-q/v2 -> 1 2\nref q.F\nref q.private"}, {"q/b.go", "package q\ndef F\nprivate private"}, {"q/c.go", "package q\n"}},
			[]string{"p/a.go -> q/b.go F"}, 1},
		"or by the name it is imported under": {"go", []facts{
			{"p/a.go", "package p\nimport m/q * as r -> 1\nref r.F\nref q.F"}, {"q/b.go", "package q\ndef F"}},
			[]string{"p/a.go -> q/b.go F"}, 1},
		"what comes from outside is neither tied nor missed": {"go", []facts{
			{"p/a.go", "package p\nimport net/http\nimport x/y/v3\nref http.Get\nref y.Get\ndef Get\nmethod http.Get"}}, nil, 0},
		"a member of something unknown means nothing": {"go", []facts{
			{"p/a.go", "package p\nref ?.Close\nref x.Close\ndef Close\nmethod T.Close"}}, nil, 2},
		"a member of a type of the package": {"go", []facts{
			{"p/a.go", "package p\nref T.Close"}, {"p/b.go", "package p\nmethod T.Close\nmethod U.Close"}}, []string{"p/a.go -> p/b.go T.Close"}, 0},
		"methods are no match for bare names": {"typescript", []facts{
			{"worker.ts", "method default.fetch\nref fetch"}}, nil, 1},
		"a module's namespace reaches only that module": {"typescript", []facts{
			{"a.ts", "import zod z\nref z.record"}, {"b.ts", "def record"}}, nil, 0},
		"named, renamed and module imports": {"python", []facts{
			{"x.py", "import a f -> 1\nref f"}, {"a.py", "def f"}, {"y.py", "import a f as g -> 1\nref g"},
			{"z.py", "import a * as b -> 1\nref b.f"}, {"w.py", "import a -> 1\nref a.f"}, {"v.py", "import a * -> 1\nref f"}},
			[]string{"x.py -> a.py f", "y.py -> a.py f", "z.py -> a.py f", "w.py -> a.py f", "v.py -> a.py f"}, 0},
		"an imported name that is a module": {"python", []facts{
			{"x.py", "import pkg mod -> 1 2\nref mod.f"}, {"pkg/__init__.py", "def other"}, {"pkg/mod.py", "def f"}}, []string{"x.py -> pkg/mod.py f"}, 0},
		"a dotted module is written in full": {"python", []facts{
			{"x.py", "import pkg.mod -> 1\nref pkg.mod.f\nref mod.f"}, {"pkg/mod.py", "def f"}}, []string{"x.py -> pkg/mod.py f"}, 1},
		"a name that nobody imports means nothing": {"python", []facts{
			{"app.py", "ref foo"}, {"mod.py", "def foo"}}, nil, 1},
		"a member of an imported type": {"typescript", []facts{
			{"x.ts", "import ./a Foo -> 1\nref Foo.bar"}, {"a.ts", "def Foo\nmethod Foo.bar"}}, []string{"x.ts -> a.ts Foo.bar"}, 0},
		"what an index passes on": {"typescript", []facts{
			{"x.ts", "import ./lib f, G, H as I -> 1\nref f\nref G.m\nref I"}, {"lib/index.ts", "import ./a * -> 2\nimport ./b K as H -> 3"},
			{"lib/a.ts", "def f\ndef G\nmethod G.m"}, {"lib/b.ts", "def K"}},
			[]string{"x.ts -> lib/a.ts f", "x.ts -> lib/a.ts G.m", "x.ts -> lib/b.ts K"}, 0},
		"a circle of re-exports ends": {"typescript", []facts{
			{"x.ts", "import ./a f -> 1\nref f"}, {"a.ts", "import ./b * -> 2\nimport ./b f -> 2"}, {"b.ts", "import ./a * -> 1\nimport ./a f -> 1"}}, nil, 1},
		"a default export by its declaration": {"typescript", []facts{
			{"x.ts", "import ./a default as D -> 1\nref D"}, {"a.ts", "default make\ndef other"}}, []string{"x.ts -> a.ts make"}, 0},
		"or, as a guess, the only export": {"typescript", []facts{
			{"x.ts", "import ./a default as D -> 1\nref D"}, {"a.ts", "def make\nprivate other"}}, []string{"x.ts -> a.ts make guessed"}, 0},
		"modules of one name are told apart": {"rust", []facts{
			{"main.rs", "import crate b -> 2\nref b::run"}, {"a.rs", "def run"}, {"b.rs", "def run"}}, []string{"main.rs -> b.rs run"}, 0},
		"private items stay private": {"rust", []facts{
			{"x.rs", "import crate::a f -> 1\nref f"}, {"a.rs", "private f"}, {"a/sub.rs", "import super f -> 1\nref f"}}, []string{"a/sub.rs -> a.rs f"}, 1},
		"a path through an import": {"rust", []facts{
			{"x.rs", "import crate a -> 1\nref a::T::new"}, {"a.rs", "def T\nmethod T.new"}}, []string{"x.rs -> a.rs T.new"}, 0},
		"a function inside another": {"python", []facts{
			{"x.py", "ref inner\nopen outer\ndef outer.inner\nref inner"}}, []string{"x.py -> x.py outer.inner"}, 1},
	} {
		t.Run(name, func(t *testing.T) { checkEdges(t, c.language, c.files, c.want, c.unresolved) })
	}
}

func TestLanguagesDoNotMix(t *testing.T) {
	r := &repo{t: t}
	r.file("d/a.go", "go", model.ClassSource, "package p\nref load")
	r.file("d/b.x", "other", model.ClassSource, "package p\ndef load")
	if g, _ := r.run(); len(g.EdgeTo) != 0 {
		t.Errorf("edges %v", r.edges(g))
	}
}

func TestGeneratedFilesHaveNoVote(t *testing.T) {
	r := &repo{t: t}
	r.file("p/a.go", "go", model.ClassGenerated, "package p\nref F\nref G\ndef G")
	r.file("p/b.go", "go", model.ClassSource, "package p\ndef F\nref G")
	g, _ := r.run()
	if diff := cmp.Diff([]string{"p/b.go -> p/a.go G"}, r.edges(g)); diff != "" {
		t.Error(diff)
	}
}

func TestImportsLeadToTheFilesThatAreUsed(t *testing.T) {
	r := &repo{t: t}
	r.file("a.go", "go", model.ClassSource, "package p\nimport m/q -> 1 2\nimport m/r -> 3 4\nref q.F")
	r.file("q/1.go", "go", model.ClassSource, "package q")
	r.file("q/2.go", "go", model.ClassSource, "package q\ndef F")
	r.file("r/1.go", "go", model.ClassSource, "package r")
	r.file("r/2.go", "go", model.ClassSource, "package r")
	g, _ := r.run()
	if diff := cmp.Diff([]uint32{2, 3}, g.ImportTo); diff != "" {
		t.Error(diff)
	}
}

func TestPartlyParsedFilesAreNamed(t *testing.T) {
	r := &repo{t: t}
	r.file("a.go", "go", model.ClassSource, "package p\nerror\nerror\ndef F\nerror\ndef G\ndef H\nerror\ndef I\ndef J\ndef K\nerror\ndef L\ndef M\ndef N\nerror")
	r.file("b.go", "go", model.ClassSource, "package p")
	_, f := r.run()
	if len(f.Findings) != 1 {
		t.Fatalf("findings %v", f.Findings)
	}
	got := f.Findings[0]
	if want := "partly parsed: lines 3-7, 9-10, 13-14 and 1 more"; got.Message != want || got.Line != 3 || got.Code != "parse_error" {
		t.Errorf("got %v, want %q", got, want)
	}
}

func TestBrokenTagsCostTheirFile(t *testing.T) {
	r := &repo{t: t}
	r.file("a.go", "go", model.ClassSource, "package p\ndef F")
	r.file("b.go", "go", model.ClassSource, "package p\nref F")
	r.tags.Files[0].Tags = []byte{0x52, 0x01, 0x05}
	g, f := r.run()
	if len(f.Findings) != 1 || f.Findings[0].Code != "bad_tags" || string(f.Findings[0].Path) != "a.go" {
		t.Errorf("findings %v", f.Findings)
	}
	if len(g.EdgeTo) != 0 || g.Unresolved != 1 {
		t.Errorf("edges %v", r.edges(g))
	}
}

// synthetic makes a repository of many files that refer to each other.
func synthetic(t testing.TB, files int) *repo {
	rng := rand.New(rand.NewPCG(1, 2))
	r := &repo{t: t}
	const folder = 20
	for i := range files {
		var b strings.Builder
		fmt.Fprintf(&b, "package p%d\n", i/folder)
		target := rng.IntN(files/folder) * folder
		fmt.Fprintf(&b, "import m/p%d ->", target/folder)
		for k := range folder {
			fmt.Fprintf(&b, " %d", target+k)
		}
		for k := range 40 {
			fmt.Fprintf(&b, "\ndef F%d_%d\nref F%d_%d\nref p%d.F%d_%d\nref ?.Close", i, k, i/folder*folder+rng.IntN(folder), k, target/folder, target+rng.IntN(folder), k)
		}
		r.file(fmt.Sprintf("p%d/f%d.go", i/folder, i), "go", model.ClassSource, b.String())
	}
	return r
}

func TestTheGraphDoesNotDependOnOrderOrWorkers(t *testing.T) {
	r := synthetic(t, 400)
	want, _ := r.run()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, workers := range []int{1, 4, 8} {
		runtime.GOMAXPROCS(workers)
		rand.Shuffle(len(r.tags.Files), func(i, j int) { r.tags.Files[i], r.tags.Files[j] = r.tags.Files[j], r.tags.Files[i] })
		got, _ := r.run()
		if !proto.Equal(want, got) {
			t.Errorf("another graph with %d workers", workers)
		}
	}
}

func BenchmarkExtract(b *testing.B) {
	r := synthetic(b, 5000)
	m, err := sdk.NewModel(map[string]proto.Message{model.SectionFiles: &r.files, model.SectionTags: &r.tags})
	if err != nil {
		b.Fatal(err)
	}
	c, err := sdk.NewConfig(New().Options, nil)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if err := run(context.Background(), c, m); err != nil {
			b.Fatal(err)
		}
	}
}
