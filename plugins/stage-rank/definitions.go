package rank

import "math"

// scoreDefinitions gives each definition what flows into it from other files, a little of what its own file says of it,
// and a floor, so that what nobody refers to stands below but is there.
func (r *ranker) scoreDefinitions() {
	g := r.graph
	r.definition = make([]float64, len(g.DefFile))
	for f := range r.files {
		unit, own := r.damping*r.file[f]/(r.out[f]+slack), 0.0
		if r.own[f] > 0 {
			own = ownFile * r.file[f] / r.own[f]
		}
		for e := r.firstEdge[f]; e < r.firstEdge[f+1]; e++ {
			d := g.EdgeTo[e]
			if int(g.DefFile[d]) == f {
				r.definition[d] += own * r.weight[e]
			} else {
				r.definition[d] += unit * r.weight[e]
			}
		}
	}
	for f := range r.files {
		r.addFloor(f)
		r.addFocus(f)
	}
}

// Flags of definitions. One that only names something imported is neither shown nor counted.
const (
	flagExported = 1
	flagImport   = 2
)

// addFloor divides by the square root of the file's definitions: a file neither brings all of its many definitions
// before those of others, nor does each of them sink for being one of many.
func (r *ranker) addFloor(f int) {
	first, end := r.firstDef[f], r.firstDef[f+1]
	share := floor * r.file[f] / math.Sqrt(float64(max(1, r.defs[f])))
	for d := first; d < end; d++ {
		if r.graph.DefFlags[d]&flagExported != 0 {
			r.definition[d] += share
		} else {
			r.definition[d] += share * privateFloor
		}
	}
}

// addFocus shares a part of a file's score among those of its definitions that the focus names; where it names only the
// file, among all.
func (r *ranker) addFocus(f int) {
	if r.focus.file == nil || r.focus.file[f] == 0 {
		return
	}
	first, end := r.firstDef[f], r.firstDef[f+1]
	named := 0.0
	for d := first; d < end; d++ {
		named += r.focus.definition[d]
	}
	if named == 0 {
		for d := first; d < end; d++ {
			r.definition[d] += focusFloor * r.file[f] / float64(max(1, r.defs[f]))
		}
		return
	}
	for d := first; d < end; d++ {
		r.definition[d] += focusFloor * r.file[f] * r.focus.definition[d] / named
	}
}

// settle lowers tests, removes what is hidden, and makes the columns add up to 1.
func (r *ranker) settle() {
	factor := func(f int) float64 {
		switch {
		case !r.shown[f]:
			return 0
		case r.test[f]:
			return testRank
		}
		return 1
	}
	for d, f := range r.graph.DefFile {
		if r.graph.DefFlags[d]&flagImport != 0 {
			r.definition[d] = 0
		}
		r.definition[d] *= factor(int(f))
	}
	for f := range r.file {
		r.file[f] *= factor(f)
	}
	normalise(r.file)
	normalise(r.definition)
}
