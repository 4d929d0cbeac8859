package relevance

import (
	"cmp"
	"math"
	"slices"
)

// spread lends part of each file's score to its neighbours in the graph, in both directions: what uses the file that the
// goal describes, and what that file uses, is likely to change with it. A file with many neighbours lends each less and
// takes less of each, or what everything uses would come first for every goal; and the better a file, the more it lends.
func (r *ranker) spread(edges []Edge) {
	links := r.links(edges)
	out := make([]float64, len(r.docs))
	for _, l := range links {
		out[l.from] += l.weight
	}
	type lent struct {
		value, most float64
		from        int
	}
	got := make([]lent, len(r.docs))
	for _, l := range links {
		own := r.results[l.from].Score
		v := r.weights.graph * own * min(1, own/r.best) * l.weight / math.Sqrt((out[l.from]+1)*(out[l.to]+1)) * r.factor(l.to)
		g := &got[l.to]
		g.value += v
		if v > g.most {
			g.most, g.from = v, l.from
		}
	}
	for i, g := range got {
		if r.results[i].Score > 0 || g.value > 0 {
			r.add(i, Part{Kind: KindGraph, Value: g.value, Detail: r.docs[g.from].Path})
		}
	}
}

type link struct {
	from, to int
	weight   float64
}

// links gives every edge in both directions, those of one pair as one, in an order of its own: sums of floating-point
// numbers depend on their order.
func (r *ranker) links(edges []Edge) []link {
	var all []link
	for _, e := range edges {
		if e.From != e.To {
			all = append(all, link{e.From, e.To, e.Weight}, link{e.To, e.From, e.Weight})
		}
	}
	slices.SortFunc(all, func(a, b link) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to), cmp.Compare(a.weight, b.weight))
	})
	var out []link
	for _, l := range all {
		if n := len(out); n > 0 && out[n-1].from == l.from && out[n-1].to == l.to {
			out[n-1].weight += l.weight
			continue
		}
		out = append(out, l)
	}
	for i := range out {
		out[i].weight = math.Sqrt(out[i].weight)
	}
	return out
}
