package tags

import (
	"errors"
	"fmt"
	"strings"

	"github.com/repox-dev/repox/core/pluginhost"
)

const (
	// barrenLimit is how many processes in a row may end without a file being found guilty.
	barrenLimit = 3
	// crashLimit and overdueLimit are how many files a pack may fail on before it is given up. The second is small
	// because each such file costs its whole time.
	crashLimit   = 20
	overdueLimit = 5
)

// PackError says that a pack was given up during a run. Every file it did not answer is a skip.
type PackError struct {
	Pack string
	// Files are the paths that the pack failed on alone, in the order in which they were found.
	Files    []string
	Restarts int
	// Err is the last fault.
	Err error
}

// Error gives one line that names the first file.
func (e *PackError) Error() string {
	where := ""
	if len(e.Files) > 0 {
		where = fmt.Sprintf(", %d files fail on their own, the first is %q", len(e.Files), e.Files[0])
	}
	return fmt.Sprintf("extract with %s: given up after it was lost %d times%s: %v", e.Pack, e.Restarts, where, e.Err)
}

// Unwrap gives the last fault.
func (e *PackError) Unwrap() error { return e.Err }

// fault is why a process is replaced.
type fault struct {
	err     error
	overdue bool
	garbage bool
}

// explain learns what became of the process, if the fault is an error of the stream.
func (f *fault) explain(pack Process) {
	if f.overdue || f.garbage {
		return
	}
	if errors.Is(f.err, errEarlyEnd) {
		f.garbage = true
		return
	}
	var crash *pluginhost.CrashError
	var call *pluginhost.CallError
	if !errors.As(f.err, &crash) && !errors.As(f.err, &call) {
		f.err = pack.Explain("Extract", f.err)
	}
	if errors.As(f.err, &crash) {
		f.overdue = crash.Cause == pluginhost.Frozen
	}
}

// cause is told to calls that still run in the process.
func (f *fault) cause() pluginhost.Cause {
	if f.overdue {
		return pluginhost.Overdue
	}
	return pluginhost.Faulty
}

// code is the skip's code for the file that the fault is put down to.
func (f *fault) code() string {
	var call *pluginhost.CallError
	switch {
	case f.overdue:
		return "timeout"
	case errors.As(f.err, &call) && call.Reason == pluginhost.TooLarge:
		return "too_complex"
	}
	return "crashed"
}

// message tells of the fault what is the same in every run.
func (f *fault) message() string {
	var crash *pluginhost.CrashError
	switch {
	case errors.As(f.err, &crash) && crash.Cause == pluginhost.Crashed:
		return "the language pack crashed on it twice: " + lastWords(crash)
	case errors.As(f.err, &crash):
		return "the language pack " + crash.Cause.String()
	case f.overdue:
		return "the language pack gave " + f.err.Error()
	case f.garbage:
		return "the language pack answered it with garbage: " + f.err.Error()
	case f.code() == "too_complex":
		return "its facts exceed the message limit"
	}
	return "the language pack failed on it: " + f.err.Error()
}

// lastWords leaves out the tail of standard error: it holds times and addresses.
func lastWords(c *pluginhost.CrashError) string {
	exit := fmt.Sprintf("exit status %d", c.ExitCode)
	if c.Signal != "" {
		exit = "signal " + c.Signal
	}
	if len(c.Panic) > 0 {
		exit += ": " + strings.ToValidUTF8(c.Panic[0], "�")
	}
	return exit
}

// blame keeps count of what the faults of a pack have shown.
type blame struct {
	files   []string
	overdue int
	inVain  int
}

// isolated notes a file that ended a process alone.
func (b *blame) isolated(path string, f *fault) {
	b.files = append(b.files, strings.ToValidUTF8(path, "�"))
	if f.overdue {
		b.overdue++
	}
	b.inVain = 0
}

// barren notes a process that ended without showing why.
func (b *blame) barren() { b.inVain++ }

// exhausted tells whether the pack is to be given up.
func (b *blame) exhausted() bool {
	return b.inVain > barrenLimit || len(b.files) >= crashLimit || b.overdue >= overdueLimit
}
