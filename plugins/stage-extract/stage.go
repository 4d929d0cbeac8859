// Package extract is the stage that makes the graph of a repository: the table of all definitions, and an edge from a
// file to each definition that it refers to.
//
// A reference is tied to what it can mean before it counts: a definition of the same file, of the same unit (a package
// in its folder), or one that an import of the file leads to. A member of a value whose type nobody knows is tied to
// nothing; a wrong edge is worse than a missing one. Start at run, then linker.
package extract

import (
	"context"

	"github.com/repox-dev/repox/sdk"
	"github.com/repox-dev/repox/sdk/heap"
	"github.com/repox-dev/repox/sdk/model"
)

// New gives the stage.
func New() *sdk.Stage {
	return &sdk.Stage{
		Name:     "extract",
		Version:  "0.1.0",
		Doc:      "Ties references to the definitions they can mean and makes the graph of the repository.",
		Consumes: sdk.Consume(model.SectionFiles, model.SectionTags),
		Produces: []string{model.SectionGraph, model.SectionFindings},
		Options: []sdk.Option{{
			Name: "all_classes", Type: sdk.Bool, Default: false,
			Doc: "Let generated, vendored and minified files vote too.",
		}},
		Run: run,
	}
}

func run(ctx context.Context, c sdk.Config, m *sdk.Model) error {
	files, err := m.Files()
	if err != nil {
		return err
	}
	tags, err := m.Tags()
	if err != nil {
		return err
	}
	sources, faults, err := decode(ctx, files, tags, c.Bool("all_classes"))
	if err != nil {
		return err
	}
	t := newTable(sources)
	heap.Trim()
	l := newLinker(len(files.Files), sources, t, tags.Sets)
	links, err := l.linkAll(ctx)
	if err != nil {
		return err
	}
	graph := assemble(t, sources, links, len(files.Files))
	t, l, links = nil, nil, nil
	heap.Trim()
	if err := m.SetGraph(graph); err != nil {
		return err
	}
	return m.SetFindings(&model.Findings{Findings: faults})
}
