package goal

import (
	"cmp"
	"slices"

	"github.com/repox-dev/repox/sdk/model"
)

// users counts who uses what.
type users struct {
	repository *repository
	// references is by definition of the graph.
	references []uint32
	// byFile gives for each file the files that refer to it, with how many references.
	byFile []map[uint32]uint32
	// importers counts by file the files that import it.
	importers []uint32
}

func newUsers(r *repository) *users {
	g := r.graph
	u := &users{
		repository: r, references: make([]uint32, len(g.DefFile)),
		byFile: make([]map[uint32]uint32, len(r.docs)), importers: make([]uint32, len(r.docs)),
	}
	for e, d := range g.EdgeTo {
		u.references[d] += g.EdgeCount[e]
		to, from := g.DefFile[d], g.EdgeFrom[e]
		if to == from {
			continue
		}
		if u.byFile[to] == nil {
			u.byFile[to] = map[uint32]uint32{}
		}
		u.byFile[to][from] += g.EdgeCount[e]
	}
	type pair struct{ from, to uint32 }
	seen := make(map[pair]bool, len(g.ImportTo))
	for i, to := range g.ImportTo {
		if p := (pair{g.ImportFrom[i], to}); p.from != p.to && !seen[p] {
			seen[p] = true
			u.importers[to]++
		}
	}
	return u
}

// describe fills in who uses a file. Its tests are the test files that refer to it, those that do so most first.
func (u *users) describe(file int, out *model.BriefFile) {
	out.Importers = u.importers[file]
	out.Dependents = uint32(len(u.byFile[file]))
	var tests []uint32
	for from, n := range u.byFile[file] {
		out.References += n
		if u.repository.files.Files[from].Class == model.ClassTest {
			tests = append(tests, from)
		}
	}
	slices.SortFunc(tests, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(u.byFile[file][b], u.byFile[file][a]), cmp.Compare(a, b))
	})
	out.TestsTotal = uint32(len(tests))
	for _, t := range tests[:min(len(tests), mainTests)] {
		out.Tests = append(out.Tests, u.repository.files.Files[t].Path)
	}
}
