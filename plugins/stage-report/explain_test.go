package report

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tiktoken-go/tokenizer"

	"github.com/repox-dev/repox/sdk/model"
)

func explainedSample() *model.Selection {
	s := &model.Selection{Resolved: 300, Guessed: 4, Unresolved: 120}
	s.Explanation = &model.Explanation{
		Path: []byte("core/cli/run.go"), Class: "source", Rank: 2, Files: 12, Score: 0.2, DefinitionsTotal: 90, Resolved: 9, Unresolved: 3,
		UsersTotal: 30, UsedResolved: 60, UsedGuessed: 2,
		Definitions: []*model.ExplainedDefinition{
			{Name: "Run", Kind: "function", LineStart: 12, Rank: 3, Users: 1, Resolved: 1},
			{Name: "check", Kind: "method", Scope: "Options", LineStart: 52, Rank: 70},
		},
		Users: []*model.Use{
			{Path: []byte("cmd/main.go"), Score: 0.1, Resolved: 4, Names: []string{"Run", "Options"}, NamesTotal: 5},
			{Path: []byte("odd \xff\n`name`.go"), Score: 0.01, Resolved: 1, Guessed: 2, Names: []string{"Run"}, NamesTotal: 1},
		},
		Focus: []*model.FocusHit{{Kind: "word", Text: "run", Where: "core/cli/run.go"}},
	}
	return s
}

func TestGoldenExplanations(t *testing.T) {
	hidden := &model.Selection{Explanation: &model.Explanation{Path: []byte("gen.go"), Class: "generated"}}
	for name, c := range map[string]struct {
		options   string
		selection *model.Selection
	}{
		"explain-text.golden":     {`{}`, explainedSample()},
		"explain-markdown.golden": {`{"format":"markdown"}`, explainedSample()},
		"explain-json.golden":     {`{"format":"json"}`, explainedSample()},
		"explain-small.golden":    {`{"budget":100}`, explainedSample()},
		"explain-hidden.golden":   {`{}`, hidden},
	} {
		t.Run(name, func(t *testing.T) {
			got := document(t, c.options, c.selection).Content
			file := filepath.Join("testdata", name)
			if *update {
				if err := os.WriteFile(file, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), string(got)); diff != "" {
				t.Errorf("document differs (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAnExplanationKeepsToTheBudget(t *testing.T) {
	codec, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		t.Fatal(err)
	}
	for budget := 64; budget < 600; budget += 17 {
		for _, format := range []string{"text", "markdown", "json"} {
			content := document(t, `{"format":"`+format+`","budget":`+encode(budget)+`}`, explainedSample()).Content
			if n, err := codec.Count(string(content)); err != nil || n > budget {
				t.Errorf("%s has %d tokens of %d, error %v", format, n, budget, err)
			}
			if format == "json" && !json.Valid(content) {
				t.Errorf("no JSON: %s", content)
			}
		}
	}
}
