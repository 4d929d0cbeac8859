// Package goal is the stage that finds what a goal in plain words is about: files and definitions, best first, each with
// the parts that its score is made of. The scoring is in the package relevance; here the model is read and the section
// "brief" is filled with what was found.
package goal

import (
	"context"
	"strings"

	"github.com/repox-dev/repox/plugins/stage-goal/relevance"
	"github.com/repox-dev/repox/sdk"
	"github.com/repox-dev/repox/sdk/model"
	"github.com/repox-dev/repox/sdk/secrets"
)

// The most that a handoff may hold.
const (
	mostFiles   = 25
	mostSymbols = 30
)

// New gives the stage.
func New() *sdk.Stage {
	return &sdk.Stage{
		Name:     "goal",
		Version:  "0.1.0",
		Doc:      "Finds the files and definitions that a goal in plain words is about, and says why.",
		Consumes: sdk.Consume(model.SectionFiles, model.SectionContent, model.SectionGraph),
		Produces: []string{model.SectionBrief},
		Options: []sdk.Option{
			{Name: "goal", Type: sdk.String, Required: true, Doc: "What is to be done, in plain words; paths, identifiers and error texts in it count most."},
			{Name: "max_files", Type: sdk.Int, Default: mostFiles, Min: sdk.Bound(1), Max: sdk.Bound(mostFiles), Doc: "How many files are kept."},
			{Name: "max_symbols", Type: sdk.Int, Default: mostSymbols, Min: sdk.Bound(0), Max: sdk.Bound(mostSymbols), Doc: "How many definitions are kept."},
		},
		Check: check,
		Run:   run,
	}
}

func check(c sdk.Config) error {
	if strings.TrimSpace(c.String("goal")) == "" {
		return &sdk.ConfigError{Option: "goal", Index: -1, Message: "the goal is empty", Hint: "say in plain words what is to be done"}
	}
	return nil
}

func run(ctx context.Context, c sdk.Config, m *sdk.Model) error {
	r, err := readRepository(m)
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	// The words of a secret would not be known for one, each by itself.
	g := relevance.ParseGoal(strings.ReplaceAll(secrets.Redact(c.String("goal")), secrets.Mark, " "))
	b := newBriefing(g, r)
	b.brief.Goal = c.String("goal")
	b.addFiles(c.Int("max_files"))
	b.addSymbols(c.Int("max_symbols"))
	return m.SetBrief(b.brief)
}
