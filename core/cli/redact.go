package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/repox-dev/repox/sdk/secrets"
)

// newRedact makes the filter: what goes in comes out without its secrets. It reads to the end before it writes, since a key
// may have begun on an earlier line and a file's first lines may say what its later ones are.
func newRedact(a *app) *cobra.Command {
	var path string
	c := &cobra.Command{
		Use:   "redact",
		Short: "Take the secrets out of a text",
		Long: "Copy standard input to standard output with every secret replaced by [REDACTED]. Lines and their ends stay; " +
			"what is not a secret stays as it is. A text that is clean already is not changed.",
		Args: usageArgs(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error {
			text, err := io.ReadAll(a.stdin)
			if err != nil {
				return fmt.Errorf("standard input cannot be read: %w", err)
			}
			_, err = io.WriteString(a.stdout, secrets.RedactFile(path, string(text)))
			return err
		},
	}
	c.Flags().StringVar(&path, "stdin-filename", "", "path of the text, which tells its format")
	return c
}
