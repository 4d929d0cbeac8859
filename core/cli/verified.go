package cli

import (
	"cmp"
	"context"
	"fmt"

	"github.com/repox-dev/repox/core/inventory"
	"github.com/repox-dev/repox/core/pipeline"
	"github.com/repox-dev/repox/core/verify"
)

// checkVerified sees to the pipeline's policy on language packs that have not passed their fixtures: "require" ends the run,
// "warn" says so. What is remembered of a build is believed; else it is verified now. Packs without a file to read are
// left alone, and so, where a warning is all that follows, are the built-in ones: the program's own tests verify them.
func (s *session) checkVerified(ctx context.Context, inv *inventory.Inventory) error {
	if s.pipeline.Verify == pipeline.VerifyOff {
		return nil
	}
	present := map[string]bool{}
	for i := range inv.Entries {
		present[inv.Entries[i].Language] = true
	}
	for i := range s.pipeline.Languages {
		item := &s.pipeline.Languages[i]
		if !hasFiles(item, present) || s.pipeline.Verify == pipeline.VerifyWarn && item.Path == "" {
			continue
		}
		outcome, err := s.outcome(ctx, item)
		if err != nil {
			return err
		}
		if outcome.Passed {
			continue
		}
		failed := fmt.Sprintf("%s is not verified: %s; `repox verify %s` shows all", item.Component.Name, outcome.Reason, cmp.Or(item.Path, item.Component.Name))
		if s.pipeline.Verify == pipeline.VerifyRequire {
			return &unverifiedError{failed}
		}
		s.app.warnf("%s", failed)
	}
	return nil
}

func hasFiles(item *pipeline.Item, present map[string]bool) bool {
	for _, l := range item.Languages {
		if present[l.Name] {
			return true
		}
	}
	return false
}

// outcome gives what is remembered of a pack's build, or verifies it.
func (s *session) outcome(ctx context.Context, item *pipeline.Item) (verify.Outcome, error) {
	prog, err := s.program(item)
	if err != nil {
		return verify.Outcome{}, err
	}
	if o, ok := verify.Remembered(ctx, s.store, identity(prog.digest, item.Component, item.ConfigJSON())); ok {
		return o, nil
	}
	report, err := s.verify(ctx, item, nil)
	if ctx.Err() != nil {
		return verify.Outcome{}, ctx.Err()
	}
	return verify.OutcomeOf(report, err), nil
}

// unverifiedError ends a run whose pipeline requires what its packs did not pass.
type unverifiedError struct{ message string }

func (e *unverifiedError) Error() string { return e.message }

// Is makes it one of the errors that errUnverified stands for.
func (e *unverifiedError) Is(target error) bool { return target == errUnverified }
