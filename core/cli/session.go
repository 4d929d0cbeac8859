package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/repox-dev/repox/core/cache"
	"github.com/repox-dev/repox/core/engine"
	"github.com/repox-dev/repox/core/inventory"
	"github.com/repox-dev/repox/core/pipeline"
	"github.com/repox-dev/repox/core/pluginhost"
	"github.com/repox-dev/repox/core/progress"
	"github.com/repox-dev/repox/core/source"
	"github.com/repox-dev/repox/core/tags"
	"github.com/repox-dev/repox/sdk/model"
	pluginv1 "github.com/repox-dev/repox/sdk/proto"
)

// session runs a checked pipeline once.
type session struct {
	app      *app
	pipeline *pipeline.Pipeline
	log      *slog.Logger

	host    *pluginhost.Host
	store   *cache.Store
	ownPath string
	own     []byte
	// programs holds a supervisor for each plugin process: one for each executable, and one for each built-in component.
	programs map[string]*program
	warned   map[string]bool
	// ending are the ends of processes on their way.
	ending sync.WaitGroup
	// components are those of the stages, by number.
	components []*pluginhost.Component
	// watch knows where the time goes, bar shows how far the work is; it is nil where nobody looks.
	watch *stopwatch
	bar   *progress.Bar
}

// program is a plugin's process and the digest of its executable.
type program struct {
	supervisor *pluginhost.Supervisor
	digest     []byte
	// users counts the components that still need the process.
	users atomic.Int32
}

// release ends the process of a program that nobody needs any more, while the run goes on: what it holds would add to what
// the others need. withSession waits for the end.
func (s *session) release(p *program) {
	if p.users.Add(-1) > 0 {
		return
	}
	if old, _ := p.supervisor.LetGo(context.Background()); old != nil {
		// A process that does not end is told of when the host is closed.
		s.ending.Go(func() { _ = old.Stop(context.Background()) })
	}
}

// result is what a session gives.
type result struct {
	documents []*model.Document
	watch     *stopwatch
}

// runPipeline does the whole job of `repox run`.
func (a *app) runPipeline(ctx context.Context, p *pipeline.Pipeline) (res *result, err error) {
	err = a.withSession(ctx, p, func(s *session) error {
		res, err = s.run(ctx)
		return err
	})
	return res, err
}

// withSession opens what a pipeline needs, and closes it when do has ended: the cache, and the host of its plugins.
func (a *app) withSession(ctx context.Context, p *pipeline.Pipeline, do func(*session) error) (err error) {
	s := &session{
		app: a, pipeline: p, log: a.logger(), programs: map[string]*program{}, warned: map[string]bool{}, watch: newStopwatch(),
	}
	a.secrets.Store(secretRules(p))
	s.bar = a.console.show(a.wantsProgress())
	defer a.console.hide()
	s.openStore(ctx)
	defer s.closeStore()
	if s.ownPath, s.own, err = ownDigest(ctx, s.store); err != nil {
		return err
	}
	s.host = pluginhost.New(pluginhost.Options{Logger: s.log, HostVersion: Version})
	forget := a.killers.add(s.host.KillAll)
	defer func() {
		if ctx.Err() != nil {
			s.host.KillAll()
		}
		err = errors.Join(err, s.host.Close())
		s.ending.Wait()
		forget()
	}()
	return do(s)
}

func (s *session) run(ctx context.Context) (*result, error) {
	stages, err := s.stages()
	if err != nil {
		return nil, err
	}
	inv, err := s.inventory(ctx)
	if err != nil {
		return nil, err
	}
	defer inv.Tree.Close()
	if err := s.checkVerified(ctx, inv); err != nil {
		return nil, err
	}
	packs, err := s.packs()
	if err != nil {
		return nil, err
	}
	sections := &hostSections{inv: inv, packs: packs, store: s.store, warn: s.warnOnce, begin: func() { s.plan(inv, packs) },
		tagUsers: users(s.pipeline.Plan, model.SectionTags)}
	if wantsHistory(s.pipeline.Plan) {
		sections.past = sections.historyKey(ctx)
	}
	if err := sections.prepare(ctx); err != nil {
		return nil, err
	}
	start := time.Now()
	e := &engine.Engine{Stages: stages, Source: sections.source(), Store: s.store, Warn: s.warnOnce}
	values, err := e.Run(ctx, model.SectionDocuments, s.pipeline.Plan.Documents)
	if err != nil {
		return nil, err
	}
	s.watch.addPacks(sections.work())
	s.watch.addStages(start, e.Timings())
	res := &result{watch: s.watch}
	for _, v := range values {
		var docs model.Documents
		if err := proto.Unmarshal(v, &docs); err != nil {
			return nil, fmt.Errorf("read documents: %w", err)
		}
		res.documents = append(res.documents, docs.Documents...)
	}
	if err := s.store.Prune(ctx); err != nil {
		s.warnOnce(err)
	}
	return res, nil
}

