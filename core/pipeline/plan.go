package pipeline

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/repox-dev/repox/core/diag"
	"github.com/repox-dev/repox/sdk/model"
	pluginv1 "github.com/repox-dev/repox/sdk/proto"
)

// Host is the producer of the sections that the program itself gives.
const Host = -1

// Plan says which section flows from which stage to which.
type Plan struct {
	Steps []Step
}

// Step is a stage of the plan.
type Step struct {
	// Stage is the index in Pipeline.Stages.
	Stage  int
	Inputs []Input
	// Outputs are the sections it produces.
	Outputs []string
	// Clean: what it produces has passed a redacting stage, or is made of what has.
	Clean bool
	// Wave counts from 1. Stages of one wave do not need each other and run side by side.
	Wave int
}

// Input is a section that a stage consumes.
type Input struct {
	Section string
	// From are the stages that produce it, in order, or Host.
	From  []int
	Clean bool
}

// sections are all that there are.
var sections = []string{
	model.SectionFiles, model.SectionContent, model.SectionTags, model.SectionGraph, model.SectionRanking,
	model.SectionSelection, model.SectionSurvey, model.SectionFindings, model.SectionDocuments,
}

// appendOnly sections may have many producers; what these give is joined.
func appendOnly(section string) bool {
	return section == model.SectionFindings || section == model.SectionDocuments
}

// planner walks the stages in order and knows who produced what so far.
type planner struct {
	l     *loader
	p     *Pipeline
	plan  *Plan
	state map[string]produced
}

type produced struct {
	from  []int
	clean bool
}

func (l *loader) plan(p *Pipeline) *Plan {
	pl := &planner{l: l, p: p, plan: &Plan{}, state: map[string]produced{
		model.SectionFiles:    {from: []int{Host}},
		model.SectionContent:  {from: []int{Host}},
		model.SectionFindings: {from: []int{Host}},
	}}
	if len(p.Languages) > 0 {
		pl.state[model.SectionTags] = produced{from: []int{Host}}
	}
	for i := range p.Stages {
		pl.step(i)
	}
	pl.finish()
	return pl.plan
}

func (pl *planner) step(i int) {
	item := &pl.p.Stages[i]
	s := Step{Stage: i, Wave: 1, Clean: true}
	for _, use := range item.Component.Stage.Consumes {
		got, ok := pl.state[use.Section]
		if !ok {
			if !use.Optional {
				pl.missing(i, use.Section)
			}
			continue
		}
		if use.Clean && !got.clean && !pl.p.AllowUnredacted {
			pl.unclean(item, use.Section, got)
		}
		s.Inputs = append(s.Inputs, Input{Section: use.Section, From: slices.Clone(got.from), Clean: got.clean})
		s.Clean = s.Clean && got.clean
		for _, f := range got.from {
			if f != Host {
				s.Wave = max(s.Wave, pl.plan.Steps[f].Wave+1)
			}
		}
	}
	s.Clean = item.Component.Stage.Cleans || s.Clean && len(s.Inputs) > 0
	pl.produce(i, &s)
	pl.plan.Steps = append(pl.plan.Steps, s)
}

// produce notes what stage i gives. A stage that consumes and produces a section transforms it, if it is there at all.
func (pl *planner) produce(i int, s *Step) {
	item := &pl.p.Stages[i]
	for _, out := range item.Component.Stage.Produces {
		name := out.Section
		if !slices.Contains(sections, name) {
			pl.l.diags.Errorf(item.Place, "%s produces the section %q, which this program does not know", item.Use, name)
			continue
		}
		declared := names(item.Component.Stage.Consumes, name)
		consumed := slices.ContainsFunc(s.Inputs, func(in Input) bool { return in.Section == name })
		if declared && !consumed {
			continue
		}
		old, there := pl.state[name]
		switch {
		case consumed || !there:
			pl.state[name] = produced{from: []int{i}, clean: s.Clean}
		case appendOnly(name):
			pl.state[name] = produced{from: append(slices.Clone(old.from), i), clean: old.clean && s.Clean}
		default:
			pl.twice(item, name, old)
			continue
		}
		s.Outputs = append(s.Outputs, name)
	}
}

// names tells whether a list of uses holds a section.
func names(uses []*pluginv1.SectionUse, section string) bool {
	return slices.ContainsFunc(uses, func(u *pluginv1.SectionUse) bool { return u.Section == section })
}

