package rank

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"

	"github.com/repox-dev/repox/sdk"
	"github.com/repox-dev/repox/sdk/model"
)

func TestTheDeclarationsAreSound(t *testing.T) {
	if err := sdk.Validate(New()); err != nil {
		t.Error(err)
	}
}

// world builds files and a graph.
type world struct {
	files model.Files
	graph model.Graph
	ids   map[string]uint32
	edges [][3]uint32
}

func newWorld() *world {
	return &world{graph: model.Graph{Strings: []string{""}}, ids: map[string]uint32{"": 0}}
}

func (w *world) str(s string) uint32 {
	id, ok := w.ids[s]
	if !ok {
		id = uint32(len(w.graph.Strings))
		w.ids[s] = id
		w.graph.Strings = append(w.graph.Strings, s)
	}
	return id
}

func (w *world) file(path string, class model.Class) uint32 {
	w.files.Files = append(w.files.Files, &model.File{Path: []byte(path), Language: "go", Class: class})
	return uint32(len(w.files.Files) - 1)
}

// def adds a definition to the last file and gives its number.
func (w *world) def(scope, name string, exported bool) uint32 {
	g := &w.graph
	flags := uint32(0)
	if exported {
		flags = flagExported
	}
	line := uint32(len(g.DefFile) + 1)
	g.DefFile = append(g.DefFile, uint32(len(w.files.Files)-1))
	g.DefName = append(g.DefName, w.str(name))
	g.DefKind = append(g.DefKind, w.str("function"))
	g.DefScope = append(g.DefScope, w.str(scope))
	g.DefSignature = append(g.DefSignature, w.str("func "+name))
	g.DefDoc = append(g.DefDoc, w.str("doc of "+name))
	g.DefFlags = append(g.DefFlags, flags)
	g.DefLineStart = append(g.DefLineStart, line)
	g.DefLineEnd = append(g.DefLineEnd, line)
	return line - 1
}

func (w *world) edge(from, to, count uint32) { w.edges = append(w.edges, [3]uint32{from, to, count}) }

