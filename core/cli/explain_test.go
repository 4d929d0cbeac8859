package cli

import (
	"context"
	"errors"
	"testing"

	"github.com/repox-dev/repox/core/diag"
	"github.com/repox-dev/repox/core/pipeline"
	"github.com/repox-dev/repox/core/pluginhost"
	"github.com/repox-dev/repox/core/preset"
	pluginv1 "github.com/repox-dev/repox/sdk/proto"
)

const explained = `version: 1
stages:
  - use: picky
    with:
      names:
        - good
        - bad
`

func picky(t *testing.T) *pipeline.Item {
	t.Helper()
	component := &pluginv1.Component{
		Name: "picky", Version: "1",
		Stage:   &pluginv1.StageInfo{Cleans: true, Produces: []*pluginv1.SectionUse{{Section: "documents"}}},
		Options: []*pluginv1.Option{{Name: "names", Type: pluginv1.Option_TYPE_STRING_LIST}},
	}
	p, l := pipeline.Load(context.Background(), pipeline.Options{
		File: "p.yaml", Data: []byte(explained), Catalog: pipeline.NewCatalog([]*pluginv1.Component{component}, nil), Presets: preset.FS,
	})
	if p == nil {
		t.Fatal(l)
	}
	return &p.Stages[0]
}

func TestFaultsThatOnlyThePluginSeesHaveAPlace(t *testing.T) {
	err := (&session{}).explain(picky(t), &pluginhost.ConfigError{Component: "picky", Diagnostics: []*pluginv1.Diagnostic{{
		Severity: pluginv1.Diagnostic_SEVERITY_ERROR, Message: "no such name.", Hint: "use good", ConfigPath: []string{"names", "1"},
	}}})
	var l diag.List
	if !errors.As(err, &l) || len(l) != 1 {
		t.Fatalf("got %v", err)
	}
	if got, want := l.Error(), "p.yaml:7:11: no such name; use good"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if exitStatus(err) != exitUsage {
		t.Errorf("exit status %d", exitStatus(err))
	}
}

func TestExitStatuses(t *testing.T) {
	start := &pluginhost.StartError{Plugin: "x"}
	for _, tt := range []struct {
		name string
		err  error
		want int
	}{
		{"a job that failed", errors.New("x"), exitFailed},
		{"wrong usage", &usageError{errors.New("x")}, exitUsage},
		{"wrong configuration", diag.List{{Message: "x"}}, exitUsage},
		{"a plugin that cannot be started", start, exitPlugin},
		{"the same, found while the pipeline is read", diag.List{{Message: "x", Cause: start}, {Severity: diag.Warning}}, exitPlugin},
		{"both", diag.List{{Message: "x", Cause: start}, {Message: "y"}}, exitUsage},
		{"an interrupt", errInterrupted, exitInterrupted},
		{"an interrupt inside of something", errors.Join(errors.New("x"), context.Canceled), exitInterrupted},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := exitStatus(tt.err); got != tt.want {
				t.Errorf("got %d, want %d", got, tt.want)
			}
		})
	}
}
