package extract

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"

	"github.com/repox-dev/repox/sdk"
	"github.com/repox-dev/repox/sdk/model"
	"github.com/repox-dev/repox/sdk/tag"
)

func TestTheDeclarationsAreSound(t *testing.T) {
	if err := sdk.Validate(New()); err != nil {
		t.Error(err)
	}
}

// repo builds the sections of a small repository.
type repo struct {
	t     testing.TB
	files model.Files
	tags  model.TagSet
}

// file adds a file in a few words. Each line of text is one fact:
//
//	package NAME | def [Scope.]Name | private Name | method Scope.Name | inner Scope.Name (rows of the definition before)
//	ref [qualifier.]name | import module [as local] [names…] -> file, file
func (r *repo) file(path, language string, class model.Class, facts string) {
	f := &tag.File{}
	index := uint32(len(r.files.Files))
	ft := &model.FileTags{File: index}
	at := uint32(0)
	for line := range strings.Lines(facts) {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		at += 10
		span := tag.Span{Start: at, End: at + 5, StartRow: at / 10, EndRow: at / 10}
		switch word {
		case "":
		case "package":
			f.Package = rest
		case "def", "private", "method", "default":
			d := tag.Definition{Name: rest, Kind: tag.Function, Exported: word != "private", Span: span, NameStart: at, Signature: "func " + rest}
			if i := strings.LastIndexByte(rest, '.'); i >= 0 {
				d.Scope, d.Name = rest[:i], rest[i+1:]
			}
			if word == "method" {
				d.Kind = tag.Method
			}
			if word == "default" {
				d.Signature = "export default function " + rest
			}
			f.Definitions = append(f.Definitions, d)
		case "open": // around all that follows
			f.Definitions = append(f.Definitions, tag.Definition{Name: rest, Kind: tag.Function, NameStart: at, Span: tag.Span{Start: at, End: 1 << 20, StartRow: at / 10, EndRow: 9999}})
		case "ref":
			ref := tag.Reference{Name: rest, Role: tag.Call, Start: at, Row: at / 10}
			if i := strings.LastIndexAny(rest, ".:"); i >= 0 {
				ref.Qualifier, ref.Name = strings.TrimRight(rest[:i], ":"), rest[i+1:]
			}
			f.References = append(f.References, ref)
		case "error":
			f.Errors = append(f.Errors, tag.Span{Start: at, End: at + 1, StartRow: at / 10, EndRow: at/10 + 1})
		case "import":
			r.addImport(f, ft, rest)
		default:
			r.t.Fatalf("fact %q", line)
		}
	}
	var e tag.Encoder
	var err error
	if ft.Tags, ft.Imports, err = e.Encode(f); err != nil {
		r.t.Fatal(err)
	}
	r.files.Files = append(r.files.Files, &model.File{Path: []byte(path), Language: language, Class: class})
	r.tags.Files = append(r.tags.Files, ft)
}

func (r *repo) addImport(f *tag.File, ft *model.FileTags, text string) {
	text, to, _ := strings.Cut(text, "->")
	module, names, _ := strings.Cut(strings.TrimSpace(text), " ")
	imp := tag.Import{Module: module}
	for n := range strings.SplitSeq(names, ",") {
		if n = strings.TrimSpace(n); n != "" {
			imp.Names = append(imp.Names, n)
		}
	}
	f.Imports = append(f.Imports, imp)
	set := &model.FileSet{}
	for n := range strings.FieldsSeq(to) {
		var index uint32
		if _, err := fmt.Sscan(n, &index); err != nil {
			r.t.Fatal(err)
		}
		set.Files = append(set.Files, index)
	}
	if len(set.Files) == 0 {
		ft.Targets = append(ft.Targets, 0)
		return
	}
	r.tags.Sets = append(r.tags.Sets, set)
	ft.Targets = append(ft.Targets, uint32(len(r.tags.Sets)))
}

