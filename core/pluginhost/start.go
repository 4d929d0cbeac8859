package pluginhost

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"
	"github.com/hashicorp/go-plugin/runner"
	"google.golang.org/grpc"

	pluginv1 "github.com/repox-dev/repox/sdk/proto"
)

// Transport settings, chosen for few large messages over a local socket; see BenchmarkProcess.
const (
	windowSize = 8 << 20
	bufferSize = 512 << 10
)

// connector is the host's half of go-plugin's plugin set: it hands out the connection.
type connector struct{ plugin.NetRPCUnsupportedPlugin }

// GRPCServer implements plugin.GRPCPlugin; this side serves nothing.
func (connector) GRPCServer(*plugin.GRPCBroker, *grpc.Server) error {
	return errors.New("the host serves no plugin")
}

// GRPCClient implements plugin.GRPCPlugin.
func (connector) GRPCClient(_ context.Context, _ *plugin.GRPCBroker, conn *grpc.ClientConn) (any, error) {
	return conn, nil
}

// Start runs a plugin and waits until it answers. Cancelling ctx kills the start at once; it has no influence on the
// plugin afterwards. Failures are *StartError, or the context's error inside one.
func (h *Host) Start(ctx context.Context, spec Spec) (*Plugin, error) {
	if err := ctx.Err(); err != nil {
		return nil, &StartError{Plugin: spec.Name, Path: spec.Path, Detail: "interrupted", Err: err}
	}
	path, err := checkExecutable(spec)
	if err != nil {
		return nil, err
	}
	dirs, err := h.enter()
	if err != nil {
		return nil, named(err, spec)
	}
	defer h.starting.Done()
	p := h.prepare(spec, path, dirs)
	if err := p.connect(ctx); err != nil {
		p.discard()
		return nil, named(err, spec)
	}
	p.watch()
	if !h.keep(p) {
		p.discard()
		return nil, named(errClosed, spec)
	}
	return p, nil
}

// named fills in which plugin an error of a start is about.
func named(err error, spec Spec) error {
	var e *StartError
	if !errors.As(err, &e) {
		e = &StartError{Detail: err.Error(), Err: err}
	}
	e.Plugin, e.Path = spec.Name, spec.Path
	return e
}

// prepare makes everything that a start needs, and starts nothing.
func (h *Host) prepare(spec Spec, path string, dirs pluginDirs) *Plugin {
	cmd := exec.Command(path, spec.Args...)
	cmd.Dir = dirs.work
	r := newProcessRunner(cmd, spec.Name, h.opts.HostVersion, h.log)
	set := map[int]plugin.PluginSet{}
	for _, v := range supportedVersions {
		set[v] = plugin.PluginSet{pluginv1.SetName: connector{}}
	}
	calls := &callCounter{}
	dial := []grpc.DialOption{
		grpc.WithContextDialer(r.dial),
		grpc.WithUnaryInterceptor(calls.unary), grpc.WithStreamInterceptor(calls.stream),
		grpc.WithDefaultCallOptions(
			grpc.MaxCallRecvMsgSize(pluginv1.MessageLimit), grpc.MaxCallSendMsgSize(pluginv1.MessageLimit)),
		grpc.WithInitialWindowSize(windowSize), grpc.WithInitialConnWindowSize(windowSize),
		grpc.WithReadBufferSize(bufferSize), grpc.WithWriteBufferSize(bufferSize),
	}
	client := plugin.NewClient(&plugin.ClientConfig{
		HandshakeConfig:  plugin.HandshakeConfig{MagicCookieKey: pluginv1.CookieKey, MagicCookieValue: pluginv1.CookieValue},
		VersionedPlugins: set,
		AllowedProtocols: []plugin.Protocol{plugin.ProtocolGRPC},
		AutoMTLS:         useMTLS,
		SkipHostEnv:      true,
		UnixSocketConfig: &plugin.UnixSocketConfig{TempDir: dirs.root},
		// Ours comes first; see connect.
		StartTimeout:    2 * h.opts.StartTimeout,
		GRPCDialOptions: dial,
		SyncStdout:      &syncedLines{lineCutter{line: r.stdoutLine}},
		SyncStderr:      &syncedLines{lineCutter{line: r.stderrLine}},
		Logger:          hclog.NewNullLogger(),
		RunnerFunc: func(_ hclog.Logger, made *exec.Cmd, _ string) (runner.Runner, error) {
			// The last one counts: the socket's path is one folder shorter than go-plugin would make it.
			cmd.Env = append(append(environ(dirs.tmp, spec.Env), made.Env...), plugin.EnvUnixSocketDir+"="+dirs.root)
			return r, nil
		},
	})
	return &Plugin{host: h, spec: spec, runner: r, client: client, dirs: dirs, calls: calls}
}

