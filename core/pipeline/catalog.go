package pipeline

import (
	"context"
	"fmt"
	"sort"
	"sync"

	pluginv1 "github.com/repox-dev/repox/sdk/proto"
)

// Catalog knows the components that a pipeline may name. Several goroutines may use one.
type Catalog struct {
	builtin  []*pluginv1.Component
	describe func(ctx context.Context, path string) ([]*pluginv1.Component, error)

	mu       sync.Mutex
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

// ofExecutable asks under the lock: two who want to know the same must not start the same program twice.
func (c *Catalog) ofExecutable(ctx context.Context, path string) ([]*pluginv1.Component, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	d, ok := c.external[path]
	if !ok {
		d = c.ask(ctx, path)
		if ctx.Err() == nil { // one who gave up has learnt nothing about the executable
			c.external[path] = d
		}
	}
	return d.components, d.err
}

func (c *Catalog) ask(ctx context.Context, path string) described {
	if c.describe == nil {
		return described{err: fmt.Errorf("cannot ask %s what it is: executables are not used here", path)}
	}
	components, err := c.describe(ctx, path)
	if err != nil {
		return described{err: err}
	}
	if len(components) == 0 {
		return described{err: fmt.Errorf("%s holds no component; ask its author", path)}
	}
	for _, component := range components {
		if (component.GetPack() == nil) == (component.GetStage() == nil) {
			return described{err: fmt.Errorf("%s says that its component %q is not one of a language pack and a stage; ask its author", path, component.GetName())}
		}
	}
	return described{components: components}
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
