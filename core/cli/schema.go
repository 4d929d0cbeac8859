package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/repox-dev/repox/core/handoff"
	"github.com/repox-dev/repox/core/pipeline"
)

// newSchema makes `repox schema`.
func newSchema(a *app) *cobra.Command {
	return &cobra.Command{
		Use:       "schema pipeline|handoff",
		Short:     "Print a JSON Schema",
		ValidArgs: []string{"pipeline", "handoff"},
		Args:      usageArgs(cobra.ExactArgs(1)),
		RunE: func(_ *cobra.Command, args []string) error {
			switch args[0] {
			case "pipeline":
				b, err := pipeline.Schema(a.catalog())
				if err != nil {
					return err
				}
				return a.writeOutput("", b)
			case "handoff":
				return a.writeOutput("", handoff.Schema())
			}
			return &usageError{fmt.Errorf("there is no schema %q; there are: pipeline, handoff", args[0])}
		},
	}
}