func (pl *planner) missing(i int, section string) {
	item := &pl.p.Stages[i]
	for j := i + 1; j < len(pl.p.Stages); j++ {
		for _, out := range pl.p.Stages[j].Component.Stage.Produces {
			if out.Section == section {
				d := pl.l.diags.Errorf(item.Place, "%s needs the section %q, which %s produces behind it; move %s before it", item.Use, section, pl.p.Stages[j].Use, pl.p.Stages[j].Use)
				d.Notes = append(d.Notes, diag.Note{Message: "produced here", Place: pl.p.Stages[j].Place})
				return
			}
		}
	}
	if section == model.SectionTags {
		pl.l.diags.Errorf(item.Place, "%s needs the section %q, and the pipeline has no language pack; list some under `languages`", item.Use, section)
		return
	}
	hint := "no stage that this program knows produces it"
	for _, c := range pl.l.opts.Catalog.builtin {
		if c.Stage != nil && names(c.Stage.Produces, section) && !names(c.Stage.Consumes, section) {
			hint = fmt.Sprintf("put %s before it", c.Name)
		}
	}
	pl.l.diags.Errorf(item.Place, "%s needs the section %q, which nothing before it produces; %s", item.Use, section, hint)
}

func (pl *planner) unclean(item *Item, section string, got produced) {
	since := "it was read"
	last := got.from[len(got.from)-1]
	if last != Host {
		since = pl.p.Stages[last].Use
	}
	d := pl.l.diags.Errorf(item.Place, "%s needs %q redacted, and nothing has redacted it since %s; put redact before it", item.Use, section, since)
	if last != Host {
		d.Notes = append(d.Notes, diag.Note{Message: "unredacted text comes from here", Place: pl.p.Stages[last].Place})
	}
}

func (pl *planner) twice(item *Item, section string, old produced) {
	if old.from[0] == Host {
		pl.l.diags.Errorf(item.Place, "%s produces the section %q, which comes from the program itself", item.Use, section)
		return
	}
	first := pl.p.Stages[old.from[0]]
	d := pl.l.diags.Errorf(item.Place, "%s produces the section %q a second time", item.Use, section)
	d.Notes = append(d.Notes, diag.Note{Message: fmt.Sprintf("%s produces it first", first.Use), Place: first.Place})
}

// finish looks at what comes out in the end.
func (pl *planner) finish() {
	docs, ok := pl.state[model.SectionDocuments]
	if !ok {
		at := pl.p.tree.field("stages")
		pl.l.diags.Errorf(at.key.place(), "no stage produces documents, so nothing would come out; end with report")
		return
	}
	for _, i := range docs.from {
		if item := &pl.p.Stages[i]; !pl.plan.Steps[i].Clean && !pl.p.AllowUnredacted && !needsClean(item) {
			pl.l.diags.Errorf(item.Place, "%s makes documents of text that nothing has redacted; put redact before it", item.Use)
		}
	}
	used := map[int]bool{}
	for _, i := range docs.from {
		used[i] = true
	}
	for _, s := range pl.plan.Steps {
		for _, in := range s.Inputs {
			for _, f := range in.From {
				used[f] = true
			}
		}
	}
	for i := range pl.plan.Steps {
		if !used[i] {
			pl.l.diags.Warnf(pl.p.Stages[i].Place, "nothing uses what %s produces, so it will not run", pl.p.Stages[i].Use)
		}
	}
}

// needsClean tells whether a stage refuses unclean text by itself; then that was told already.
func needsClean(item *Item) bool {
	for _, c := range item.Component.Stage.Consumes {
		if c.Clean {
			return true
		}
	}
	return false
}

// WritePlan writes what runs beside what and which sections flow.
func (p *Pipeline) WritePlan(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	packs := make([]string, len(p.Languages))
	for i, l := range p.Languages {
		packs[i] = l.Component.Name
	}
	fmt.Fprintf(t, "wave\tstage\tconsumes\tproduces\n")
	fmt.Fprintf(t, "0\tread files\t%s\tfiles, content\n", p.Source.Path)
	if len(packs) > 0 {
		fmt.Fprintf(t, "0\t%s\tfiles\ttags, findings\n", strings.Join(packs, ", "))
	}
	waves := 0
	for _, s := range p.Plan.Steps {
		waves = max(waves, s.Wave)
	}
	for wave := 1; wave <= waves; wave++ {
		for _, s := range p.Plan.Steps {
			if s.Wave == wave {
				fmt.Fprintf(t, "%d\t%s\t%s\t%s\n", wave, p.Stages[s.Stage].Use, p.inputs(s), outputs(s))
			}
		}
	}
	return t.Flush()
}

func (p *Pipeline) inputs(s Step) string {
	var out []string
	for _, in := range s.Inputs {
		var from []string
		for _, f := range in.From {
			if f == Host {
				from = append(from, "host")
			} else {
				from = append(from, p.Stages[f].Use)
			}
		}
		text := in.Section + " (" + strings.Join(from, "+")
		if in.Clean {
			text += ", clean"
		}
		out = append(out, text+")")
	}
	return strings.Join(out, ", ")
}

func outputs(s Step) string {
	text := strings.Join(s.Outputs, ", ")
	if s.Clean {
		text += " (clean)"
	}
	return text
}
