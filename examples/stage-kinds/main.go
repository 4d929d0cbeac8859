// Command stage-kinds is a stage in thirty lines: it keeps the definitions of the kinds that the pipeline names.
package main

import (
	"context"
	"slices"

	"github.com/repox-dev/repox/sdk"
	"github.com/repox-dev/repox/sdk/model"
)

func main() {
	sdk.Main(&sdk.Stage{
		Name: "stage-kinds", Version: "0.1.0", Doc: "Keeps definitions of some kinds only.",
		Consumes: sdk.Consume(model.SectionSelection), Produces: []string{model.SectionSelection},
		Options: []sdk.Option{{Name: "kinds", Type: sdk.Strings, Default: []string{"function"}, Doc: "Kinds to keep."}},
		Run:     run,
	})
}

func run(_ context.Context, cfg sdk.Config, m *sdk.Model) error {
	selection, err := m.Selection()
	if err != nil {
		return err
	}
	for _, f := range selection.Files {
		f.Definitions = slices.DeleteFunc(f.Definitions, func(d *model.SelectedDefinition) bool {
			return !slices.Contains(cfg.Strings("kinds"), d.Kind)
		})
	}
	return m.SetSelection(selection)
}
