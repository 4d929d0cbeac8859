package tags

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/repox-dev/repox/core/source"
	"github.com/repox-dev/repox/sdk/model"
	pluginv1 "github.com/repox-dev/repox/sdk/proto"
)

// ResolveError says that a pack did not tie the imports of its files. The run goes on without import edges.
type ResolveError struct {
	Pack string
	Err  error
}

// Error gives one line.
func (e *ResolveError) Error() string {
	return fmt.Sprintf("resolve imports with %s: %v", e.Pack, e.Err)
}

// Unwrap gives the cause.
func (e *ResolveError) Unwrap() error { return e.Err }

var errNoAnswer = errors.New("it did not answer for every file")

// resolveBytes is about how large the messages of a resolve stream are.
const resolveBytes = 1 << 20

// resolvePatience is how long a pack may be silent while it is asked for imports. It reads every manifest before its first
// answer, so this is far more than any needs: it only ends those that would never end by themselves.
const resolvePatience = time.Minute

// resolving is a stream on which a pack ties imports to files. It may be asked again and again.
type resolving struct {
	pack     *Pack
	stream   pluginv1.Pack_ResolveClient
	instance string
	// limit is how many files there are.
	limit uint32
	// sets are the target sets named so far; number n is sets[n-1].
	sets   []*model.FileSet
	watch  *watchdog
	ctx    context.Context
	cancel context.CancelCauseFunc
}

// openResolve starts the stream and sends what every answer rests on: the paths of the pack's files, then its manifests.
func (c *collection) openResolve(ctx context.Context, p *Pack, running Running, files []int) (*resolving, error) {
	client, instance, err := running.Client(ctx)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	stream, err := client.Resolve(ctx)
	if err != nil {
		cancel(nil)
		return nil, &ResolveError{p.Name, err}
	}
	r := &resolving{
		pack: p, stream: stream, instance: instance, limit: uint32(len(c.inv.Entries)), ctx: ctx, cancel: cancel,
		watch: newWatchdog(c.patience, func() { cancel(fmt.Errorf("no answer within %v", c.patience)) }),
	}
	if err := c.sendRepository(r, files); err != nil {
		defer r.close()
		return nil, r.fail(err)
	}
	return r, nil
}

// sendRepository sends paths, then manifests.
func (c *collection) sendRepository(r *resolving, files []int) error {
	b := r.batch()
	for _, i := range files {
		name := []byte(c.inv.Entries[i].File.Path)
		if err := b.add(len(name)+8, func(r *pluginv1.ResolveRequest) {
			r.Files = append(r.Files, &pluginv1.ResolveFile{File: uint32(i), Path: name})
		}); err != nil {
			return err
		}
	}
	for i := range c.inv.Entries {
		e := &c.inv.Entries[i]
		if !isManifest(e.File.Path, r.pack.Manifests) {
			continue
		}
		content, ok := c.text(&e.File)
		if !ok {
			continue
		}
		if err := b.add(len(content), func(r *pluginv1.ResolveRequest) {
			r.Manifests = append(r.Manifests, &pluginv1.Manifest{Path: []byte(e.File.Path), Content: content})
		}); err != nil {
			return err
		}
	}
	return b.flush()
}

// ask ties the imports of some files: emit gets, for each file that has imports, the number of a target set for each of
// them, 0 for one that leads outside.
func (r *resolving) ask(results []*pluginv1.FileResult, emit func(file uint32, sets []uint32)) error {
	open := map[uint32]bool{}
	for _, res := range results {
		open[res.File] = true
	}
	var g errgroup.Group
	g.Go(func() error { return r.send(results) })
	err := r.receive(open, emit)
	if err != nil {
		err = r.fail(err) // ends the sending too
	}
	if e := g.Wait(); err == nil && e != nil {
		err = r.fail(e)
	}
	r.watch.pause()
	return err
}

func (r *resolving) send(results []*pluginv1.FileResult) error {
	b := r.batch()
	for _, res := range results {
		if err := b.add(len(res.Imports), func(req *pluginv1.ResolveRequest) {
			req.Imports = append(req.Imports, &pluginv1.FileImports{File: res.File, Imports: res.Imports})
		}); err != nil {
			return err
		}
	}
	return b.flush()
}

