package cli

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// redactOptions are the flags of `repox redact`.
type redactOptions struct {
	app            *app
	path, pipeline string
	kinds          bool
}

// newRedact makes the filter: what goes in comes out without its secrets.
func newRedact(a *app) *cobra.Command {
	o := &redactOptions{app: a}
	c := &cobra.Command{
		Use:   "redact",
		Short: "Take the secrets out of a text",
		Long: "Copy standard input to standard output with every secret replaced by [REDACTED]. Lines and their ends stay; " +
			"what is not a secret stays as it is. A text that is clean already is not changed. A text of up to 1 MiB is looked " +
			"at whole, a longer one is passed on in pieces.",
		Args: usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return contextCause(cmd.Context(), o.run(cmd.Context())) },
	}
	c.Flags().StringVar(&o.path, "stdin-filename", "", "path of the text, for the allow_paths of the pipeline")
	c.Flags().StringVar(&o.pipeline, "pipeline", "", "take rules and allow-lists from the stage redact of this pipeline `file`")
	c.Flags().BoolVar(&o.kinds, "kinds", false, "list the kinds of secrets that are known, and do nothing else")
	return c
}

func (o *redactOptions) run(ctx context.Context) error {
	if o.pipeline != "" {
		p, err := o.app.load(ctx, o.pipeline, nil)
		if err != nil {
			return err
		}
		o.app.secrets.Store(secretRules(p))
	}
	rules := o.app.secrets.Load()
	if o.kinds {
		_, err := io.WriteString(o.app.stdout, strings.Join(rules.Kinds(), "\n")+"\n")
		return err
	}
	if err := rules.Copy(o.app.stdout, o.app.stdin, o.path); err != nil {
		return fmt.Errorf("redact standard input: %w", err)
	}
	return nil
}
