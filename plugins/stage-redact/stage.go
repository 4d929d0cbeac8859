// Package redact is the stage that takes secrets out of every string of the sections it passes on. The engine is
// sdk/secrets; walk applies it to whole sections. A secret that is found once is taken out wherever it occurs.
package redact

import (
	"context"
	"errors"

	"google.golang.org/protobuf/proto"

	"github.com/repox-dev/repox/sdk"
	"github.com/repox-dev/repox/sdk/model"
	"github.com/repox-dev/repox/sdk/secrets"
)

// New gives the stage.
func New() *sdk.Stage {
	return &sdk.Stage{
		Name:    "redact",
		Version: "0.2.0",
		Doc:     "Replaces secrets by [REDACTED] and says where they were, never what they were.",
		Consumes: []sdk.Section{
			{Name: model.SectionSelection, Optional: true},
			{Name: model.SectionBrief, Optional: true},
			{Name: model.SectionFindings, Optional: true},
		},
		Produces: []string{model.SectionSelection, model.SectionBrief, model.SectionFindings},
		Cleans:   true,
		Options: []sdk.Option{
			{Name: "rules", Type: sdk.Strings, Doc: "Further secrets, each \"KIND: PATTERN\"; the pattern's group \"secret\" or its first group is the secret, without one all of the match."},
			{Name: "allow_kinds", Type: sdk.Strings, Doc: "Kinds of secrets that stay in."},
			{Name: "allow_paths", Type: sdk.Strings, Doc: "Globs of the files in which everything stays, such as testdata/**."},
			{Name: "allow_values", Type: sdk.Strings, Doc: "Patterns of the values that stay in."},
		},
		Check: func(c sdk.Config) error {
			_, err := policy(c)
			return err
		},
		Run: run,
	}
}

// policy gives the rules with what the pipeline adds. The error joins a *sdk.ConfigError for each fault.
func policy(c sdk.Config) (*secrets.Policy, error) {
	p, err := secrets.NewPolicy(&secrets.Spec{
		Rules: c.Strings("rules"), AllowKinds: c.Strings("allow_kinds"), AllowPaths: c.Strings("allow_paths"), AllowValues: c.Strings("allow_values"),
	})
	if err == nil {
		return p, nil
	}
	var faults []error
	for _, e := range secrets.SpecErrors(err) {
		faults = append(faults, &sdk.ConfigError{Option: e.Field, Index: e.Index, Message: e.Message, Hint: e.Hint})
	}
	return nil, errors.Join(faults...)
}

func run(ctx context.Context, config sdk.Config, m *sdk.Model) error {
	rules, err := policy(config)
	if err != nil {
		return err
	}
	selection, err := m.Selection()
	if err != nil {
		return err
	}
	brief, err := m.Brief()
	if err != nil {
		return err
	}
	findings, err := m.Findings()
	if err != nil {
		return err
	}
	c := newCleaner(rules)
	if err := c.clean(ctx, []proto.Message{selection, brief, findings}); err != nil {
		return err
	}
	findings.Findings = append(relevant(findings.Findings, selection, brief), c.findings...)
	if err := m.SetSelection(selection); err != nil {
		return err
	}
	if err := m.SetBrief(brief); err != nil {
		return err
	}
	return m.SetFindings(findings)
}
