package goal

import (
	"context"
	"errors"
	"math"
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

// world builds a repository. Lines of its files that begin with "func" are definitions of one line.
type world struct {
	files   model.Files
	content model.Content
	graph   model.Graph
}

func newWorld() *world { return &world{graph: model.Graph{Strings: []string{""}, Resolved: 5}} }

func (w *world) str(s string) uint32 {
	w.graph.Strings = append(w.graph.Strings, s)
	return uint32(len(w.graph.Strings) - 1)
}

func (w *world) file(path string, class model.Class, text string) uint32 {
	n := uint32(len(w.files.Files))
	w.files.Files = append(w.files.Files, &model.File{Path: []byte(path), Language: "go", Class: class})
	w.content.Files = append(w.content.Files, &model.FileContent{File: n, Text: []byte(text)})
	g := &w.graph
	for i, line := range strings.Split(text, "\n") {
		if name, ok := strings.CutPrefix(line, "func "); ok {
			g.DefFile = append(g.DefFile, n)
			g.DefName = append(g.DefName, w.str(name))
			g.DefKind = append(g.DefKind, w.str("function"))
			g.DefScope = append(g.DefScope, 0)
			g.DefSignature = append(g.DefSignature, w.str(line))
			g.DefDoc = append(g.DefDoc, 0)
			g.DefLineStart = append(g.DefLineStart, uint32(i+1))
			g.DefLineEnd = append(g.DefLineEnd, uint32(i+1))
		}
	}
	return n
}

func (w *world) refer(from uint32, def, count uint32) {
	g := &w.graph
	g.EdgeFrom, g.EdgeTo = append(g.EdgeFrom, from), append(g.EdgeTo, def)
	g.EdgeCount, g.EdgeHow = append(g.EdgeCount, count), append(g.EdgeHow, 0)
}

func (w *world) try(t testing.TB, options string) (*model.Brief, error) {
	t.Helper()
	m, err := sdk.NewModel(map[string]proto.Message{
		model.SectionFiles: &w.files, model.SectionContent: &w.content, model.SectionGraph: &w.graph,
	})
	if err != nil {
		t.Fatal(err)
	}
	c, err := sdk.NewConfig(New().Options, []byte(options))
	if err != nil {
		t.Fatal(err)
	}
	if err := run(context.Background(), c, m); err != nil {
		return nil, err
	}
	var b model.Brief
	return &b, m.Result(model.SectionBrief, &b)
}

func (w *world) run(t testing.TB, options string) *model.Brief {
	t.Helper()
	b, err := w.try(t, options)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func small() *world {
	w := newWorld()
	w.file("lock.go", model.ClassSource, "func takeLock\nfunc freeLock\n")
	prune := w.file("prune.go", model.ClassSource, "func prunePacks\nprune all packs\n\nfunc other")
	test := w.file("prune_test.go", model.ClassTest, "func testPrune\nprunePacks")
	main := w.file("main.go", model.ClassSource, "func main")
	w.graph.ImportFrom, w.graph.ImportTo = []uint32{main, main}, []uint32{prune, prune}
	w.refer(test, 2, 4)
	w.refer(main, 2, 1)
	return w
}

func TestABriefSaysWhatAndWhy(t *testing.T) {
	b := small().run(t, `{"goal":"prune packs"}`)
	if len(b.Files) == 0 || string(b.Files[0].Path) != "prune.go" {
		t.Fatalf("files: %v", b.Files)
	}
	f := b.Files[0]
	got := []any{f.Confidence, f.Lines, f.Definitions, f.Importers, f.Dependents, f.References, f.TestsTotal, string(f.Tests[0]), strings.Join(f.Main, " ")}
	want := []any{"high", uint32(4), uint32(2), uint32(1), uint32(2), uint32(5), uint32(1), "prune_test.go", "prunePacks"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the file differs (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"prun", "pack", "prun pack"}, b.Terms); diff != "" {
		t.Errorf("terms differ (-want +got):\n%s", diff)
	}
	s := b.Symbols[0]
	if s.Name != "prunePacks" || s.Kind != "function" || s.LineStart != 1 || s.References != 5 || string(s.Path) != "prune.go" {
		t.Errorf("first symbol: %v", s)
	}
	for _, f := range b.Files {
		sumsUp(t, string(f.Path), f.Score, f.Signals)
	}
	for _, s := range b.Symbols {
		sumsUp(t, s.Name, s.Score, s.Signals)
	}
	if b.FilesIndexed != 4 || b.DefinitionsIndexed != 6 || b.Resolved != 5 {
		t.Errorf("counts: %d files, %d definitions, %d resolved", b.FilesIndexed, b.DefinitionsIndexed, b.Resolved)
	}
}

func sumsUp(t *testing.T, what string, score float64, signals []*model.Signal) {
	t.Helper()
	sum := 0.0
	for i, s := range signals {
		sum += s.Value
		if i > 0 && s.Value > signals[i-1].Value {
			t.Errorf("%s: the signals are not greatest first: %v", what, signals)
		}
	}
	if math.Abs(sum-score) > 1e-9*score || len(signals) == 0 {
		t.Errorf("%s: score %g, but its signals add up to %g", what, score, sum)
	}
}

// TestNothingIsLostUnsaid counts what is kept and what is omitted.
func TestNothingIsLostUnsaid(t *testing.T) {
	w := newWorld()
	for i := range 40 {
		w.file("p/prune"+string(rune('a'+i))+".go", model.ClassSource, strings.Repeat("func prune\nfunc pruneAll\n", 5))
	}
	w.file("far.go", model.ClassSource, strings.Repeat("func unrelated\nother words here\n", 200)+"prune")
	b := w.run(t, `{"goal":"prune","max_files":7,"max_symbols":20}`)
	omitted := map[string]int{}
	for _, o := range b.Omitted {
		omitted[o.What] += int(o.Count)
	}
	if len(b.Files) != 7 || len(b.Files)+omitted["files"] != 41 {
		t.Errorf("%d files kept, %d omitted, of 41", len(b.Files), omitted["files"])
	}
	if len(b.Symbols) != 20 || len(b.Symbols)+omitted["symbols"] != 70 {
		t.Errorf("%d symbols kept, %d omitted, of 70", len(b.Symbols), omitted["symbols"])
	}
	of := map[string]int{}
	for _, s := range b.Symbols {
		of[string(s.Path)]++
	}
	for path, n := range of {
		if n > symbolsOfFile {
			t.Errorf("%d symbols of %s", n, path)
		}
	}
}

func TestNoMatchIsAnEmptyBrief(t *testing.T) {
	b := small().run(t, `{"goal":"quark"}`)
	if len(b.Files) != 0 || len(b.Symbols) != 0 || b.FilesIndexed != 4 {
		t.Errorf("got %v", b)
	}
	if b := newWorld().run(t, `{"goal":"prune"}`); len(b.Files) != 0 {
		t.Errorf("files of an empty repository: %v", b.Files)
	}
}

func TestAnEmptyGoalIsRefused(t *testing.T) {
	for options, bad := range map[string]bool{`{"goal":" \n"}`: true, `{"goal":"x"}`: false} {
		c, err := sdk.NewConfig(New().Options, []byte(options))
		if err != nil {
			t.Fatal(err)
		}
		var ce *sdk.ConfigError
		if got := errors.As(check(c), &ce); got != bad {
			t.Errorf("check(%s) = %v", options, ce)
		}
	}
	if _, err := sdk.NewConfig(New().Options, []byte(`{}`)); err == nil {
		t.Error("a missing goal is accepted")
	}
}

func TestABrokenModelIsRefused(t *testing.T) {
	for name, damage := range map[string]func(w *world){
		"a definition of no file":     func(w *world) { w.graph.DefFile[5] = 99 },
		"a name that is not there":    func(w *world) { w.graph.DefName[0] = 9999 },
		"a short column":              func(w *world) { w.graph.DefLineEnd = w.graph.DefLineEnd[1:] },
		"definitions out of order":    func(w *world) { w.graph.DefFile[0] = 3 },
		"an edge to nothing":          func(w *world) { w.graph.EdgeTo[0] = 99 },
		"an import of nothing":        func(w *world) { w.graph.ImportTo[0] = 99 },
		"the text of a file unlisted": func(w *world) { w.content.Files[0].File = 99 },
	} {
		w := small()
		damage(w)
		if _, err := w.try(t, `{"goal":"prune"}`); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}
