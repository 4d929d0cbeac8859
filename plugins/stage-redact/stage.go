// Package redact is the stage that takes secrets out of every string of the sections it passes on. Find says where the
// secrets of a text are; walk applies it to whole sections. A secret that is found once is taken out wherever it occurs.
package redact

import (
	"context"

	"google.golang.org/protobuf/proto"

	"github.com/repox-dev/repox/sdk"
	"github.com/repox-dev/repox/sdk/model"
)

// New gives the stage.
func New() *sdk.Stage {
	return &sdk.Stage{
		Name:    "redact",
		Version: "0.1.0",
		Doc:     "Replaces secrets by [REDACTED] and says where they were, never what they were.",
		Consumes: []sdk.Section{
			{Name: model.SectionSelection, Optional: true},
			{Name: model.SectionFindings, Optional: true},
		},
		Produces: []string{model.SectionSelection, model.SectionFindings},
		Cleans:   true,
		Run:      run,
	}
}

func run(ctx context.Context, _ sdk.Config, m *sdk.Model) error {
	selection, err := m.Selection()
	if err != nil {
		return err
	}
	findings, err := m.Findings()
	if err != nil {
		return err
	}
	c := newCleaner()
	if err := c.clean(ctx, []proto.Message{selection, findings}); err != nil {
		return err
	}
	findings.Findings = append(findings.Findings, c.findings...)
	if err := m.SetSelection(selection); err != nil {
		return err
	}
	return m.SetFindings(findings)
}
