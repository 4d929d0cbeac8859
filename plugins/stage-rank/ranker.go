package rank

import (
	"context"
	"errors"
	"math"
	"path"

	"github.com/repox-dev/repox/sdk/model"
)

// ranker holds the scores while they are made. Everything is walked in the order of indexes and summed by one goroutine:
// sums of floating-point numbers depend on their order, and the answer must not depend on the machine.
type ranker struct {
	files   []*model.File
	graph   *model.Graph
	damping float64
	all     bool
	focus   *focus

	// shown: the file is not hidden by its class. test: it is a test.
	shown, test []bool
	// firstEdge and firstDef are where a file's edges and definitions begin, with one entry more than files.
	firstEdge, firstDef []int
	// defs counts the definitions of a file that may be shown.
	defs []int
	// skipped counts the files that could not be read, by reason.
	skipped map[string]uint64
	// folder numbers the folder of each file.
	folder []uint32
	// weight is by edge; out adds up a file's edges to other files, own those to itself.
	weight, out, own []float64
	// jump is where the random surfer begins anew.
	jump []float64

	file, definition []float64
	// flow is file as it flows: before tests are lowered.
	flow []float64
}

var errGraph = errors.New("read graph: its columns do not agree with each other or with the files")

// check keeps a broken graph from being walked.
func check(files *model.Files, g *model.Graph) error {
	n, strings := uint32(len(files.Files)), uint32(len(g.Strings))
	defs, edges := len(g.DefFile), len(g.EdgeFrom)
	for _, c := range [][]uint32{g.DefName, g.DefKind, g.DefScope, g.DefSignature, g.DefDoc, g.DefFlags, g.DefLineStart, g.DefLineEnd} {
		if len(c) != defs {
			return errGraph
		}
	}
	for _, c := range [][]uint32{g.DefName, g.DefKind, g.DefScope, g.DefSignature, g.DefDoc} {
		if !below(c, strings) {
			return errGraph
		}
	}
	for _, c := range [][]uint32{g.FileResolved, g.FileGuessed, g.FileUnresolved} {
		if len(c) != 0 && len(c) != int(n) || len(c) != len(g.FileResolved) {
			return errGraph
		}
	}
	if len(g.EdgeTo) != edges || len(g.EdgeCount) != edges || len(g.EdgeHow) != edges {
		return errGraph
	}
	if !sorted(g.DefFile) || !sorted(g.EdgeFrom) || !below(g.DefFile, n) || !below(g.EdgeFrom, n) || !below(g.EdgeTo, uint32(defs)) {
		return errGraph
	}
	return nil
}

func below(c []uint32, limit uint32) bool {
	for _, v := range c {
		if v >= limit {
			return false
		}
	}
	return true
}

func sorted(c []uint32) bool {
	for i := 1; i < len(c); i++ {
		if c[i] < c[i-1] {
			return false
		}
	}
	return true
}

func (r *ranker) classify() {
	n := len(r.files)
	r.shown, r.test = make([]bool, n), make([]bool, n)
	r.folder = make([]uint32, n)
	folders := map[string]uint32{}
	for i, f := range r.files {
		r.shown[i] = r.all || f.Class != model.ClassGenerated && f.Class != model.ClassVendored && f.Class != model.ClassMinified
		r.test[i] = f.Class == model.ClassTest
		dir := path.Dir(string(f.Path))
		if _, ok := folders[dir]; !ok {
			folders[dir] = uint32(len(folders))
		}
		r.folder[i] = folders[dir]
	}
	r.firstEdge = starts(r.graph.EdgeFrom, n)
	r.firstDef = starts(r.graph.DefFile, n)
	r.defs = make([]int, n)
	for d, f := range r.graph.DefFile {
		if r.graph.DefFlags[d]&flagImport == 0 {
			r.defs[f]++
		}
	}
}

// starts gives for each value below n where it begins in a sorted column.
func starts(column []uint32, n int) []int {
	out := make([]int, n+1)
	at := 0
	for f := range n {
		for at < len(column) && int(column[at]) < f {
			at++
		}
		out[f] = at
	}
	out[n] = len(column)
	return out
}

// vote is what a file's own say is worth.
func (r *ranker) vote(file int) float64 {
	switch {
	case !r.shown[file]:
		return 0
	case r.test[file]:
		return testVote
	}
	return 1
}

// fileEdge is an import of one file by another.
type fileEdge struct{ from, to uint32 }