func (w *world) run(t testing.TB, options string) (*model.Ranking, *model.Selection) {
	t.Helper()
	g := &w.graph
	slices.SortFunc(w.edges, func(a, b [3]uint32) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	g.EdgeFrom, g.EdgeTo, g.EdgeCount, g.EdgeHow = nil, nil, nil, make([]uint32, len(w.edges))
	for _, e := range w.edges {
		g.EdgeFrom, g.EdgeTo, g.EdgeCount = append(g.EdgeFrom, e[0]), append(g.EdgeTo, e[1]), append(g.EdgeCount, e[2])
	}
	m, err := sdk.NewModel(map[string]proto.Message{model.SectionFiles: &w.files, model.SectionGraph: g})
	if err != nil {
		t.Fatal(err)
	}
	c, err := sdk.NewConfig(New().Options, []byte(options))
	if err != nil {
		t.Fatal(err)
	}
	if err := run(context.Background(), c, m); err != nil {
		t.Fatal(err)
	}
	var r model.Ranking
	var s model.Selection
	if err := m.Result(model.SectionRanking, &r); err != nil {
		t.Fatal(err)
	}
	if err := m.Result(model.SectionSelection, &s); err != nil {
		t.Fatal(err)
	}
	return &r, &s
}

// names lists the selected definitions by rank.
func names(s *model.Selection) []string {
	var all []*model.SelectedDefinition
	for _, f := range s.Files {
		all = append(all, f.Definitions...)
	}
	slices.SortFunc(all, func(a, b *model.SelectedDefinition) int { return cmp.Compare(a.Rank, b.Rank) })
	out := make([]string, len(all))
	for i, d := range all {
		out[i] = d.Name
	}
	return out
}

func TestReferredBeforeUnreferredExportedBeforePrivate(t *testing.T) {
	w := newWorld()
	main := w.file("main.go", model.ClassSource)
	w.def("", "main", false)
	w.file("core.go", model.ClassSource)
	w.def("", "unused", false)
	w.def("", "Unused", true)
	once := w.def("", "once", false)
	often := w.def("", "often", false)
	w.edge(main, once, 1)
	w.edge(main, often, 9)
	_, s := w.run(t, `{}`)
	if diff := gocmp.Diff([]string{"often", "once", "Unused", "main", "unused"}, names(s)); diff != "" {
		t.Errorf("order differs (-want +got):\n%s", diff)
	}
}

func TestAFileThatOnlyRefersVotes(t *testing.T) {
	w := newWorld()
	w.file("a.go", model.ClassSource)
	w.def("", "A", true)
	w.file("b.go", model.ClassSource)
	b := w.def("", "B", true)
	main := w.file("main.py", model.ClassSource)
	w.edge(main, b, 1)
	if _, s := w.run(t, `{}`); names(s)[0] != "B" {
		t.Errorf("order %v", names(s))
	}
}

func TestTestsVoteALittleAndStandLow(t *testing.T) {
	w := newWorld()
	source := w.file("a.go", model.ClassSource)
	w.file("b.go", model.ClassSource)
	bySource := w.def("", "BySource", true)
	w.file("c.go", model.ClassSource)
	byTest := w.def("", "ByTest", true)
	test := w.file("d_test.go", model.ClassTest)
	helper := w.def("", "Helper", true)
	w.edge(source, bySource, 1)
	w.edge(source, helper, 1)
	w.edge(test, byTest, 1)
	_, s := w.run(t, `{}`)
	if diff := gocmp.Diff([]string{"BySource", "ByTest", "Helper"}, names(s)); diff != "" {
		t.Errorf("order differs (-want +got):\n%s", diff)
	}
}

func TestHiddenClassesAreCountedOnly(t *testing.T) {
	w := newWorld()
	w.file("a.go", model.ClassSource)
	w.def("", "A", true)
	w.file("gen.go", model.ClassGenerated)
	w.def("", "G", true)
	w.file("vendor/v.go", model.ClassVendored)
	w.def("", "V", true)
	_, s := w.run(t, `{}`)
	if diff := gocmp.Diff([]string{"A"}, names(s)); diff != "" {
		t.Error(diff)
	}
	if s.Hidden["generated"] != 1 || s.Hidden["vendored"] != 1 || s.TotalFiles != 1 || s.TotalDefinitions != 1 {
		t.Errorf("hidden %v, totals %d and %d", s.Hidden, s.TotalFiles, s.TotalDefinitions)
	}
	if _, s = w.run(t, `{"all_classes":true}`); len(names(s)) != 3 || len(s.Hidden) != 0 {
		t.Errorf("with all classes: %v, hidden %v", names(s), s.Hidden)
	}
}

// order.ts uses names that everybody uses, and one that only it uses; the latter tells what it is about.
func TestCommonNamesMakeNoHub(t *testing.T) {
	w := newWorld()
	w.file("util/common.ts", model.ClassSource)
	common := []uint32{w.def("", "get", true), w.def("", "id", true), w.def("", "t", true)}
	w.file("pricing.ts", model.ClassSource)
	pricing := w.def("", "ComputeDiscount", true)
	order := w.file("order.ts", model.ClassSource)
	w.def("", "PlaceOrder", true)
	w.edge(order, pricing, 1)
	w.graph.ImportFrom, w.graph.ImportTo = []uint32{order}, []uint32{order - 1}
	for i := range 400 {
		w.file(fmt.Sprintf("x/f%d.ts", i), model.ClassSource)
	}
	for f := order; f < uint32(len(w.files.Files)); f++ {
		for _, c := range common {
			w.edge(f, c, 3)
		}
	}
	r, s := w.run(t, `{"focus":"order"}`)
	if r.File[1] <= r.File[0] {
		t.Errorf("pricing %g, common %g", r.File[1], r.File[0])
	}
	if got := names(s)[:2]; got[0] != "PlaceOrder" || got[1] != "ComputeDiscount" {
		t.Errorf("order %v", got)
	}
}

// What others build on says more than how the parts of a package use each other.
func TestReferencesInsideAPackageCountLess(t *testing.T) {
	w := newWorld()
	w.file("p/inner.go", model.ClassSource)
	inner := w.def("", "inner", false)
	w.file("p/outer.go", model.ClassSource)
	outer := w.def("", "Outer", true)
	for i := range 4 {
		f := w.file(fmt.Sprintf("p/f%d.go", i), model.ClassSource)
		w.edge(f, inner, 1)
	}
	for i := range 4 {
		f := w.file(fmt.Sprintf("q%d/f.go", i), model.ClassSource)
		w.edge(f, outer, 1)
	}
	r, _ := w.run(t, `{}`)
	if r.File[1] <= r.File[0] {
		t.Errorf("outer %g, inner %g", r.File[1], r.File[0])
	}
}

func TestVariantsShareAReference(t *testing.T) {
	w := newWorld()
	main := w.file("main.go", model.ClassSource)
	for i := range 4 {
		w.file(fmt.Sprintf("v%d.go", i), model.ClassSource)
		w.edge(main, w.def("", "variant", true), 1)
	}
	w.file("one.go", model.ClassSource)
	w.edge(main, w.def("", "single", true), 1)
	r, _ := w.run(t, `{}`)
	if got := r.Definition[4] / r.Definition[0]; math.Abs(got-4) > 0.1 {
		t.Errorf("single is worth %g variants, want 4", got)
	}
}

func TestATypeComesBeforeItsBestMember(t *testing.T) {
	w := newWorld()
	main := w.file("main.go", model.ClassSource)
	w.file("a.go", model.ClassSource)
	method := w.def("Server", "Serve", true)
	w.def("", "Server", true)
	w.def("Server.Serve", "inner", false)
	other := w.def("", "Other", true)
	w.edge(main, method, 9)
	w.edge(main, other, 4)
	_, s := w.run(t, `{}`)
	if diff := gocmp.Diff([]string{"Server", "Serve", "Other", "inner"}, names(s)); diff != "" {
		t.Errorf("order differs (-want +got):\n%s", diff)
	}
	var depths []uint32
	for _, d := range s.Files[0].Definitions {
		depths = append(depths, d.Depth)
	}
	if diff := gocmp.Diff([]uint32{1, 0, 2, 0}, depths); diff != "" {
		t.Errorf("depths differ (-want +got):\n%s", diff)
	}
}

func TestTheLimitCutsTheEnd(t *testing.T) {
	w := newWorld()
	main := w.file("main.go", model.ClassSource)
	w.file("a.go", model.ClassSource)
	for i := range 10 {
		w.edge(main, w.def("", fmt.Sprintf("F%d", i), true), uint32(10-i))
	}
	_, s := w.run(t, `{"max_definitions":3}`)
	if diff := gocmp.Diff([]string{"F0", "F1", "F2"}, names(s)); diff != "" {
		t.Error(diff)
	}
	if s.TotalDefinitions != 10 || s.Files[0].TotalDefinitions != 10 {
		t.Errorf("totals %d and %d", s.TotalDefinitions, s.Files[0].TotalDefinitions)
	}
}

func TestFocus(t *testing.T) {
	w := newWorld()
	main := w.file("cmd/main.go", model.ClassSource)
	w.file("hub.go", model.ClassSource)
	hub := w.def("", "Hub", true)
	w.edge(main, hub, 9)
	w.file("net/http_client.go", model.ClassSource)
	w.def("", "retryPolicy", false)
	w.def("", "DoRequest", true)
	w.file("store/disk.go", model.ClassSource)
	w.def("", "Flush", true)
	for text, want := range map[string]string{
		"": "Hub",
		"why are retries of a policy not logged?": "retryPolicy",
		"`DoRequest` hangs":                       "DoRequest",
		"look at store/disk.go please":            "Flush",
		"disk.go":                                 "Flush",
		"what does the of":                        "Hub",
	} {
		if _, s := w.run(t, fmt.Sprintf(`{"focus":%q}`, text)); names(s)[0] != want {
			t.Errorf("focus %q: order %v, want %s first", text, names(s), want)
		}
	}
}

func TestColumnsAddUpToOne(t *testing.T) {
	r, s := synthetic(300).run(t, `{}`)
	for name, c := range map[string][]float64{"files": r.File, "definitions": r.Definition} {
		sum := 0.0
		for _, v := range c {
			sum += v
		}
		if math.Abs(sum-1) > 1e-9 {
			t.Errorf("%s add up to %g", name, sum)
		}
	}
	seen := map[uint32]bool{}
	for _, f := range s.Files {
		for _, d := range f.Definitions {
			seen[d.Rank] = true
		}
	}
	if len(seen) != int(s.TotalDefinitions) || !seen[0] || !seen[uint32(len(seen)-1)] {
		t.Errorf("%d ranks for %d definitions", len(seen), s.TotalDefinitions)
	}
}

func TestNothingGivesNothing(t *testing.T) {
	w := newWorld()
	r, s := w.run(t, `{"focus":"anything"}`)
	if len(r.File) != 0 || len(s.Files) != 0 {
		t.Errorf("got %v, %v", r, s)
	}
	w.file("README.md", model.ClassDocumentation)
	if _, s = w.run(t, `{}`); len(s.Files) != 0 || s.TotalFiles != 0 {
		t.Errorf("got %v", s)
	}
}

func TestABrokenGraphIsRefused(t *testing.T) {
	for name, g := range map[string]*model.Graph{
		"short column":   {Strings: []string{""}, DefFile: []uint32{0}},
		"unknown file":   {Strings: []string{""}, DefFile: []uint32{7}, DefName: []uint32{0}, DefKind: []uint32{0}, DefScope: []uint32{0}, DefSignature: []uint32{0}, DefDoc: []uint32{0}, DefFlags: []uint32{0}, DefLineStart: []uint32{0}, DefLineEnd: []uint32{0}},
		"edge to naught": {EdgeFrom: []uint32{0}, EdgeTo: []uint32{0}, EdgeCount: []uint32{1}, EdgeHow: []uint32{0}},
	} {
		if err := check(&model.Files{Files: []*model.File{{}}}, g); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestSplitName(t *testing.T) {
	for name, want := range map[string][]string{
		"parseHTTPRequest": {"parse", "http", "request"}, "snake_case_2x": {"snake", "case", "x"}, "ABC": {"abc"}, "ÜberGröße": {"über", "größe"}, "": nil,
	} {
		if diff := gocmp.Diff(want, splitName(name)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", name, diff)
		}
	}
}

func synthetic(files int) *world {
	rng := rand.New(rand.NewPCG(3, 4))
	w := newWorld()
	for i := range files {
		class := model.ClassSource
		if i%7 == 0 {
			class = model.ClassTest
		}
		w.file(fmt.Sprintf("p%d/f%d.go", i/20, i), class)
		for k := range 40 {
			w.def("", fmt.Sprintf("F%d_%d", i, k), k%2 == 0)
		}
	}
	for i := range files {
		used := map[uint32]bool{}
		for range 60 {
			// Low numbers are used by many, as in real repositories.
			d := uint32(float64(files*40) * math.Pow(rng.Float64(), 3))
			if !used[d] {
				used[d] = true
				w.edge(uint32(i), d, uint32(1+rng.IntN(5)))
			}
		}
	}
	return w
}

func TestTheAnswerDoesNotDependOnWorkers(t *testing.T) {
	w := synthetic(300)
	wantR, wantS := w.run(t, `{"focus":"F17 parse"}`)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, workers := range []int{1, 4} {
		runtime.GOMAXPROCS(workers)
		r, s := w.run(t, `{"focus":"F17 parse"}`)
		if !proto.Equal(wantR, r) || !proto.Equal(wantS, s) {
			t.Errorf("another answer with %d workers", workers)
		}
	}
}

func BenchmarkRank(b *testing.B) {
	w := synthetic(5000)
	w.run(b, `{}`)
	m, err := sdk.NewModel(map[string]proto.Message{model.SectionFiles: &w.files, model.SectionGraph: &w.graph})
	if err != nil {
		b.Fatal(err)
	}
	for _, options := range []string{`{}`, `{"focus":"the parser of F17_3 in p3/f70.go"}`} {
		c, err := sdk.NewConfig(New().Options, []byte(options))
		if err != nil {
			b.Fatal(err)
		}
		b.Run(options, func(b *testing.B) {
			for b.Loop() {
				if err := run(context.Background(), c, m); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
