package pluginhost

import (
	"context"
	"errors"
	"fmt"
	"sync"

	pluginv1 "github.com/repox-dev/repox/sdk/proto"
)

// MaxRestarts is how often a stage that crashes is tried again before the run fails.
const MaxRestarts = 3

// Supervisor keeps one plugin program running: who asks for it gets the process that lives, or a new one. It is safe
// for concurrent use.
type Supervisor struct {
	host *Host
	spec Spec

	// turn holds one token; who has it may look at current and replace it. A channel, so that waiting can be given up.
	turn    chan struct{}
	current *Plugin
}

// Supervise makes a supervisor. It starts nothing yet.
func (h *Host) Supervise(spec Spec) *Supervisor {
	return &Supervisor{host: h, spec: spec, turn: make(chan struct{}, 1)}
}

// Plugin gives the running plugin; it starts one when none runs.
func (s *Supervisor) Plugin(ctx context.Context) (*Plugin, error) {
	select {
	case s.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, named(ctx.Err(), s.spec)
	}
	defer func() { <-s.turn }()
	if s.current != nil {
		select {
		case <-s.current.Exited():
			_ = s.current.release()
			s.current = nil
		default:
			return s.current, nil
		}
	}
	p, err := s.host.Start(ctx, s.spec)
	if err != nil {
		return nil, err
	}
	s.current = p
	return p, nil
}

// Stop ends the plugin if it runs. It can be asked for again.
func (s *Supervisor) Stop(ctx context.Context) error {
	p, err := s.LetGo(ctx)
	if p == nil {
		return err
	}
	return p.Stop(ctx)
}

// LetGo gives the plugin up, nil if none runs: who asks for it from now on gets a new one. The caller stops the old one.
func (s *Supervisor) LetGo(ctx context.Context) (*Plugin, error) {
	select {
	case s.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-s.turn }()
	p := s.current
	s.current = nil
	return p, nil
}

// Component is one component of a supervised plugin with its configuration. It is safe for concurrent use.
type Component struct {
	supervisor *Supervisor
	name       string
	config     []byte
	limits     *pluginv1.Limits

	mu   sync.Mutex
	last *Instance
}

// Instance is an open component in a living process.
type Instance struct {
	Plugin *Plugin
	ID     string
	// Warnings are what the component said about its configuration.
	Warnings []*pluginv1.Diagnostic
}

// Component names a component of the plugin and how to configure it. It starts nothing yet.
func (s *Supervisor) Component(name string, configJSON []byte, limits *pluginv1.Limits) *Component {
	return &Component{supervisor: s, name: name, config: configJSON, limits: limits}
}

// Name is the component's name.
func (c *Component) Name() string { return c.name }

// Open gives the open instance; after a restart of the process it is opened again. Errors are *StartError,
// *CrashError, *CallError, or *ConfigError when the component refuses its configuration.
func (c *Component) Open(ctx context.Context) (*Instance, error) {
	p, err := c.supervisor.Plugin(ctx)
	if err != nil {
		return nil, err
	}
	// The call is bounded by the host's timeout for calls.
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.last != nil && c.last.Plugin == p {
		return c.last, nil
	}
	id, diags, err := p.Open(ctx, c.name, c.config, c.limits)
	if err != nil {
		return nil, err
	}
	if hasError(diags) {
		return nil, &ConfigError{Plugin: p.Name(), Component: c.name, Diagnostics: diags}
	}
	c.last = &Instance{Plugin: p, ID: id, Warnings: diags}
	return c.last, nil
}

// Process runs the component, which must be a stage, and starts it again when it crashes, MaxRestarts times at most.
func (c *Component) Process(ctx context.Context, sections map[string][]byte) (map[string][]byte, error) {
	for restarts := 0; ; restarts++ {
		out, err := c.processOnce(ctx, sections)
		var crash *CrashError
		if err == nil || !errors.As(err, &crash) || crash.Cause != Crashed || ctx.Err() != nil {
			return out, err
		}
		if restarts == MaxRestarts {
			crash.Detail = fmt.Sprintf("%d times, also after %d restarts", restarts+1, restarts)
			return nil, crash
		}
	}
}

func (c *Component) processOnce(ctx context.Context, sections map[string][]byte) (map[string][]byte, error) {
	in, err := c.Open(ctx)
	if err != nil {
		return nil, err
	}
	return in.Plugin.Process(ctx, in.ID, sections)
}

// Stop ends the component's process.
func (c *Component) Stop(ctx context.Context) error { return c.supervisor.Stop(ctx) }
