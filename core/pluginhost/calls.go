package pluginhost

import (
	"context"
	"errors"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	pluginv1 "github.com/repox-dev/repox/sdk/proto"
)

// obituaryTime is how long a broken connection may be ahead of the news that the process is gone.
const obituaryTime = time.Second

// Describe asks what the program contains.
func (p *Plugin) Describe(ctx context.Context) (*pluginv1.DescribeResponse, error) {
	return unary(ctx, p, "Describe", func(ctx context.Context) (*pluginv1.DescribeResponse, error) {
		return pluginv1.NewPluginClient(p.conn).Describe(ctx, &pluginv1.DescribeRequest{HostVersion: p.host.opts.HostVersion})
	})
}

// Open makes an instance of one component. Faults of the configuration are the diagnostics; the instance is empty when
// one of them is an error.
func (p *Plugin) Open(
	ctx context.Context, component string, configJSON []byte, limits *pluginv1.Limits,
) (instance string, diags []*pluginv1.Diagnostic, err error) {
	resp, err := unary(ctx, p, "Open", func(ctx context.Context) (*pluginv1.OpenResponse, error) {
		return pluginv1.NewPluginClient(p.conn).Open(ctx, &pluginv1.OpenRequest{Component: component, ConfigJson: configJSON, Limits: limits})
	})
	if err != nil {
		return "", nil, err
	}
	if resp.Instance == "" && !hasError(resp.Diagnostics) {
		return "", nil, p.garbage("Open", "neither an instance nor a diagnostic that is an error")
	}
	return resp.Instance, resp.Diagnostics, nil
}

func hasError(diags []*pluginv1.Diagnostic) bool {
	for _, d := range diags {
		if d.GetSeverity() == pluginv1.Diagnostic_SEVERITY_ERROR {
			return true
		}
	}
	return false
}

// Close forgets an instance.
func (p *Plugin) Close(ctx context.Context, instance string) error {
	_, err := unary(ctx, p, "Close", func(ctx context.Context) (*pluginv1.CloseResponse, error) {
		return pluginv1.NewPluginClient(p.conn).Close(ctx, &pluginv1.CloseRequest{Instance: instance})
	})
	return err
}

// unary makes a call that does no real work, under the host's timeout for those.
func unary[R any](ctx context.Context, p *Plugin, method string, call func(context.Context) (R, error)) (R, error) {
	begin := time.Now()
	short, cancel := context.WithTimeout(ctx, p.host.opts.CallTimeout)
	defer cancel()
	resp, err := call(short)
	if err != nil {
		err = p.explain(method, begin, err)
	}
	return resp, err
}

// Explain turns an error of a call made through Pack into a *CrashError, when the process has ended, or a *CallError.
// Nil stays nil.
func (p *Plugin) Explain(method string, err error) error {
	if err == nil {
		return nil
	}
	return p.explain(method, time.Time{}, err)
}

func (p *Plugin) explain(method string, begin time.Time, err error) error {
	code := status.Code(err)
	if code == codes.Unavailable || code == codes.Internal || code == codes.Canceled || code == codes.Unknown {
		// The connection may have broken because the process died; the news of that takes a moment.
		if c := p.crash(method, code == codes.Unavailable); c != nil {
			return c
		}
	}
	e := &CallError{Plugin: p.spec.Name, Method: method, Detail: status.Convert(err).Message(), Err: err}
	if !begin.IsZero() {
		e.Elapsed = time.Since(begin)
	}
	switch {
	case code == codes.DeadlineExceeded || errors.Is(err, context.DeadlineExceeded):
		e.Reason = CallTimeout
	case code == codes.Canceled || errors.Is(err, context.Canceled):
		e.Reason = CallCanceled
	case code == codes.ResourceExhausted:
		e.Reason = TooLarge
	case code == codes.Unimplemented || code == codes.NotFound:
		e.Reason = Unsupported
	}
	return e
}

// crash gives the obituary of a process that has ended, or that is about to be found ended.
func (p *Plugin) crash(method string, wait bool) *CrashError {
	p.runner.mu.Lock()
	ending := p.runner.killed
	p.runner.mu.Unlock()
	if wait || ending {
		p.runner.gone(obituaryTime)
	}
	select {
	case <-p.runner.exited:
	default:
		return nil
	}
	c := p.runner.obituary()
	c.Plugin, c.Method = p.spec.Name, method
	return c
}

// garbage is the error for an answer that breaks the protocol.
func (p *Plugin) garbage(method, detail string) error {
	return &CallError{Plugin: p.spec.Name, Method: method, Reason: Garbage, Detail: detail}
}
