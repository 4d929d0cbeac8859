package cli

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"github.com/repox-dev/repox/core/cache"
	"github.com/repox-dev/repox/core/diag"
	"github.com/repox-dev/repox/core/pipeline"
	"github.com/repox-dev/repox/core/pluginhost"
	"github.com/repox-dev/repox/core/preset"
	"github.com/repox-dev/repox/sdk"
	pluginv1 "github.com/repox-dev/repox/sdk/proto"

	"google.golang.org/protobuf/proto"
)

// defaultFile is the pipeline that is run when none is named.
const defaultFile = "pipeline.yaml"

// builtinMap stands in when there is no pipeline file.
const builtinMap = "map"

// catalog knows the built-in components, and asks executables what they are.
func (a *app) catalog() *pipeline.Catalog {
	var all []*pluginv1.Component
	for _, c := range a.builtin {
		all = append(all, sdk.Describe(c))
	}
	return pipeline.NewCatalog(all, a.describe)
}

// describe asks an executable what it holds. The answer is remembered under the executable's digest.
func (a *app) describe(ctx context.Context, path string) (components []*pluginv1.Component, err error) {
	var store *cache.Store
	if dir, err := cache.Dir(); err == nil {
		store, _ = cache.Open(ctx, dir) // without a cache the plugin is asked each time
	}
	defer store.Close()
	digest, err := pluginhost.FileDigest(path)
	if err != nil {
		// Start finds the right words for what is no executable.
		digest = nil
	}
	key := append([]byte("description "), digest...)
	if digest != nil {
		if values, err := store.Get(ctx, cache.Description, [][]byte{key}); err == nil && values[0] != nil {
			var d pluginv1.DescribeResponse
			if proto.Unmarshal(values[0], &d) == nil {
				return d.Components, nil
			}
		}
	}
	d, err := a.ask(ctx, path)
	if err != nil {
		return nil, err
	}
	if b, err := proto.Marshal(d); err == nil && digest != nil {
		_ = store.Put(ctx, cache.Description, []cache.Entry{{Key: key, Value: b}}) // only time is lost
	}
	return d.Components, nil
}

// ask starts an executable to learn what it holds.
func (a *app) ask(ctx context.Context, path string) (d *pluginv1.DescribeResponse, err error) {
	host := pluginhost.New(pluginhost.Options{Logger: a.logger(), HostVersion: Version})
	forget := a.killers.add(host.KillAll)
	defer func() {
		err = errors.Join(err, host.Close())
		forget()
	}()
	plugin, err := host.Start(ctx, pluginhost.Spec{Name: path, Path: path})
	if err != nil {
		return nil, err
	}
	d, err = plugin.Describe(ctx)
	if err == nil && len(d.Components) == 0 {
		err = errors.New(path + " holds no component; ask its author")
	}
	return d, err
}

// load reads and checks a pipeline: the named file, else ./pipeline.yaml, else the built-in one. Warnings are shown;
// errors are a diag.List.
func (a *app) load(ctx context.Context, file string, settings []string) (*pipeline.Pipeline, error) {
	o := pipeline.Options{File: file, Set: settings, LookupEnv: os.LookupEnv, Catalog: a.catalog(), Presets: preset.FS}
	if file == "" {
		o.File = defaultFile
		if _, err := os.Stat(defaultFile); errors.Is(err, fs.ErrNotExist) {
			o.File, o.Data = "built-in "+builtinMap, preset.Map()
		}
	}
	return a.loadWith(ctx, o)
}

func (a *app) loadWith(ctx context.Context, o pipeline.Options) (*pipeline.Pipeline, error) {
	p, list := pipeline.Load(ctx, o)
	if p == nil {
		return nil, list
	}
	if l := a.checkStages(p); len(l) > 0 {
		return nil, append(list, l...)
	}
	if !a.quiet {
		if err := a.render(list); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// checkStages asks the built-in stages about their configuration; those of plugins are asked when they are started.
func (a *app) checkStages(p *pipeline.Pipeline) diag.List {
	var l diag.List
	for i := range p.Stages {
		item := &p.Stages[i]
		for _, c := range a.builtin {
			if item.Path == "" && sdk.Describe(c).Name == item.Component.Name {
				l = append(l, placed(item, sdk.CheckConfig(c, item.ConfigJSON()))...)
			}
		}
	}
	return l
}