func (r *repo) run() (*model.Graph, *model.Findings) {
	r.t.Helper()
	m, err := sdk.NewModel(map[string]proto.Message{model.SectionFiles: &r.files, model.SectionTags: &r.tags})
	if err != nil {
		r.t.Fatal(err)
	}
	c, err := sdk.NewConfig(New().Options, nil)
	if err != nil {
		r.t.Fatal(err)
	}
	if err := run(context.Background(), c, m); err != nil {
		r.t.Fatal(err)
	}
	var g model.Graph
	var f model.Findings
	if err := m.Result(model.SectionGraph, &g); err != nil {
		r.t.Fatal(err)
	}
	if err := m.Result(model.SectionFindings, &f); err != nil {
		r.t.Fatal(err)
	}
	return &g, &f
}

// edges writes the edges of a graph as "from -> to file: scope.name".
func (r *repo) edges(g *model.Graph) []string {
	var out []string
	for i, to := range g.EdgeTo {
		name := g.Strings[g.DefName[to]]
		if s := g.Strings[g.DefScope[to]]; s != "" {
			name = s + "." + name
		}
		how := ""
		if g.EdgeHow[i] != 0 {
			how = " guessed"
		}
		out = append(out, fmt.Sprintf("%s -> %s %s%s", r.files.Files[g.EdgeFrom[i]].Path, r.files.Files[g.DefFile[to]].Path, name, how))
	}
	return out
}

type source3 struct {
	path, facts string
}