// inventory lists the files and looks at each. The caller closes its tree.
func (s *session) inventory(ctx context.Context, within ...string) (*inventory.Inventory, error) {
	start := time.Now()
	s.bar.Phase("read")
	tree, err := s.list(ctx, within)
	if err != nil {
		return nil, err
	}
	inv, err := inventory.Take(ctx, tree, inventory.NewLanguages(s.languages()), s.app.secrets.Load(), s.store, s.warnOnce)
	if err != nil {
		return nil, errors.Join(err, tree.Close())
	}
	s.watch.addListing(start, inv)
	return inv, nil
}

func (s *session) list(ctx context.Context, within []string) (*source.Tree, error) {
	src := &s.pipeline.Source
	tree, err := source.List(ctx, source.Options{
		Path: src.Path, Include: src.Include, Exclude: src.Exclude, Rev: src.Rev, MaxFileBytes: src.MaxFileBytes,
		Within: within,
	})
	if err != nil {
		return nil, err
	}
	for _, w := range tree.Warnings {
		s.app.warnf("%s", w)
	}
	return tree, nil
}

// openStore opens the cache; without one everything still works.
func (s *session) openStore(ctx context.Context) {
	if !s.pipeline.Cache {
		return
	}
	dir, err := cache.Dir()
	if err == nil {
		s.store, err = cache.Open(ctx, dir)
	}
	if err != nil {
		s.store = nil
		s.warnOnce(fmt.Errorf("%w; going on without a cache", err))
	}
}

// closeStore closes the cache, and tells of damage that nobody has told of.
func (s *session) closeStore() {
	if err := s.store.Fault(); err != nil {
		s.warnOnce(err)
	}
	s.store.Close()
}

// warnOnce tells of a fault that costs only time. Faults of one kind come in numbers; the first says enough.
func (s *session) warnOnce(err error) {
	if errors.Is(err, context.Canceled) {
		return
	}
	kind := "run"
	var pack *tags.PackError
	var resolve *tags.ResolveError
	var unusable *tags.UnusableError
	var history *historyError
	switch {
	case errors.As(err, &unusable):
		kind = "pack " + unusable.Pack
	case errors.As(err, &pack):
		kind = "pack " + pack.Pack
	case errors.As(err, &history):
		kind = "history"
	case errors.As(err, &resolve):
		kind = "resolve " + resolve.Pack
	default:
		kind = "cache"
	}
	s.app.mu.Lock()
	seen := s.warned[kind]
	s.warned[kind] = true
	s.app.mu.Unlock()
	if !seen {
		s.app.warnf("%v", err)
	}
}

// program gives the process that an item of the pipeline runs in.
func (s *session) program(item *pipeline.Item) (*program, error) {
	key, spec := item.Path, pluginhost.Spec{Name: item.Component.Name, Path: item.Path, MemoryLimit: s.pipeline.Limits.Stage.Memory}
	digest := s.own
	if item.Path == "" {
		key = "built-in " + item.Component.Name
		spec.Path, spec.Args = s.ownPath, []string{"plugin", "serve", item.Component.Name}
	}
	if p, ok := s.programs[key]; ok {
		return p, nil
	}
	if item.Path != "" {
		var err error
		if digest, err = pluginhost.FileDigest(item.Path); err != nil {
			return nil, err
		}
	}
	p := &program{supervisor: s.host.Supervise(spec), digest: digest}
	s.programs[key] = p
	return p, nil
}

func (s *session) languages() []*pluginv1.Language {
	var out []*pluginv1.Language
	for i := range s.pipeline.Languages {
		out = append(out, s.pipeline.Languages[i].Languages...)
	}
	return out
}

func (s *session) packs() ([]tags.Pack, error) {
	limits := &pluginv1.Limits{
		FileMillis: uint32(min(s.pipeline.Limits.File.Time.Milliseconds(), math.MaxUint32)),
		FileBytes:  uint64(s.pipeline.Limits.File.Memory),
		Workers:    uint32(runtime.GOMAXPROCS(0)),
	}
	var out []tags.Pack
	for i := range s.pipeline.Languages {
		item := &s.pipeline.Languages[i]
		prog, err := s.program(item)
		if err != nil {
			return nil, err
		}
		prog.users.Add(1)
		config := item.ConfigJSON()
		component := prog.supervisor.Component(item.Component.Name, config, limits)
		extractor := tags.NewExtractor(tags.FromComponent(component), tags.Options{
			Pack: item.Component.Name, Workers: int(limits.Workers), FileTime: s.pipeline.Limits.File.Time, Logger: s.log,
		})
		pack := tags.Pack{
			Name: item.Component.Name, Identity: identity(prog.digest, item.Component, config), Manifests: item.Component.Pack.Manifests,
			Start: func(ctx context.Context) (tags.Running, error) {
				if _, err := component.Open(ctx); err != nil {
					return nil, s.explainPack(item, err)
				}
				return extractor, nil
			},
			Done: s.bar.Add, Release: func() { s.release(prog) },
		}
		for _, l := range item.Languages {
			pack.Languages = append(pack.Languages, l.Name)
		}
		out = append(out, pack)
	}
	return out, nil
}
