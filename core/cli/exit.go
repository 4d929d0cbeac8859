package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/repox-dev/repox/core/diag"
	"github.com/repox-dev/repox/core/pluginhost"
	"github.com/repox-dev/repox/core/source"
)

// Exit statuses.
const (
	exitDone        = 0
	exitFailed      = 1
	exitUsage       = 2
	exitUnverified  = 3
	exitPlugin      = 4
	exitInterrupted = 130
)

// usageError is wrong usage of the command line.
type usageError struct{ err error }

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

// finish tells the user what went wrong, in one line or as diagnostics, and gives the exit status.
func (a *app) finish(err error) int {
	if err == nil {
		return exitDone
	}
	status := exitStatus(err)
	if status == exitInterrupted {
		fmt.Fprintln(a.stderr, "repox: interrupted")
		return status
	}
	var list diag.List
	if errors.As(err, &list) {
		if len(list) > 0 && a.render(list) == nil {
			return status
		}
	}
	fmt.Fprintf(a.stderr, "repox: %s\n", oneLine(err.Error()))
	return status
}

// render writes diagnostics. Lines are redacted before they are cut to what is shown: half a secret would not be known.
func (a *app) render(l diag.List) error {
	return diag.Renderer{Redact: a.redact}.Render(a.stderr, l)
}

func exitStatus(err error) int {
	var usage *usageError
	var list diag.List
	var pattern *source.PatternError
	var rev *source.RevError
	var start *pluginhost.StartError
	var open *openError
	switch {
	case errors.Is(err, errInterrupted), errors.Is(err, context.Canceled):
		return exitInterrupted
	case errors.Is(err, errUnverified):
		return exitUnverified
	case errors.As(err, &start), errors.As(err, &open):
		return exitPlugin
	case errors.As(err, &list):
		return listStatus(list)
	case errors.As(err, &usage), errors.As(err, &pattern), errors.As(err, &rev):
		return exitUsage
	}
	return exitFailed
}

// listStatus is wrong configuration, unless the only thing wrong is that plugins cannot be started.
func listStatus(l diag.List) int {
	for _, d := range l {
		var start *pluginhost.StartError
		if d.Severity == diag.Error && !errors.As(d.Cause, &start) {
			return exitUsage
		}
	}
	return exitPlugin
}

// oneLine makes a message safe for a terminal and for those who read it by line.
func oneLine(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '\n' || r == '\r' || r == '\t':
			b.WriteByte(' ')
		case unicode.IsControl(r):
			fmt.Fprintf(&b, `\x%02x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// warnf writes a warning, unless the user wants quiet.
func (a *app) warnf(format string, args ...any) {
	if a.quiet {
		return
	}
	fmt.Fprintf(a.stderr, "repox: warning: %s\n", oneLine(fmt.Sprintf(format, args...)))
}
