package pipeline

import (
	"fmt"
	"slices"

	"github.com/repox-dev/repox/core/diag"
	"github.com/repox-dev/repox/sdk/model"
	pluginv1 "github.com/repox-dev/repox/sdk/proto"
)

// Host is the producer of the sections that the program itself gives.
const Host = -1

// Plan says which section flows from which stage to which.
type Plan struct {
	Steps []Step
	// Documents are the stages whose documents leave, in order: those that no other stage has transformed.
	Documents []int
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
	model.SectionSelection, model.SectionSurvey, model.SectionHistory, model.SectionBrief, model.SectionFindings, model.SectionDocuments,
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
	// told holds the missing sections that have been told of.
	told map[string]bool
	// before is how many errors there were before the chain was looked at.
	before int
}

func errorCount(l diag.List) int {
	n := 0
	for _, d := range l {
		if d.Severity == diag.Error {
			n++
		}
	}
	return n
}

type produced struct {
	from  []int
	clean bool
}

func (l *loader) plan(p *Pipeline) *Plan {
	pl := &planner{l: l, p: p, plan: &Plan{}, before: errorCount(l.diags), told: map[string]bool{}, state: map[string]produced{
		model.SectionFiles:    {from: []int{Host}},
		model.SectionContent:  {from: []int{Host}},
		model.SectionHistory:  {from: []int{Host}},
		model.SectionFindings: {from: []int{Host}},
	}}
	if len(p.Languages) > 0 || l.packsUnknown {
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
		if !slices.Contains(sections, use.Section) {
			pl.l.diags.Errorf(item.Place, "%s consumes the section %s, which this program does not know", item.Use, quote(use.Section))
			continue
		}
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
			pl.l.diags.Errorf(item.Place, "%s produces the section %s, which this program does not know", item.Use, quote(name))
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

// missing tells where a section could come from. Once for each: what else lacks it lacks it for the same reason.
func (pl *planner) missing(i int, section string) {
	if pl.told[section] {
		return
	}
	pl.told[section] = true
	item := &pl.p.Stages[i]
	for _, later := range pl.p.Stages[i+1:] {
		if makes(later.Component, section) {
			d := pl.l.diags.Errorf(item.Place, "%s needs the section %q, which %s produces behind it; move %s before it", item.Use, section, later.Use, later.Use)
			d.Notes = append(d.Notes, diag.Note{Message: "produced here", Place: later.Place})
			return
		}
	}
	if section == model.SectionTags {
		pl.l.diags.Errorf(item.Place, "%s needs the section %q, and the pipeline has no language pack; list some under `languages`", item.Use, section)
		return
	}
	hint := "no stage that this program knows produces it"
	if i := slices.IndexFunc(pl.l.opts.Catalog.builtin, func(c *pluginv1.Component) bool { return makes(c, section) }); i >= 0 {
		hint = fmt.Sprintf("put %s before it", pl.l.opts.Catalog.builtin[i].Name)
	}
	pl.l.diags.Errorf(item.Place, "%s needs the section %q, which nothing before it produces; %s", item.Use, section, hint)
}

// makes tells whether a component is a stage that gives a section which was not there.
func makes(c *pluginv1.Component, section string) bool {
	return c.Stage != nil && names(c.Stage.Produces, section) && !names(c.Stage.Consumes, section)
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
		at := pl.p.tree
		if f := at.field("stages"); f != nil {
			at = f.key
		}
		pl.l.errorf(at, "no stage produces documents, so nothing would come out; end with report")
		return
	}
	pl.plan.Documents = docs.from
	for i, s := range pl.plan.Steps {
		// Documents must be clean when they are made, even if a later stage would clean them: what leaves is then clean
		// whoever collects it.
		if item := &pl.p.Stages[i]; slices.Contains(s.Outputs, model.SectionDocuments) && !s.Clean && !pl.p.AllowUnredacted && !pl.refuses(s) {
			pl.uncleanDocuments(item, s)
		}
	}
	if errorCount(pl.l.diags) > pl.before {
		return // a stage may seem useless only because another one stands in the wrong place
	}
	used := pl.used()
	for i := range pl.plan.Steps {
		if !used[i] {
			pl.l.diags.Warnf(pl.p.Stages[i].Place, "no document is made of what %s produces, so it will not run", pl.p.Stages[i].Use)
		}
	}
}

// refuses tells whether a stage refuses by itself something unclean that it gets; then that was told already.
func (pl *planner) refuses(s Step) bool {
	for _, use := range pl.p.Stages[s.Stage].Component.Stage.Consumes {
		if use.Clean && slices.ContainsFunc(s.Inputs, func(in Input) bool { return in.Section == use.Section && !in.Clean }) {
			return true
		}
	}
	return false
}

func (pl *planner) uncleanDocuments(item *Item, s Step) {
	var unclean []string
	for _, in := range s.Inputs {
		if !in.Clean {
			unclean = append(unclean, in.Section)
		}
	}
	if len(unclean) == 0 {
		pl.l.diags.Errorf(item.Place, "%s makes documents of nothing that a redacting stage has passed; it needs a redacted section to be made of", item.Use)
		return
	}
	pl.l.diags.Errorf(item.Place, "%s makes documents of text that nothing has redacted (%s); put redact before it", item.Use, list(unclean))
}

// used tells which stages the documents need, directly or through others.
func (pl *planner) used() map[int]bool {
	used := map[int]bool{}
	var visit func(i int)
	visit = func(i int) {
		if i == Host || used[i] {
			return
		}
		used[i] = true
		for _, in := range pl.plan.Steps[i].Inputs {
			for _, f := range in.From {
				visit(f)
			}
		}
	}
	for _, i := range pl.plan.Documents {
		visit(i)
	}
	return used
}
