package rank

import (
	"cmp"
	"slices"

	"github.com/repox-dev/repox/sdk/model"
)

// Of who refers to a file, a selection names the strongest, and of what they refer to the first names.
const (
	shownUsers = 2
	shownNames = 2
)

// use is what one file refers to in another: a range of its edges, or some of them.
type use struct {
	from       uint32
	first, end int
	edges      []int
	score      float64
}

// uses are those of one file by others, the strongest first, and how many there are in all.
type uses struct {
	strongest []use
	total     uint32
}

// brings is how much rank flows along an edge.
func (r *ranker) brings(from uint32, e int) float64 {
	return r.damping * r.flow[from] / (r.out[from] + slack) * r.weight[e]
}

// usesOfFiles finds for each file its strongest uses by others, at most n. Hidden files have no say.
func (r *ranker) usesOfFiles(n int) []uses {
	out := make([]uses, len(r.files))
	for f := range r.files {
		if r.vote(f) == 0 {
			continue
		}
		r.eachUse(uint32(f), func(to uint32, u use) {
			t := &out[to]
			t.total++
			at, _ := slices.BinarySearchFunc(t.strongest, u, compareUses)
			if at < n {
				t.strongest = slices.Insert(t.strongest, at, u)
				t.strongest = t.strongest[:min(n, len(t.strongest))]
			}
		})
	}
	return out
}

// compareUses puts the strongest first; of equal ones the earlier file.
func compareUses(a, b use) int {
	return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.from, b.from))
}

// eachUse tells the uses of other files by one. Edges are sorted by definition, and definitions by file.
func (r *ranker) eachUse(from uint32, tell func(to uint32, u use)) {
	g := r.graph
	for e := r.firstEdge[from]; e < r.firstEdge[from+1]; {
		to := g.DefFile[g.EdgeTo[e]]
		u := use{from: from, first: e}
		for ; e < r.firstEdge[from+1] && g.DefFile[g.EdgeTo[e]] == to; e++ {
			u.score += r.brings(from, e)
		}
		if u.end = e; to != from {
			tell(to, u)
		}
	}
}

// describe puts a use into the terms of the model.
func (r *ranker) describe(u use, names int) *model.Use {
	g := r.graph
	edges := u.edges
	for e := u.first; e < u.end; e++ {
		edges = append(edges, e)
	}
	out := &model.Use{Path: r.files[u.from].Path, Score: u.score}
	for _, e := range edges {
		if g.EdgeHow[e] != 0 {
			out.Guessed += g.EdgeCount[e]
		} else {
			out.Resolved += g.EdgeCount[e]
		}
	}
	slices.SortStableFunc(edges, func(a, b int) int { return cmp.Compare(r.weight[b], r.weight[a]) })
	for _, e := range edges {
		if name := r.fullName(g.EdgeTo[e]); !slices.Contains(out.Names, name) {
			out.Names = append(out.Names, name)
		}
	}
	out.NamesTotal = uint32(len(out.Names))
	out.Names = out.Names[:min(names, len(out.Names))]
	return out
}

// fullName is a definition's name behind that of what it is a member of.
func (r *ranker) fullName(d uint32) string {
	g := r.graph
	if scope := g.DefScope[d]; scope != 0 {
		return g.Strings[scope] + "." + g.Strings[g.DefName[d]]
	}
	return g.Strings[g.DefName[d]]
}

// tied gives how the references of a file were tied, zeros where the graph does not say.
func (r *ranker) tied(f uint32) (resolved, guessed, unresolved uint32) {
	if g := r.graph; len(g.FileResolved) == len(r.files) {
		return g.FileResolved[f], g.FileGuessed[f], g.FileUnresolved[f]
	}
	return 0, 0, 0
}
