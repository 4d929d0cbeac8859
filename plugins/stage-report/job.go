package report

import (
	"cmp"
	"slices"

	"github.com/repox-dev/repox/sdk/model"
)

// job is what a report is made of.
type job struct {
	selection *model.Selection
	counter   *counter
	budget    int
	// maxSignature is where signatures are cut, in characters.
	maxSignature int
	// order holds all definitions by rank.
	order []item
	// redactions and limitations count findings; others are listed by layouts that have room for them.
	redactions, limitations int
	findings                []*model.Finding
}

// item is a definition and its file, both as indexes into the selection, and its rank.
type item struct {
	file, definition int
	rank             uint32
}

func newJob(s *model.Selection, findings []*model.Finding, c *counter, budget, maxSignature int) *job {
	j := &job{selection: s, counter: c, budget: budget, maxSignature: maxSignature, findings: findings}
	for f, file := range s.Files {
		for d := range file.Definitions {
			j.order = append(j.order, item{f, d, file.Definitions[d].Rank})
		}
	}
	slices.SortFunc(j.order, func(a, b item) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.file, b.file), cmp.Compare(a.definition, b.definition))
	})
	for _, f := range findings {
		switch f.Kind {
		case model.FindingRedaction:
			j.redactions++
		case model.FindingLimitation:
			j.limitations++
		}
	}
	return j
}

func (j *job) definition(i item) *model.SelectedDefinition {
	return j.selection.Files[i.file].Definitions[i.definition]
}

// plan is a choice of definitions.
type plan struct {
	// chosen holds the definitions of each file that has any, as indexes in the order of line.
	chosen map[int][]int
	// files lists these files by the rank of their best definition.
	files []int
	// definitions counts the chosen ones.
	definitions int
	// cuts says where the signatures of some are cut, maxSignature where all others are.
	cuts         map[item]int
	maxSignature int
	// level is how much is said of each thing and at the end, a number of the layout.
	level int
}

func newPlan(maxSignature int) *plan {
	return &plan{chosen: map[int][]int{}, cuts: map[item]int{}, maxSignature: maxSignature}
}

// add puts a definition in, with its signature cut; rank order is the caller's business.
func (p *plan) add(i item, cut int) {
	if cut != p.maxSignature {
		p.cuts[place(i)] = cut
	}
	ds := p.chosen[i.file]
	if len(ds) == 0 {
		p.files = append(p.files, i.file)
	}
	at, _ := slices.BinarySearch(ds, i.definition)
	p.chosen[i.file] = slices.Insert(ds, at, i.definition)
	p.definitions++
}

// cut gives where the signature of a definition is cut.
func (p *plan) cut(i item) int {
	if at, ok := p.cuts[place(i)]; ok {
		return at
	}
	return p.maxSignature
}

// place is an item without its rank.
func place(i item) item { return item{file: i.file, definition: i.definition} }
