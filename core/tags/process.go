package tags

import (
	"context"

	"github.com/repox-dev/repox/core/pluginhost"
	pluginv1 "github.com/repox-dev/repox/sdk/proto"
)

// Opener starts a language pack.
type Opener interface {
	// Open gives the pack that runs, or a new one when it has ended.
	Open(ctx context.Context) (Process, error)
	// Stop ends the pack that runs; the next Open starts a new one.
	Stop(ctx context.Context) error
}

// Process is an open language pack in a living process.
type Process interface {
	// Instance is the name that requests carry.
	Instance() string
	Client() pluginv1.PackClient
	// Explain tells of a failed call what became of the process; see pluginhost.
	Explain(method string, err error) error
	// Kill ends the process at once and waits for that.
	Kill(cause pluginhost.Cause, detail string)
}

// FromComponent gives the Opener of a plugin's component.
func FromComponent(c *pluginhost.Component) Opener { return componentOpener{c} }

type componentOpener struct{ component *pluginhost.Component }

func (o componentOpener) Open(ctx context.Context) (Process, error) {
	in, err := o.component.Open(ctx)
	if err != nil {
		return nil, err
	}
	return instancePack{in.Plugin, in.ID}, nil
}

func (o componentOpener) Stop(ctx context.Context) error { return o.component.Stop(ctx) }

type instancePack struct {
	*pluginhost.Plugin
	id string
}

func (p instancePack) Instance() string { return p.id }

func (p instancePack) Client() pluginv1.PackClient { return p.Pack() }