// syncedLines cuts into lines what a plugin writes to its language's standard streams and go-plugin carries over gRPC.
// go-plugin writes from one goroutine.
type syncedLines struct{ lineCutter }

var _ io.Writer = (*syncedLines)(nil)

// connect starts the process, waits for its handshake and for a sign of life.
func (p *Plugin) connect(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, p.host.opts.StartTimeout, errStartTimeout)
	defer cancel()
	done := make(chan error, 1)
	// It ends when the process is killed, as every wait in it is on the process or its socket.
	go func() { done <- p.negotiate(ctx) }()
	var err error
	select {
	case err = <-done:
	case <-ctx.Done():
		err = p.abandon(done)
	case <-p.host.closing:
		_ = p.abandon(done)
		return errClosed
	}
	if err == nil && ctx.Err() == nil {
		return nil
	}
	return p.explainStart(ctx, err)
}

// abandon kills the process and waits for what its end does to the start. Only a process stuck in the kernel outlasts it.
func (p *Plugin) abandon(done <-chan error) error {
	p.runner.end(&CrashError{Cause: Stopped})
	select {
	case err := <-done:
		return err
	case <-time.After(reapTime):
		return fmt.Errorf("process %s does not end", p.runner.ID())
	}
}

var errStartTimeout = errors.New("start timeout")

func (p *Plugin) negotiate(ctx context.Context) error {
	protocol, err := p.client.Client()
	if err != nil {
		return err
	}
	raw, err := protocol.Dispense(pluginv1.SetName)
	if err != nil {
		return err
	}
	p.conn = raw.(*grpc.ClientConn)
	return p.ping(ctx)
}

// explainStart turns a failed start into an error that tells why, from what the runner saw rather than from go-plugin's
// words.
func (p *Plugin) explainStart(ctx context.Context, err error) error {
	r := p.runner
	cause := context.Cause(ctx)
	// A process that has just died closes its pipes before it can be reaped.
	if cause == nil {
		r.gone(drainTime)
	}
	r.mu.Lock()
	refusal, startErr, ended := r.refusal, r.startErr, r.killed
	r.mu.Unlock()
	e := &StartError{Err: err}
	e.Panic, e.StderrTail = r.tail.snapshot()
	switch {
	case refusal != nil:
		return refusal
	case startErr != nil:
		e.Reason, e.Detail, e.Next = startReason(startErr)
		e.Err = startErr
	case errors.Is(cause, errStartTimeout):
		e.Reason = HandshakeTimeout
		e.Detail = fmt.Sprintf("%s have passed", p.host.opts.StartTimeout.Round(time.Millisecond))
		e.Next = "raise the start timeout, or see its log with --log-level debug"
		e.Err = cause
	case cause != nil:
		e.Detail, e.Err, e.Panic, e.StderrTail = "interrupted", cause, nil, nil
	case ended:
		e.Reason, e.Detail = ExitedBeforeHandshake, r.obituary().exit()
		e.Next = "see its log with --log-level debug"
	default:
		e.Reason, e.Next = Unreachable, "see its log with --log-level debug"
		if err != nil {
			e.Detail = err.Error()
		}
	}
	return e
}

// discard ends a plugin that never came into the host's care.
func (p *Plugin) discard() {
	p.runner.end(&CrashError{Cause: Stopped})
	_ = p.release()
	_ = os.RemoveAll(p.dirs.root)
}
