package cli

import (
	"encoding/json"
	"io"

	"github.com/repox-dev/repox/core/pipeline"
	"github.com/repox-dev/repox/sdk/secrets"
)

// redact takes secrets out of a text that is for the user: messages quote what the user or the repository wrote.
func (a *app) redact(text string) string { return a.secrets.Load().Redact("", text) }

// secretRules gives the rules by which the host cleans what it stores and passes on: those of the redacting stage. Where
// there are several, each of them stands for itself, and the host has the rules of the first. The configuration has been
// checked by the stage.
func secretRules(p *pipeline.Pipeline) *secrets.Policy {
	for i := range p.Stages {
		item := &p.Stages[i]
		if item.Path != "" || item.Component.Name != redactStage {
			continue
		}
		var spec secrets.Spec
		if json.Unmarshal(item.ConfigJSON(), &spec) != nil {
			return nil
		}
		rules, err := secrets.NewPolicy(&spec)
		if err != nil {
			return nil
		}
		return rules
	}
	return nil
}

// redactStage is the name of the built-in stage whose configuration is a secrets.Spec.
const redactStage = "redact"

// redactingWriter takes secrets out of what is written. Each write is looked at by itself: messages and log lines come
// whole.
type redactingWriter struct {
	w      io.Writer
	redact func(string) string
}

// Write implements io.Writer; it reports the length of what it was given, not of what came out.
func (r *redactingWriter) Write(p []byte) (int, error) {
	if _, err := io.WriteString(r.w, r.redact(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}
