package relevance

import (
	"cmp"
	"slices"

	"github.com/repox-dev/repox/sdk/model"
)

// Kinds of parts, as the model's Signal names them.
const (
	KindPath        = "path"
	KindFileName    = "file_name"
	KindSymbol      = "symbol"
	KindDoc         = "doc"
	KindBody        = "body"
	KindLiteral     = "literal"
	KindNamedPath   = "named_path"
	KindNamedSymbol = "named_symbol"
	KindGraph       = "graph"
)

// Part is one part of a score.
type Part struct {
	Kind  string
	Value float64
	// Words are the words of the goal that were met, as the goal is indexed.
	Words []string
	// Detail is where: a definition's name or a neighbour's path; empty for the file as a whole.
	Detail string
	// Line is one-based, 0 for none.
	Line int
}

// Result is what one document is worth.
type Result struct {
	// Document is its index.
	Document int
	// Score is the sum of the parts.
	Score float64
	// Parts are greatest first.
	Parts []Part
	// Symbols are its definitions that have to do with the goal, best first.
	Symbols []SymbolResult
}

// SymbolResult is what one definition is worth; its score is not part of its file's but for the best one's share.
type SymbolResult struct {
	// Definition is its index in the document.
	Definition int
	Score      float64
	Parts      []Part
}

// Edge says that one document refers to another's definitions, or imports it.
type Edge struct {
	From, To int
	Weight   float64
}

// Rank gives every document that has anything to do with the goal, best first; ties go to the earlier document.
// Edges may name a pair of documents more than once.
func Rank(g *Goal, docs []Document, edges []Edge) []Result {
	return newRanker(g, docs).rank(edges, &tuned)
}

func newRanker(g *Goal, docs []Document) *ranker {
	r := &ranker{goal: g, docs: docs}
	r.index()
	return r
}

func (r *ranker) rank(edges []Edge, w *weights) []Result {
	r.weights = w
	r.rareness()
	r.results = make([]Result, len(r.docs))
	for i := range r.docs {
		r.results[i].Document = i
		r.scoreFields(i)
		r.scorePassages(i)
	}
	r.best = r.bestScore()
	r.addNamedPaths()
	r.addNamedSymbols()
	r.addLiterals()
	r.lower()
	r.spread(edges)
	return r.sorted()
}

type ranker struct {
	goal    *Goal
	docs    []Document
	indexer *indexer
	indexed []*indexed
	// average is the mean length of the documents that packs read; averageLines that of definitions, in lines.
	average, averageLines float64
	// worth is by term: its weight times how rare it is.
	worth   []float64
	weights *weights
	results []Result
	// best is the best score of words alone.
	best float64
}

func (r *ranker) index() {
	r.indexer = newIndexer(r.goal)
	total, read, lines, defs := 0.0, 0.0, 0.0, 0.0
	for i := range r.docs {
		d := r.indexer.document(&r.docs[i])
		r.indexed = append(r.indexed, d)
		if r.docs[i].Language != "" {
			total += d.length
			read++
		}
		for _, def := range r.docs[i].Definitions {
			lines += float64(def.LineEnd - def.LineStart + 1)
			defs++
		}
	}
	r.average = max(1, total/max(1, read))
	r.averageLines = max(1, lines/max(1, defs))
}

func (r *ranker) add(i int, p Part) {
	if p.Value > 0 {
		r.results[i].Parts = append(r.results[i].Parts, p)
		r.results[i].Score += p.Value
	}
}

func (r *ranker) bestScore() float64 {
	best := 0.0
	for i := range r.results {
		best = max(best, r.results[i].Score*r.factor(i))
	}
	return max(best, 1)
}

// lower makes tests and what nobody writes by hand count less than code: every part, so that they still add up.
func (r *ranker) lower() {
	for i := range r.results {
		f := r.factor(i)
		if f == 1 {
			continue
		}
		r.results[i].Score *= f
		for p := range r.results[i].Parts {
			r.results[i].Parts[p].Value *= f
		}
	}
}

func (r *ranker) factor(i int) float64 {
	d := &r.docs[i]
	switch d.Class {
	case model.ClassTest:
		if r.goal.AboutTests {
			return 1
		}
		return r.weights.test
	case model.ClassGenerated:
		if r.goal.AboutGenerated {
			return 1
		}
		return r.weights.generated
	case model.ClassVendored, model.ClassMinified:
		return r.weights.vendored
	}
	if d.Language == "" {
		return r.weights.other
	}
	return 1
}

func (r *ranker) sorted() []Result {
	out := slices.DeleteFunc(r.results, func(x Result) bool { return x.Score <= 0 })
	for i := range out {
		slices.SortStableFunc(out[i].Parts, func(a, b Part) int { return cmp.Compare(b.Value, a.Value) })
		slices.SortStableFunc(out[i].Symbols, func(a, b SymbolResult) int { return cmp.Compare(b.Score, a.Score) })
	}
	slices.SortStableFunc(out, func(a, b Result) int { return cmp.Compare(b.Score, a.Score) })
	return out
}
