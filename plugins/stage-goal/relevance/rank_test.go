package relevance

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/repox-dev/repox/sdk/model"
)

// doc makes a Go file of source whose definitions are its lines that begin with "func".
func doc(path, text string) Document {
	d := Document{Path: path, Language: "go", Class: model.ClassSource, Text: []byte(text)}
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		if name, ok := strings.CutPrefix(l, "func "); ok {
			d.Definitions = append(d.Definitions, Definition{Name: name, LineStart: i + 1, LineEnd: i + 1})
		} else if n := len(d.Definitions); n > 0 {
			d.Definitions[n-1].LineEnd = i + 1
		}
	}
	return d
}

func class(d Document, c model.Class) Document {
	d.Class = c
	return d
}

func paths(docs []Document, results []Result) []string {
	var out []string
	for _, r := range results {
		out = append(out, docs[r.Document].Path)
	}
	return out
}

func TestOrder(t *testing.T) {
	filler := doc("z.go", "func other\nnothing")
	for name, tt := range map[string]struct {
		goal string
		docs []Document
		want []string
	}{
		"a file name before a body": {"prune snapshots",
			[]Document{doc("a.go", "func x\nprune"), doc("prune.go", "func x\nprune"), filler}, []string{"prune.go", "a.go"}},
		"a defined name before a mention": {"prune",
			[]Document{doc("a.go", "func x\nprune"), doc("b.go", "func prune\nx"), filler}, []string{"b.go", "a.go"}},
		"a rare word before a common one": {"prune index",
			[]Document{doc("a.go", "func x\nindex"), doc("b.go", "func x\nprune"), doc("c.go", "func y\nindex"), filler}, []string{"b.go", "a.go", "c.go"}},
		"neighbours in a name before the words apart": {"lock pack",
			[]Document{doc("a.go", "func x\nlock is a pack"), doc("b.go", "func x\nlockPack is a"), filler}, []string{"b.go", "a.go"}},
		"code before its tests": {"prune",
			[]Document{class(doc("a_test.go", "func prune"), model.ClassTest), doc("b.go", "func prune"), filler}, []string{"b.go", "a_test.go"}},
		"tests where the goal is about them": {"the flaky test of prune",
			[]Document{class(doc("prune_test.go", "func testPrune\nprune"), model.ClassTest), doc("b.go", "func x\nprune"), filler}, []string{"prune_test.go", "b.go"}},
		"code before what is generated and vendored": {"prune",
			[]Document{class(doc("a.go", "func prune"), model.ClassVendored), class(doc("b.go", "func prune"), model.ClassGenerated), doc("c.go", "func prune"), filler}, []string{"c.go", "b.go", "a.go"}},
		"a path that is spelled out": {"prune is slow, see cmd/run.go",
			[]Document{doc("prune.go", "func prune\nprune"), doc("src/cmd/run.go", "func x"), filler}, []string{"src/cmd/run.go", "prune.go"}},
		"a quoted text": {"it says \"no pack here\"",
			[]Document{doc("a.go", "func x\nno here pack"), doc("b.go", "func x\nerrors.New(\"no pack here\")"), filler}, []string{"b.go", "a.go"}},
		"nothing at all": {"quark", []Document{doc("a.go", "func x")}, nil},
		"no words":       {"", []Document{doc("a.go", "func x")}, nil},
		"no files":       {"prune", nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			got := paths(tt.docs, Rank(ParseGoal(tt.goal), tt.docs, nil))
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("order differs (-want +got):\n%s", diff)
			}
		})
	}
}

func TestNeighboursGetAPart(t *testing.T) {
	docs := []Document{doc("a.go", "func prune"), doc("b.go", "func x"), doc("c.go", "func y")}
	results := Rank(ParseGoal("prune"), docs, []Edge{{From: 1, To: 0, Weight: 2}})
	if diff := cmp.Diff([]string{"a.go", "b.go"}, paths(docs, results)); diff != "" {
		t.Fatalf("order differs (-want +got):\n%s", diff)
	}
	if p := results[1].Parts; len(p) != 1 || p[0].Kind != KindGraph || p[0].Detail != "a.go" {
		t.Errorf("parts of the neighbour: %+v", p)
	}
}

