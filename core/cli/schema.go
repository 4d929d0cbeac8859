package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/repox-dev/repox/core/pipeline"
)

// newSchema makes `repox schema`.
func newSchema(a *app) *cobra.Command {
	return &cobra.Command{
		Use:       "schema pipeline",
		Short:     "Print a JSON Schema",
		ValidArgs: []string{"pipeline"},
		Args:      usageArgs(cobra.ExactArgs(1)),
		RunE: func(_ *cobra.Command, args []string) error {
			if args[0] != "pipeline" {
				return &usageError{fmt.Errorf("there is no schema %q; there is: pipeline", args[0])}
			}
			b, err := pipeline.Schema(a.catalog())
			if err != nil {
				return err
			}
			return a.writeOutput("", b)
		},
	}
}
