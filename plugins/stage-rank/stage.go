// Package rank is the stage that orders files and definitions by reference gravity: personalised PageRank over the files
// (Brin and Page, "The Anatomy of a Large-Scale Hypertextual Web Search Engine", 1998; Haveliwala, "Topic-Sensitive
// PageRank", 2002), then each definition's part of what flows into its file. It selects what is worth showing; how much
// of that is shown is the report's business. The weights are in weights.go.
package rank

import (
	"context"
	"slices"

	"github.com/repox-dev/repox/sdk"
	"github.com/repox-dev/repox/sdk/model"
)

// New gives the stage.
func New() *sdk.Stage {
	return &sdk.Stage{
		Name:     "rank",
		Version:  "0.1.0",
		Doc:      "Ranks files and definitions by who refers to them, drawn towards a focus if there is one.",
		Consumes: sdk.Consume(model.SectionFiles, model.SectionGraph),
		Produces: []string{model.SectionRanking, model.SectionSelection},
		Options: []sdk.Option{
			{Name: "focus", Type: sdk.String, Default: "", Doc: "Prose, paths and identifiers that matter most."},
			{Name: "explain", Type: sdk.String, Default: "", Doc: "A file, or FILE:NAME for a definition in it: the report says why it ranks where it does instead of showing a map."},
			{Name: "max_definitions", Type: sdk.Int, Default: 20000, Min: sdk.Bound(1), Doc: "How many definitions a report may choose from."},
			{Name: "damping", Type: sdk.Float, Default: 0.85, Min: sdk.Bound(0), Max: sdk.Bound(0.99), Doc: "How much of its rank a file passes on to what it refers to."},
			{Name: "all_classes", Type: sdk.Bool, Default: false, Doc: "Rank and show generated, vendored and minified files too."},
		},
		Run: run,
	}
}

func run(ctx context.Context, c sdk.Config, m *sdk.Model) error {
	files, err := m.Files()
	if err != nil {
		return err
	}
	graph, err := m.Graph()
	if err != nil {
		return err
	}
	if err := check(files, graph); err != nil {
		return err
	}
	r := &ranker{files: files.Files, skipped: files.Skipped, graph: graph, damping: c.Float("damping"), all: c.Bool("all_classes")}
	r.classify()
	r.weigh()
	r.focus = newFocus(c.String("focus"), r)
	if err := r.iterate(ctx); err != nil {
		return err
	}
	r.flow = slices.Clone(r.file)
	r.scoreDefinitions()
	r.settle()
	if err := m.SetRanking(&model.Ranking{File: r.file, Definition: r.definition}); err != nil {
		return err
	}
	s, err := r.selection(c.Int("max_definitions"), c.String("explain"))
	if err != nil {
		return err
	}
	return m.SetSelection(s)
}
