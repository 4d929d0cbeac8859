package sdk

import (
	"context"
	"errors"
	"strconv"
	"sync"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	pluginv1 "github.com/repox-dev/repox/sdk/proto"
)

// registry serves the Plugin service: it knows the components and the open instances.
type registry struct {
	pluginv1.UnimplementedPluginServer
	components []Component

	mu        sync.Mutex
	next      int
	instances map[string]*instance
}

// instance is a component opened with a configuration.
type instance struct {
	component Component
	config    Config
	// pool holds the extractors of a pack; nil for stages.
	pool *extractorPool
}

func newRegistry(components []Component) *registry {
	return &registry{components: components, instances: map[string]*instance{}}
}

// Describe implements the Plugin service.
func (r *registry) Describe(context.Context, *pluginv1.DescribeRequest) (*pluginv1.DescribeResponse, error) {
	return describeAll(r.components), nil
}

// Open implements the Plugin service.
func (r *registry) Open(_ context.Context, req *pluginv1.OpenRequest) (*pluginv1.OpenResponse, error) {
	c := r.find(req.Component)
	if c == nil {
		return nil, status.Errorf(codes.NotFound, "no component %q in this plugin", req.Component)
	}
	cfg, err := newConfig(c.options(), req.ConfigJson, req.Limits)
	if err != nil {
		return &pluginv1.OpenResponse{Diagnostics: diagnostics(err)}, nil
	}
	in := &instance{component: c, config: cfg}
	if err := in.prepare(); err != nil {
		return &pluginv1.OpenResponse{Diagnostics: diagnostics(err)}, nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.next++
	id := strconv.Itoa(r.next)
	r.instances[id] = in
	return &pluginv1.OpenResponse{Instance: id}, nil
}

// Close implements the Plugin service.
func (r *registry) Close(_ context.Context, req *pluginv1.CloseRequest) (*pluginv1.CloseResponse, error) {
	r.mu.Lock()
	in := r.instances[req.Instance]
	delete(r.instances, req.Instance)
	r.mu.Unlock()
	if in != nil && in.pool != nil {
		in.pool.close()
	}
	return &pluginv1.CloseResponse{}, nil
}

func (r *registry) find(name string) Component {
	for _, c := range r.components {
		if c.component().Name == name {
			return c
		}
	}
	return nil
}

func (r *registry) instance(id string) (*instance, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	in, ok := r.instances[id]
	if !ok {
		return nil, status.Errorf(codes.NotFound, "no open instance %q", id)
	}
	return in, nil
}

// prepare finds the faults of a configuration that only the component itself can see.
func (in *instance) prepare() error {
	switch c := in.component.(type) {
	case *Stage:
		if c.Check != nil {
			return c.Check(in.config)
		}
	case *Pack:
		var err error
		in.pool, err = newExtractorPool(c, in.config)
		return err
	}
	return nil
}

// diagnostics spreads joined errors into one diagnostic each.
func diagnostics(err error) []*pluginv1.Diagnostic {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		var out []*pluginv1.Diagnostic
		for _, e := range joined.Unwrap() {
			out = append(out, diagnostics(e)...)
		}
		return out
	}
	d := &pluginv1.Diagnostic{Severity: pluginv1.Diagnostic_SEVERITY_ERROR, Message: err.Error()}
	var ce *ConfigError
	if errors.As(err, &ce) {
		d.Message, d.Hint = ce.Message, ce.Hint
		d.ConfigPath = []string{ce.Option}
		if ce.Index >= 0 {
			d.ConfigPath = append(d.ConfigPath, strconv.Itoa(ce.Index))
		}
	}
	return []*pluginv1.Diagnostic{d}
}
