// Package cli is the repox program: one file for each command, with its options, its constructor and its run function.
// Start reading at Main.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync"
	"sync/atomic"
	"syscall"

	"github.com/repox-dev/repox/sdk"
	"github.com/repox-dev/repox/sdk/heap"
	"github.com/repox-dev/repox/sdk/secrets"
)

// Version is the version of the program.
const Version = "0.1.0-dev"

// Builtin is what is inside the program beside the host.
type Builtin struct {
	// Plugins still run as processes of their own.
	Plugins []sdk.Component
}

// Main runs the program and gives its exit status.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer, builtin Builtin) int {
	// A plugin process is decided before anything else is touched: flags, configuration, cache.
	if len(args) == 3 && args[0] == "plugin" && args[1] == "serve" {
		return servePlugin(args[2], stderr, builtin.Plugins)
	}
	console := newConsole(stderr)
	heap.Bound(garbage)
	app := &app{console: console, stdin: stdin, stdout: stdout, builtin: builtin.Plugins}
	stderr = &redactingWriter{w: console, redact: app.redact}
	app.stderr = stderr
	ctx, insisted, stop := interruptible(context.Background())
	defer stop()
	root := newRoot(app)
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	status := make(chan int, 1)
	go func() { status <- app.finish(root.ExecuteContext(ctx)) }()
	select {
	case s := <-status:
		return s
	case <-insisted:
		// The end of the program takes the command's goroutines along.
		app.killers.run()
		return exitInterrupted
	}
}

// garbage is how many bytes the host gathers before it collects them.
const garbage = 48 << 20

func servePlugin(name string, stderr io.Writer, builtin []sdk.Component) int {
	for _, c := range builtin {
		if sdk.Describe(c).Name != name {
			continue
		}
		if err := sdk.Serve(c); err != nil {
			fmt.Fprintln(stderr, err)
			return exitPlugin
		}
		return exitDone
	}
	fmt.Fprintf(stderr, "repox: no built-in plugin %q\n", name)
	return exitUsage
}

// app is what every command works with.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	builtin        []sdk.Component
	// secrets are the rules that messages are cleaned by: those of the pipeline, once it is known.
	secrets atomic.Pointer[secrets.Policy]
	// killers are called when the user insists on an end.
	killers  killers
	logLevel string
	// quiet: no warnings and no progress. noProgress: the latter.
	quiet, noProgress bool
	// console is what stderr writes to. streams: results go to stdout while the work goes on.
	console *console
	streams bool
	mu      sync.Mutex
}

// errInterrupted: the user or the system asked for an end.
var errInterrupted = errors.New("interrupted")

// interruptible gives a context that ends at the first interrupt, and a channel that is closed at the second one, when the
// user will not wait any longer.
func interruptible(parent context.Context) (ctx context.Context, insisted <-chan struct{}, stop func()) {
	ctx, cancel := context.WithCancelCause(parent)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	done, second := make(chan struct{}), make(chan struct{})
	go func() {
		select {
		case <-signals:
		case <-done:
			return
		}
		cancel(errInterrupted)
		select {
		case <-signals:
			close(second)
		case <-done:
		}
	}()
	return ctx, second, func() {
		signal.Stop(signals)
		close(done)
		cancel(nil)
	}
}
