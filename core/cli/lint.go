package cli

import (
	"errors"
	"io/fs"
	"os"

	"github.com/spf13/cobra"
)

// newLint makes `repox lint`.
func newLint(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "lint [PIPELINE]",
		Short: "Check a pipeline file and list every mistake",
		Args:  usageArgs(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			file := defaultFile
			if len(args) == 1 {
				file = args[0]
			} else if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
				return &usageError{errors.New("there is no pipeline.yaml here to check; name a file")}
			}
			_, err := a.load(cmd.Context(), file, nil)
			return contextCause(cmd.Context(), err)
		},
	}
}
