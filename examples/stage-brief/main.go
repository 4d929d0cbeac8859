// Command stage-brief is a stage that prints what a goal is about: each file of the brief with its score and the signals
// that add up to it. The brief holds text of the repository that no redacting stage has passed, so a pipeline needs
// allow_unredacted for it.
package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/repox-dev/repox/sdk"
	"github.com/repox-dev/repox/sdk/model"
)

func main() {
	sdk.Main(&sdk.Stage{
		Name: "stage-brief", Version: "0.1.0", Doc: "Prints the files of a brief and why they are in it.",
		Consumes: sdk.Consume(model.SectionBrief), Produces: []string{model.SectionDocuments},
		Run: run,
	})
}

func run(_ context.Context, _ sdk.Config, m *sdk.Model) error {
	brief, err := m.Brief()
	if err != nil {
		return err
	}
	var b strings.Builder
	for _, f := range brief.Files {
		path, _ := model.PathText(f.Path)
		fmt.Fprintf(&b, "%s  %.2f  %s\n", path, f.Score, f.Confidence)
		for _, s := range f.Signals {
			fmt.Fprintf(&b, "    %5.2f  %s\n", s.Value, strings.TrimSpace(s.Kind+"  "+strings.Join(s.Words, ", ")+"  "+s.Detail))
		}
	}
	return m.SetDocuments(&model.Documents{Documents: []*model.Document{
		{Name: "brief.txt", MediaType: "text/plain; charset=utf-8", Content: []byte(b.String())},
	}})
}