// receive takes answers until none is open.
func (r *resolving) receive(open map[uint32]bool, emit func(file uint32, sets []uint32)) error {
	for len(open) > 0 {
		r.watch.feed()
		resp, err := r.stream.Recv()
		if errors.Is(err, io.EOF) {
			return errNoAnswer
		}
		if err != nil {
			return err
		}
		if err := r.take(resp, open, emit); err != nil {
			return err
		}
	}
	return nil
}

func (r *resolving) take(resp *pluginv1.ResolveResponse, open map[uint32]bool, emit func(file uint32, sets []uint32)) error {
	for _, set := range resp.Sets {
		for _, f := range set.Files {
			if f >= r.limit {
				return fmt.Errorf("the answer names file %d, which there is not", f)
			}
		}
	}
	r.sets = append(r.sets, resp.Sets...)
	for _, e := range resp.Edges {
		if !open[e.File] {
			return fmt.Errorf("the answer names file %d, which was not asked for", e.File)
		}
		for _, n := range e.Sets {
			if int(n) > len(r.sets) {
				return fmt.Errorf("the answer names target set %d, which it has not given", n)
			}
		}
		delete(open, e.File)
		emit(e.File, e.Sets)
	}
	return nil
}

// fail ends what is under way and gives the reason.
func (r *resolving) fail(err error) error {
	defer r.cancel(nil)
	if cause := context.Cause(r.ctx); cause != nil {
		err = cause
	}
	return &ResolveError{r.pack.Name, err}
}

// close ends the stream.
func (r *resolving) close() {
	r.watch.pause()
	_ = r.stream.CloseSend() // the context ends the stream anyway
	r.cancel(nil)
}

// watchdog calls a function when it was not fed for some time.
type watchdog struct {
	patience time.Duration
	timer    *time.Timer
}

func newWatchdog(patience time.Duration, bark func()) *watchdog {
	return &watchdog{patience: patience, timer: time.AfterFunc(patience, bark)}
}

func (w *watchdog) feed()  { w.timer.Reset(w.patience) }
func (w *watchdog) pause() { w.timer.Stop() }

func (c *collection) text(f *source.File) ([]byte, bool) {
	raw, err := c.inv.Tree.Read(f)
	if err != nil {
		return nil, false
	}
	text, _, reason := source.Decode(raw)
	return text, reason == ""
}

// isManifest tells whether a path is one of the manifests: a glob on the base name, or with slashes on the end of the path.
func isManifest(p string, manifests []string) bool {
	base := p[strings.LastIndexByte(p, '/')+1:]
	for _, m := range manifests {
		// Nearly every path differs from nearly every glob before its first wildcard.
		if !strings.HasPrefix(base, literal(m)) {
			continue
		}
		end := len(p)
		for range strings.Count(m, "/") + 1 {
			end = strings.LastIndexByte(p[:max(end, 0)], '/')
		}
		if ok, err := path.Match(m, p[end+1:]); ok && err == nil {
			return true
		}
	}
	return false
}

// literal is what the base name of a glob begins with.
func literal(glob string) string {
	base := glob[strings.LastIndexByte(glob, '/')+1:]
	if i := strings.IndexAny(base, `*?[\`); i >= 0 {
		return base[:i]
	}
	return base
}

// resolveBatch gathers a request until it is large enough to be sent.
type resolveBatch struct {
	to   *resolving
	req  *pluginv1.ResolveRequest
	size int
}

func (r *resolving) batch() *resolveBatch { return &resolveBatch{to: r} }

func (b *resolveBatch) add(size int, put func(*pluginv1.ResolveRequest)) error {
	if b.req != nil && b.size+size > resolveBytes {
		if err := b.flush(); err != nil {
			return err
		}
	}
	if b.req == nil {
		b.req = &pluginv1.ResolveRequest{Instance: b.to.instance}
	}
	put(b.req)
	b.size += size
	return nil
}

func (b *resolveBatch) flush() error {
	if b.req == nil {
		return nil
	}
	req := b.req
	b.req, b.size = nil, 0
	b.to.watch.feed()
	if err := b.to.stream.Send(req); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	return nil // the receiving side has the reason of an early end
}
