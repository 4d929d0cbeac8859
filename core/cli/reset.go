package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/repox-dev/repox/core/cache"
)

func newReset(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "reset",
		Short: "Delete everything that repox has derived",
		Long: "Delete the cache: the database in the folder REPOX_CACHE_DIR, else in repox below the user's cache folder. " +
			"Nothing else in that folder is touched. The next run makes it again.",
		Args: usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			dir, err := cache.Dir()
			if err != nil {
				return err
			}
			removed, err := cache.Reset(cmd.Context(), dir)
			for _, path := range removed {
				if !a.quiet {
					fmt.Fprintf(a.stderr, "repox: deleted %s\n", oneLine(path))
				}
			}
			return err
		},
	}
}
