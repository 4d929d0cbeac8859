package pluginhost

import (
	"context"
	"fmt"
	"io"
	"strconv"

	"github.com/hashicorp/go-plugin/runner"
)

// What go-plugin asks of a runner besides Start.
var _ runner.Runner = (*processRunner)(nil)

// Wait implements runner.Runner.
func (r *processRunner) Wait(ctx context.Context) error {
	select {
	case <-r.exited:
	case <-ctx.Done():
		return ctx.Err()
	}
	if r.state != nil && !r.state.Success() {
		return fmt.Errorf("plugin %s: %s", r.name, r.state)
	}
	return nil
}

// Kill implements runner.Runner. It is bounded also for a process that is stuck in the kernel.
func (r *processRunner) Kill(context.Context) error {
	r.end(&CrashError{Cause: Stopped})
	if r.ID() != "" && !r.gone(reapTime) {
		return fmt.Errorf("process %s of plugin %s does not end", r.ID(), r.name)
	}
	return nil
}

// Stdout implements runner.Runner: it gives the handshake line and then waits for the end.
func (r *processRunner) Stdout() io.ReadCloser { return r.handshakes }

// Stderr implements runner.Runner. It is empty: go-plugin's own reader of log lines panics on some.
func (r *processRunner) Stderr() io.ReadCloser { return emptyStream{} }

// Name implements runner.Runner.
func (r *processRunner) Name() string { return r.name }

// ID implements runner.Runner.
func (r *processRunner) ID() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.process == nil {
		return ""
	}
	return strconv.Itoa(r.process.Pid)
}

// Diagnose implements runner.Runner; StartError tells more.
func (r *processRunner) Diagnose(context.Context) string { return "" }

// PluginToHost implements runner.Runner: both sides see the same files.
func (r *processRunner) PluginToHost(network, addr string) (string, string, error) {
	return network, addr, nil
}

// HostToPlugin implements runner.Runner.
func (r *processRunner) HostToPlugin(network, addr string) (string, string, error) {
	return network, addr, nil
}