func TestReferencesMeanWhatTheyCanReach(t *testing.T) {
	for name, c := range map[string]struct {
		language   string
		files      []source3
		want       []string
		unresolved uint64
	}{
		"a bare name means its own file first": {"go", []source3{
			{"p/a.go", "package p\ndef F\nref F"}, {"p/b.go", "package p\ndef F"}}, []string{"p/a.go -> p/a.go F"}, 0},
		"else its package, each variant once": {"go", []source3{
			{"p/a.go", "package p\nref F\nref F"}, {"p/b_linux.go", "package p\nprivate F"}, {"p/b_windows.go", "package p\nprivate F"}},
			[]string{"p/a.go -> p/b_linux.go F", "p/a.go -> p/b_windows.go F"}, 0},
		"but no other folder, no other package, no test": {"go", []source3{
			{"p/a.go", "package p\nref F\nref G\nref H"}, {"q/b.go", "package p\ndef F"}, {"p/c.go", "package main\ndef G"}, {"p/c_test.go", "package p\ndef H"}},
			nil, 3},
		"a test sees its package": {"go", []source3{
			{"p/a_test.go", "package p\nref F"}, {"p/b.go", "package p\nprivate F"}}, []string{"p/a_test.go -> p/b.go F"}, 0},
		"a package goes by its own name": {"go", []source3{
			{"p/a.go", "package p\nimport m/go-q/v2 -> 1 2\nref q.F\nref q.private"}, {"q/b.go", "package q\ndef F\nprivate private"}, {"q/c.go", "package q\n"}},
			[]string{"p/a.go -> q/b.go F"}, 1},
		"or by the name it is imported under": {"go", []source3{
			{"p/a.go", "package p\nimport m/q * as r -> 1\nref r.F\nref q.F"}, {"q/b.go", "package q\ndef F"}},
			[]string{"p/a.go -> q/b.go F"}, 1},
		"what comes from outside is neither tied nor missed": {"go", []source3{
			{"p/a.go", "package p\nimport net/http\nimport x/y/v3\nref http.Get\nref y.Get\ndef Get\nmethod http.Get"}}, nil, 0},
		"a member of something unknown means nothing": {"go", []source3{
			{"p/a.go", "package p\nref ?.Close\nref x.Close\ndef Close\nmethod T.Close"}}, nil, 2},
		"a member of a type of the package": {"go", []source3{
			{"p/a.go", "package p\nref T.Close"}, {"p/b.go", "package p\nmethod T.Close\nmethod U.Close"}}, []string{"p/a.go -> p/b.go T.Close"}, 0},
		"methods are no match for bare names": {"typescript", []source3{
			{"worker.ts", "method default.fetch\nref fetch"}}, nil, 1},
		"a module's namespace reaches only that module": {"typescript", []source3{
			{"a.ts", "import zod z\nref z.record"}, {"b.ts", "def record"}}, nil, 0},
		"named, renamed and module imports": {"python", []source3{
			{"x.py", "import a f -> 1\nref f"}, {"a.py", "def f"}, {"y.py", "import a f as g -> 1\nref g"},
			{"z.py", "import a * as b -> 1\nref b.f"}, {"w.py", "import a -> 1\nref a.f"}, {"v.py", "import a * -> 1\nref f"}},
			[]string{"x.py -> a.py f", "y.py -> a.py f", "z.py -> a.py f", "w.py -> a.py f", "v.py -> a.py f"}, 0},
		"an imported name that is a module": {"python", []source3{
			{"x.py", "import pkg mod -> 1 2\nref mod.f"}, {"pkg/__init__.py", "def other"}, {"pkg/mod.py", "def f"}}, []string{"x.py -> pkg/mod.py f"}, 0},
		"a dotted module is written in full": {"python", []source3{
			{"x.py", "import pkg.mod -> 1\nref pkg.mod.f\nref mod.f"}, {"pkg/mod.py", "def f"}}, []string{"x.py -> pkg/mod.py f"}, 1},
		"a name that nobody imports means nothing": {"python", []source3{
			{"app.py", "ref foo"}, {"mod.py", "def foo"}}, nil, 1},
		"a member of an imported type": {"typescript", []source3{
			{"x.ts", "import ./a Foo -> 1\nref Foo.bar"}, {"a.ts", "def Foo\nmethod Foo.bar"}}, []string{"x.ts -> a.ts Foo.bar"}, 0},
		"what an index passes on": {"typescript", []source3{
			{"x.ts", "import ./lib f, G, H as I -> 1\nref f\nref G.m\nref I"}, {"lib/index.ts", "import ./a * -> 2\nimport ./b K as H -> 3"},
			{"lib/a.ts", "def f\ndef G\nmethod G.m"}, {"lib/b.ts", "def K"}},
			[]string{"x.ts -> lib/a.ts f", "x.ts -> lib/a.ts G.m", "x.ts -> lib/b.ts K"}, 0},
		"a circle of re-exports ends": {"typescript", []source3{
			{"x.ts", "import ./a f -> 1\nref f"}, {"a.ts", "import ./b * -> 2\nimport ./b f -> 2"}, {"b.ts", "import ./a * -> 1\nimport ./a f -> 1"}}, nil, 1},
		"a default export by its declaration": {"typescript", []source3{
			{"x.ts", "import ./a default as D -> 1\nref D"}, {"a.ts", "default make\ndef other"}}, []string{"x.ts -> a.ts make"}, 0},
		"or, as a guess, the only export": {"typescript", []source3{
			{"x.ts", "import ./a default as D -> 1\nref D"}, {"a.ts", "def make\nprivate other"}}, []string{"x.ts -> a.ts make guessed"}, 0},
		"modules of one name are told apart": {"rust", []source3{
			{"main.rs", "import crate b -> 2\nref b::run"}, {"a.rs", "def run"}, {"b.rs", "def run"}}, []string{"main.rs -> b.rs run"}, 0},
		"private items stay private": {"rust", []source3{
			{"x.rs", "import crate::a f -> 1\nref f"}, {"a.rs", "private f"}, {"a/sub.rs", "import super f -> 1\nref f"}}, []string{"a/sub.rs -> a.rs f"}, 1},
		"a path through an import": {"rust", []source3{
			{"x.rs", "import crate a -> 1\nref a::T::new"}, {"a.rs", "def T\nmethod T.new"}}, []string{"x.rs -> a.rs T.new"}, 0},
		"a function inside another": {"python", []source3{
			{"x.py", "ref inner\nopen outer\ndef outer.inner\nref inner"}}, []string{"x.py -> x.py outer.inner"}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			r := &repo{t: t}
			for _, f := range c.files {
				class := model.ClassSource
				if strings.HasSuffix(f.path, "_test.go") {
					class = model.ClassTest
				}
				r.file(f.path, c.language, class, f.facts)
			}
			g, _ := r.run()
			got := r.edges(g)
			slices.Sort(got)
			slices.Sort(c.want)
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("edges differ (-want +got):\n%s", diff)
			}
			if g.Unresolved != c.unresolved {
				t.Errorf("%d unresolved, want %d", g.Unresolved, c.unresolved)
			}
		})
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
