package rank

import (
	"cmp"
	"slices"
	"strings"

	"github.com/repox-dev/repox/sdk/model"
)

// selection takes the best definitions, at most limit, and puts them by file. If something is to be explained, that is all
// there is in it.
func (r *ranker) selection(limit int, explain string) (*model.Selection, error) {
	g := r.graph
	s := &model.Selection{Hidden: r.hidden(), Skipped: r.skipped, Resolved: g.Resolved, Guessed: g.Guessed, Unresolved: g.Unresolved}
	for f := range r.files {
		if n := r.defs[f]; r.shown[f] && n > 0 {
			s.TotalFiles++
			s.TotalDefinitions += uint64(n)
		}
	}
	around := r.containers()
	if explain != "" {
		x, err := r.explain(explain, r.choose(around, len(r.definition)))
		s.Explanation = x
		return s, err
	}
	chosen := r.choose(around, limit)
	used := r.usesOfFiles(shownUsers)
	byFile := map[uint32]*model.SelectedFile{}
	rankOf := make(map[uint32]uint32, len(chosen))
	for n, d := range chosen {
		rankOf[d] = uint32(n)
		f := g.DefFile[d]
		if byFile[f] == nil {
			byFile[f] = r.selectedFile(f, &used[f])
			s.Files = append(s.Files, byFile[f])
		}
	}
	slices.Sort(chosen) // the order of the graph is that of file and line
	for _, d := range chosen {
		file := byFile[g.DefFile[d]]
		file.Definitions = append(file.Definitions, r.selectedDefinition(d, rankOf[d], around))
	}
	return s, nil
}

func (r *ranker) selectedFile(f uint32, used *uses) *model.SelectedFile {
	out := &model.SelectedFile{
		Path: r.files[f].Path, Language: r.files[f].Language, Score: r.file[f],
		TotalDefinitions: uint32(r.defs[f]), UsersTotal: used.total,
	}
	out.Resolved, out.Guessed, out.Unresolved = r.tied(f)
	for _, u := range used.strongest {
		out.Users = append(out.Users, r.describe(u, shownNames))
	}
	if r.focus.query != nil && r.focus.file[f] > 0 {
		for _, h := range r.focusHits(f, func(uint32) bool { return true }) {
			if !slices.Contains(out.Focus, h.Text) {
				out.Focus = append(out.Focus, h.Text)
			}
		}
	}
	return out
}

func (r *ranker) selectedDefinition(d, rank uint32, around []uint32) *model.SelectedDefinition {
	g := r.graph
	depth := uint32(0)
	for a := around[d]; a != 0; a = around[a-1] {
		depth++
	}
	return &model.SelectedDefinition{
		Name: g.Strings[g.DefName[d]], Kind: g.Strings[g.DefKind[d]], Scope: g.Strings[g.DefScope[d]],
		Signature: g.Strings[g.DefSignature[d]], Doc: g.Strings[g.DefDoc[d]],
		LineStart: g.DefLineStart[d], LineEnd: g.DefLineEnd[d], Score: r.definition[d], Rank: rank, Depth: depth,
	}
}

// hidden counts by class the files that would have been looked at but for their class.
func (r *ranker) hidden() map[string]uint64 {
	out := map[string]uint64{}
	for f, shown := range r.shown {
		if !shown && r.files[f].Language != "" {
			out[className(r.files[f].Class)]++
		}
	}
	return out
}

func className(c model.Class) string {
	return strings.ToLower(strings.TrimPrefix(c.String(), "CLASS_"))
}

// choose lists the best definitions, best first. What holds a definition comes right before the best one it holds: a
// method tells little without its type.
func (r *ranker) choose(around []uint32, limit int) []uint32 {
	order := r.byScore()
	taken := make([]bool, len(r.definition))
	var out, chain []uint32
	for _, d := range order {
		chain = chain[:0]
		for a := d + 1; a != 0 && !taken[a-1]; a = around[a-1] {
			chain = append(chain, a-1)
		}
		for i := len(chain) - 1; i >= 0; i-- {
			if len(out) == limit {
				return out
			}
			taken[chain[i]] = true
			out = append(out, chain[i])
		}
	}
	return out
}

// byScore lists the shown definitions by score; ties go to the earlier path, then line, which is the graph's order.
func (r *ranker) byScore() []uint32 {
	var order []uint32
	for d, f := range r.graph.DefFile {
		if r.shown[f] && r.graph.DefFlags[d]&flagImport == 0 {
			order = append(order, uint32(d))
		}
	}
	slices.SortFunc(order, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(r.definition[b], r.definition[a]), cmp.Compare(a, b))
	})
	return order
}

// containers gives for each definition the one of the same file that holds it, counted from 1, 0 for none.
func (r *ranker) containers() []uint32 {
	out := make([]uint32, len(r.graph.DefFile))
	for f := range r.files {
		if r.shown[f] {
			r.containersOf(r.firstDef[f], r.firstDef[f+1], out)
		}
	}
	return out
}

func (r *ranker) containersOf(first, end int, out []uint32) {
	g := r.graph
	names := map[string][]int{}
	for d := first; d < end; d++ {
		if g.DefScope[d] != 0 {
			names[g.Strings[g.DefScope[d]]] = nil
		}
	}
	if len(names) == 0 {
		return
	}
	for d := first; d < end; d++ {
		full := g.Strings[g.DefName[d]]
		if g.DefScope[d] != 0 {
			full = g.Strings[g.DefScope[d]] + "." + full
		}
		if holders, wanted := names[full]; wanted {
			names[full] = append(holders, d)
		}
	}
	for d := first; d < end; d++ {
		if g.DefScope[d] != 0 {
			out[d] = r.holder(d, names[g.Strings[g.DefScope[d]]])
		}
	}
}

// holder picks among definitions of the right name the innermost that lies around d, else the first that is no member of
// what it would hold (a Go method stands outside of its type).
func (r *ranker) holder(d int, candidates []int) uint32 {
	g := r.graph
	best := -1
	for _, c := range candidates {
		around := c < d && g.DefLineStart[c] <= g.DefLineStart[d] && g.DefLineEnd[c] >= g.DefLineEnd[d]
		if c != d && around {
			best = c
		}
	}
	if best < 0 && len(candidates) > 0 && candidates[0] != d {
		best = candidates[0]
	}
	return uint32(best + 1)
}