// TestWhatEverythingUsesStaysBelow has a file that all tests use, each of which has a little to do with the goal.
func TestWhatEverythingUsesStaysBelow(t *testing.T) {
	docs := []Document{doc("hub.go", "func x"), doc("prune.go", "func prune\nprune packs")}
	edges := []Edge{{From: 1, To: 0, Weight: 1}}
	for i := range 200 {
		docs = append(docs, class(doc("t/"+strconv.Itoa(i)+"_test.go", "func test\nprune"), model.ClassTest))
		edges = append(edges, Edge{From: i + 2, To: 0, Weight: 1})
	}
	if got := paths(docs, Rank(ParseGoal("prune packs"), docs, edges)); got[0] != "prune.go" {
		t.Errorf("%s is first", got[0])
	}
}

func TestPartsSayWhere(t *testing.T) {
	docs := []Document{doc("x/prune.go", "func deletePacks\nprune packs\nfunc other"), doc("z.go", "func z")}
	docs[0].Definitions[0].Doc = "deletePacks removes packs."
	results := Rank(ParseGoal("Prune `deletePacks` in x/prune.go"), docs, nil)
	met := map[string]bool{}
	for _, p := range results[0].Parts {
		met[p.Kind] = true
		if p.Value <= 0 || len(p.Words) == 0 {
			t.Errorf("a part without value or words: %+v", p)
		}
		if p.Kind == KindNamedSymbol && (p.Detail != "deletePacks" || p.Line != 1) {
			t.Errorf("the symbol is elsewhere: %+v", p)
		}
	}
	for _, kind := range []string{KindFileName, KindSymbol, KindDoc, KindBody, KindNamedPath, KindNamedSymbol} {
		if !met[kind] {
			t.Errorf("no part of kind %s", kind)
		}
	}
	if s := results[0].Symbols; len(s) == 0 || docs[0].Definitions[s[0].Definition].Name != "deletePacks" {
		t.Errorf("symbols: %+v", s)
	}
}

// random makes a repository of words drawn by chance.
func random(seed uint64, n int) ([]Document, []Edge) {
	rng := rand.New(rand.NewPCG(seed, 1))
	vocabulary := strings.Fields("prune pack lock file index readDir snapshot tree load parseFile save node blob key")
	word := func() string { return vocabulary[rng.IntN(len(vocabulary))] }
	classes := []model.Class{model.ClassSource, model.ClassSource, model.ClassTest, model.ClassGenerated, model.ClassVendored}
	var docs []Document
	var edges []Edge
	for i := range n {
		var b strings.Builder
		for range 1 + rng.IntN(9) {
			b.WriteString("func " + word() + "\n" + word() + " " + word() + "\n")
		}
		docs = append(docs, class(doc(word()+"/"+word()+strconv.Itoa(i)+".go", b.String()), classes[rng.IntN(len(classes))]))
		for range rng.IntN(4) {
			edges = append(edges, Edge{From: i, To: rng.IntN(n), Weight: float64(1 + rng.IntN(3))})
		}
	}
	return docs, edges
}

const wideGoal = "readDir of lock/file fails: `prune` says \"prune pack\" in pack/lock3.go\n\nThe snapshot tree and parseFile."

func TestEveryScoreIsTheSumOfItsParts(t *testing.T) {
	for seed := range uint64(20) {
		docs, edges := random(seed, 40)
		for _, r := range Rank(ParseGoal(wideGoal), docs, edges) {
			checkSum(t, docs[r.Document].Path, r.Score, r.Parts)
			for _, s := range r.Symbols {
				checkSum(t, docs[r.Document].Definitions[s.Definition].Name, s.Score, s.Parts)
			}
		}
	}
}

func checkSum(t *testing.T, what string, score float64, parts []Part) {
	t.Helper()
	sum := 0.0
	for _, p := range parts {
		if p.Value <= 0 {
			t.Errorf("%s: the part %+v is worth nothing", what, p)
		}
		sum += p.Value
	}
	if math.Abs(sum-score) > 1e-9*score || math.IsNaN(score) {
		t.Errorf("%s: score %g, but its parts add up to %g", what, score, sum)
	}
}

func TestTheOrderOfEdgesDoesNotMatter(t *testing.T) {
	docs, edges := random(7, 60)
	want := Rank(ParseGoal(wideGoal), docs, edges)
	slices.Reverse(edges)
	if diff := cmp.Diff(want, Rank(ParseGoal(wideGoal), docs, edges)); diff != "" {
		t.Errorf("another answer (-want +got):\n%s", diff)
	}
}

func BenchmarkRank(b *testing.B) {
	docs, edges := random(9, 2000)
	g := ParseGoal(wideGoal)
	for b.Loop() {
		Rank(g, docs, edges)
	}
}
