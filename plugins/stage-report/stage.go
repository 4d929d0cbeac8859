// Package report is the stage that renders a selection as a document under a hard budget of tokens.
//
// Definitions are taken in the order of their rank until the budget is full, then put by file and line. The budget counts
// everything: headings, fences, the line that says what was left out. A layout (text, markdown, json) turns a plan, which
// is a set of chosen definitions, into lines; since a pre-token never crosses a line's end, the tokens of a document are
// the sum of those of its lines, and each line is counted once. The finished document is counted as a whole
// before it leaves. Start at fit.
package report

import (
	"context"
	"fmt"

	"github.com/repox-dev/repox/sdk"
	"github.com/repox-dev/repox/sdk/model"
)

// New gives the stage.
func New() *sdk.Stage {
	return &sdk.Stage{
		Name:    "report",
		Version: "0.1.0",
		Doc:     "Renders the best definitions as text, Markdown or JSON within a budget of tokens.",
		Consumes: []sdk.Section{
			{Name: model.SectionSelection, Clean: true},
			{Name: model.SectionFindings, Optional: true, Clean: true},
		},
		Produces: []string{model.SectionDocuments},
		Options: []sdk.Option{
			{Name: "format", Type: sdk.String, Default: "text", Values: []string{"text", "markdown", "json"}, Doc: "Form of the document."},
			{Name: "budget", Type: sdk.Int, Default: 4096, Min: sdk.Bound(64), Max: sdk.Bound(1 << 20), Doc: "Hard upper limit of the document's size in tokens."},
			{Name: "tokenizer", Type: sdk.String, Default: "o200k_base", Values: []string{"o200k_base", "cl100k_base"}, Doc: "What counts the tokens."},
			{Name: "name", Type: sdk.String, Default: "", Doc: "Name of the document; the one without a name is the main one."},
			{Name: "max_signature", Type: sdk.Int, Default: 160, Min: sdk.Bound(20), Doc: "Characters after which a signature is cut."},
		},
		Check: loadEarly,
		Run:   run,
	}
}

// loadEarly begins to load the tokenizer when the stage is opened, which is before there is anything to report.
func loadEarly(c sdk.Config) error {
	if load, ok := codecs[c.String("tokenizer")]; ok {
		go func() { _, _ = load() }() // a fault is met again, and told, by the report
	}
	return nil
}

func run(ctx context.Context, c sdk.Config, m *sdk.Model) error {
	selection, err := m.Selection()
	if err != nil {
		return err
	}
	findings, err := m.Findings()
	if err != nil {
		return err
	}
	counter, err := newCounter(c.String("tokenizer"))
	if err != nil {
		return err
	}
	job := newJob(selection, findings.Findings, counter, c.Int("budget"), c.Int("max_signature"))
	layout, mediaType := newLayout(c.String("format"), job)
	content := ""
	if selection.Explanation != nil {
		content = explanation(job, c.String("format"))
	} else if content, err = fit(ctx, job, layout); err != nil {
		return err
	}
	if counter.err != nil {
		return fmt.Errorf("count tokens: %w", counter.err)
	}
	return m.SetDocuments(&model.Documents{Documents: []*model.Document{{
		Name: c.String("name"), MediaType: mediaType, Content: []byte(content),
	}}})
}

func newLayout(format string, j *job) (layout, string) {
	switch format {
	case "json":
		return &jsonLayout{job: j}, "application/json"
	case "markdown":
		return &textLayout{job: j, markdown: true}, "text/markdown; charset=utf-8"
	}
	return &textLayout{job: j}, "text/plain; charset=utf-8"
}
