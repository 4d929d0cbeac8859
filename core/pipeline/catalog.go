package pipeline

import (
	"context"
	"sort"

	pluginv1 "github.com/repox-dev/repox/sdk/proto"
)

// Catalog knows the components that a pipeline may name.
type Catalog struct {
	builtin  []*pluginv1.Component
	describe func(ctx context.Context, path string) ([]*pluginv1.Component, error)
	external map[string]described
}

type described struct {
	components []*pluginv1.Component
	err        error
}

// NewCatalog makes a catalog of the built-in components; describe asks an executable what it holds, once for each path.
func NewCatalog(builtin []*pluginv1.Component, describe func(ctx context.Context, path string) ([]*pluginv1.Component, error)) *Catalog {
	return &Catalog{builtin: builtin, describe: describe, external: map[string]described{}}
}

func (c *Catalog) ofExecutable(ctx context.Context, path string) ([]*pluginv1.Component, error) {
	d, ok := c.external[path]
	if !ok {
		d.components, d.err = c.describe(ctx, path)
		c.external[path] = d
	}
	return d.components, d.err
}

// find gives the built-in component of a name; packs also go by the names of their languages.
func (c *Catalog) find(name string, pack bool) *pluginv1.Component {
	var other *pluginv1.Component
	for _, b := range c.builtin {
		if b.Name == name {
			if (b.Pack != nil) == pack {
				return b
			}
			other = b
		}
		if !pack || b.Pack == nil {
			continue
		}
		for _, l := range b.Pack.Languages {
			if l.Name == name {
				return b
			}
		}
	}
	return other
}

// names lists what may stand in `use`, sorted.
func (c *Catalog) names(pack bool) []string {
	var out []string
	for _, b := range c.builtin {
		if (b.Pack != nil) != pack {
			continue
		}
		out = append(out, b.Name)
		if pack {
			for _, l := range b.Pack.Languages {
				out = append(out, l.Name)
			}
		}
	}
	sort.Strings(out)
	return out
}
