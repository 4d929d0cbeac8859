package cli

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/repox-dev/repox/core/diag"
	"github.com/repox-dev/repox/core/engine"
	"github.com/repox-dev/repox/core/pipeline"
	"github.com/repox-dev/repox/core/pluginhost"
	"github.com/repox-dev/repox/core/tags"
	"github.com/repox-dev/repox/sdk/model"
	pluginv1 "github.com/repox-dev/repox/sdk/proto"
)

// defaultStageTime bounds a stage where the pipeline does not. It is far beyond what a stage should take: it only ends
// those that would never end by themselves.
const defaultStageTime = 10 * time.Minute

// stages gives the stages of the plan to the engine. The steps of the plan and the stages of the pipeline have the same
// numbers.
func (s *session) stages() ([]engine.Stage, error) {
	var out []engine.Stage
	for i := range s.pipeline.Plan.Steps {
		step := &s.pipeline.Plan.Steps[i]
		item := &s.pipeline.Stages[step.Stage]
		prog, err := s.program(item)
		if err != nil {
			return nil, err
		}
		prog.users.Add(1)
		config := item.ConfigJSON()
		component := prog.supervisor.Component(item.Component.Name, config, &pluginv1.Limits{})
		s.components = append(s.components, component)
		stage := engine.Stage{
			Name: item.Component.Name, Identity: identity(prog.digest, item.Component, config),
			Outputs: step.Outputs, Remember: remember(step),
			Run: func(ctx context.Context, sections map[string][]byte) (map[string][]byte, error) {
				s.bar.Phase(item.Component.Name)
				ctx, cancel := context.WithTimeout(ctx, cmp.Or(s.pipeline.Limits.Stage.Time, defaultStageTime))
				defer cancel()
				got, err := component.Process(ctx, sections)
				s.release(prog)
				return got, s.explain(item, err)
			},
		}
		if slices.Contains(step.Outputs, model.SectionDocuments) {
			// The end of the run waits for these stages, whose own start is the longest part of their work. What goes
			// wrong is told when the stage is used.
			stage.Prepare = func(ctx context.Context) { _, _ = component.Open(ctx) }
		}
		for _, in := range step.Inputs {
			stage.Inputs = append(stage.Inputs, engine.Input{Section: in.Section, From: in.From})
		}
		out = append(out, stage)
	}
	return out, nil
}

// remember tells whether the outputs of a stage may be kept: those that a redacting stage has passed, and of the others
// those that only hold what is needed to compute.
func remember(step *pipeline.Step) bool {
	if step.Clean {
		return true
	}
	for _, o := range step.Outputs {
		if !slices.Contains([]string{model.SectionGraph, model.SectionRanking, model.SectionFindings}, o) {
			return false
		}
	}
	return true
}

// openError says that a component cannot work at all, whatever its configuration.
type openError struct{ component, message string }

func (e *openError) Error() string { return e.component + ": " + e.message }

// explainPack is explain for a language pack: one that cannot work at all costs its own files only.
func (s *session) explainPack(item *pipeline.Item, err error) error {
	err = s.explain(item, err)
	var open *openError
	if errors.As(err, &open) {
		return &tags.UnusableError{Pack: item.Component.Name, Err: err}
	}
	return err
}

// explain gives faults of a configuration that only the plugin could see their places in the pipeline file.
func (s *session) explain(item *pipeline.Item, err error) error {
	var ce *pluginhost.ConfigError
	if !errors.As(err, &ce) {
		return err
	}
	for _, d := range ce.Diagnostics {
		if len(d.ConfigPath) == 0 && d.Severity == pluginv1.Diagnostic_SEVERITY_ERROR {
			return &openError{component: ce.Component, message: d.Message}
		}
	}
	return placed(item, ce.Diagnostics)
}

// placed gives what a component says of its configuration the places in the pipeline file.
func placed(item *pipeline.Item, found []*pluginv1.Diagnostic) diag.List {
	var l diag.List
	for _, d := range found {
		out := diag.Diagnostic{Message: strings.TrimSuffix(d.Message, "."), Place: item.WithPlace(d.ConfigPath)}
		if d.Severity == pluginv1.Diagnostic_SEVERITY_WARNING {
			out.Severity = diag.Warning
		}
		if d.Hint != "" {
			out.Message += "; " + d.Hint
		}
		l = append(l, out)
	}
	return l
}
