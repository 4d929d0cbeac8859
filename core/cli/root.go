package cli

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/spf13/cobra"
)

// newRoot makes the command tree.
func newRoot(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:           "repox",
		Short:         "Make an unfamiliar repository understandable in one call",
		Version:       Version,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          usageArgs(cobra.NoArgs),
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetVersionTemplate("repox {{.Version}}\n")
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error {
		return &usageError{fmt.Errorf("%w; see --help", err)}
	})
	root.CompletionOptions.DisableDefaultCmd = true
	flags := root.PersistentFlags()
	flags.StringVar(&a.logLevel, "log-level", "warn", "what to log on standard error: debug, info, warn, error")
	flags.BoolVarP(&a.quiet, "quiet", "q", false, "no warnings, no progress")
	flags.BoolVar(&a.noProgress, "no-progress", false, "no progress bar, which is there only if standard error is a terminal")
	root.PersistentPreRunE = func(*cobra.Command, []string) error { return a.checkLogLevel() }
	root.AddCommand(newRun(a), newMap(a), newTags(a), newVerify(a), newLint(a), newSchema(a), newIndex(a), newValidate(a), newRedact(a), newReset(a))
	return root
}

// usageArgs makes errors about arguments errors of usage.
func usageArgs(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := check(cmd, args); err != nil {
			return &usageError{fmt.Errorf("%w; see `%s --help`", err, cmd.CommandPath())}
		}
		return nil
	}
}

func (a *app) checkLogLevel() error {
	var level slog.Level
	if err := level.UnmarshalText([]byte(a.logLevel)); err != nil {
		return &usageError{fmt.Errorf("log level %q is not one of debug, info, warn, error", a.logLevel)}
	}
	return nil
}

// logger writes what plugins and packages log to standard error.
func (a *app) logger() *slog.Logger {
	var level slog.Level
	if err := level.UnmarshalText([]byte(a.logLevel)); err != nil {
		level = slog.LevelWarn
	}
	if a.quiet {
		level = max(level, slog.LevelError)
	}
	return slog.New(slog.NewTextHandler(a.stderr, &slog.HandlerOptions{Level: level, ReplaceAttr: dropTime}))
}

// dropTime leaves the time out of log lines: they are read while they are written.
func dropTime(groups []string, attr slog.Attr) slog.Attr {
	if len(groups) == 0 && attr.Key == slog.TimeKey {
		return slog.Attr{}
	}
	return attr
}

// cause is why a command's context has ended, if it has.
func contextCause(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}