// weigh gives each edge its weight: the square root of its references, since the tenth call says less than the first,
// times the rarity of what it leads to, and less inside of a package.
func (r *ranker) weigh() {
	g := r.graph
	rarity := r.rarity()
	imported := make(map[fileEdge]bool, len(g.ImportFrom))
	for i, from := range g.ImportFrom {
		imported[fileEdge{from, g.ImportTo[i]}] = true
	}
	r.weight = make([]float64, len(g.EdgeTo))
	r.out, r.own = make([]float64, len(r.files)), make([]float64, len(r.files))
	for f := range r.files {
		first, end := r.firstEdge[f], r.firstEdge[f+1]
		for e := first; e < end; e++ {
			d := g.EdgeTo[e]
			r.weight[e] = math.Sqrt(float64(g.EdgeCount[e])) * rarity[d]
			if g.EdgeHow[e] != 0 {
				r.weight[e] /= 2 // a guess
			}
			if to := g.DefFile[d]; r.folder[to] == r.folder[f] && !imported[fileEdge{uint32(f), to}] {
				r.weight[e] *= samePackage
			}
		}
		r.shareVariants(first, end)
		for e := first; e < end; e++ {
			if int(g.DefFile[g.EdgeTo[e]]) != f {
				r.out[f] += r.weight[e]
			} else {
				r.own[f] += r.weight[e]
			}
		}
	}
}

// rarity is the inverse document frequency of a definition (Spärck Jones, "A statistical interpretation of term
// specificity", 1972), between 0 and 1: what one file uses says all about that file, what every file uses says nothing.
func (r *ranker) rarity() []float64 {
	g := r.graph
	users := make([]float64, len(g.DefFile))
	total := 0.0
	for f := range r.files {
		vote := r.vote(f)
		if r.firstEdge[f] < r.firstEdge[f+1] {
			total += vote
		}
		for e := r.firstEdge[f]; e < r.firstEdge[f+1]; e++ {
			if d := g.EdgeTo[e]; int(g.DefFile[d]) != f {
				users[d] += vote
			}
		}
	}
	for d, u := range users {
		users[d] = 1
		if u > 1 {
			users[d] = math.Log1p(total/u) / math.Log1p(total)
		}
	}
	return users
}

// shareVariants divides the weight of a reference that means several definitions of one name, such as variants for
// several systems, among them. The edges are those of one file.
func (r *ranker) shareVariants(first, end int) {
	g := r.graph
	type identity struct{ name, scope uint32 }
	count := make(map[identity]int, end-first)
	of := func(e int) identity {
		d := g.EdgeTo[e]
		return identity{g.DefName[d], g.DefScope[d]}
	}
	for e := first; e < end; e++ {
		count[of(e)]++
	}
	if len(count) == end-first {
		return
	}
	for e := first; e < end; e++ {
		r.weight[e] /= float64(count[of(e)])
	}
}

// iterate finds the stationary scores of files by power iteration. What a file does not pass on to others begins anew
// at a file drawn from jump, and so does what is held by files without references.
func (r *ranker) iterate(ctx context.Context) error {
	r.jump = r.personalise()
	now := append([]float64(nil), r.jump...)
	next := make([]float64, len(now))
	for range maxIterations {
		if err := ctx.Err(); err != nil {
			return err
		}
		r.step(now, next)
		distance := 0.0
		for i := range now {
			distance += math.Abs(next[i] - now[i])
		}
		now, next = next, now
		if distance < tolerance {
			break
		}
	}
	r.file = now
	return nil
}

func (r *ranker) step(now, next []float64) {
	g := r.graph
	clear(next)
	passed := 0.0
	for f := range r.files {
		if r.out[f] == 0 {
			continue
		}
		unit := r.damping * now[f] / (r.out[f] + slack)
		for e := r.firstEdge[f]; e < r.firstEdge[f+1]; e++ {
			if to := int(g.DefFile[g.EdgeTo[e]]); to != f {
				next[to] += unit * r.weight[e]
			}
		}
		passed += unit * r.out[f]
	}
	for f, j := range r.jump {
		next[f] += (1 - passed) * j
	}
}

// personalise gives the jumps: to files that have a say and, for the greater part, to those in the focus.
func (r *ranker) personalise() []float64 {
	base := make([]float64, len(r.files))
	for f := range r.files {
		if r.firstEdge[f] < r.firstEdge[f+1] || r.firstDef[f] < r.firstDef[f+1] {
			base[f] = r.vote(f)
		}
	}
	normalise(base)
	pull := append([]float64(nil), r.focus.file...)
	if !normalise(pull) {
		return base
	}
	for f := range base {
		base[f] = (1-focusPull)*base[f] + focusPull*pull[f]
	}
	normalise(base)
	return base
}

// normalise makes a column add up to 1; it tells whether there was anything to add up.
func normalise(c []float64) bool {
	sum := 0.0
	for _, v := range c {
		sum += v
	}
	if sum <= 0 {
		return false
	}
	for i := range c {
		c[i] /= sum
	}
	return true
}
