package tags

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

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

// resolve ties the imports of a pack's files to files. It fills targets, with set numbers that start after offset, and
// gives the sets.
func (c *collection) resolve(ctx context.Context, p *Pack, s *starter, files []int, offset uint32, targets [][]uint32) ([]*model.FileSet, error) {
	asks := 0
	for _, i := range files {
		if r := c.results[i]; r != nil && len(r.Imports) > 0 {
			asks++
		}
	}
	if asks == 0 {
		return nil, nil
	}
	running, err := s.get(ctx)
	if err != nil {
		return nil, err
	}
	client, instance, err := running.Client(ctx)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stream, err := client.Resolve(ctx)
	if err != nil {
		return nil, &ResolveError{p.Name, err}
	}
	var g errgroup.Group
	g.Go(func() error { return c.ask(stream, instance, p, files) })
	sets, answered, err := receiveEdges(stream, offset, targets)
	if err == nil {
		err = g.Wait()
	}
	if err == nil && answered != asks {
		err = errNoAnswer
	}
	if err != nil {
		for _, i := range files {
			targets[i] = nil
		}
		return nil, &ResolveError{p.Name, err}
	}
	return sets, nil
}

// ask sends paths, then manifests, then imports.
func (c *collection) ask(stream pluginv1.Pack_ResolveClient, instance string, p *Pack, files []int) error {
	b := &resolveBatch{stream: stream, instance: instance}
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
		if !isManifest(e.File.Path, p.Manifests) {
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
	if err := b.flush(); err != nil {
		return err
	}
	for _, i := range files {
		r := c.results[i]
		if r == nil || len(r.Imports) == 0 {
			continue
		}
		if err := b.add(len(r.Imports), func(req *pluginv1.ResolveRequest) {
			req.Imports = append(req.Imports, &pluginv1.FileImports{File: uint32(i), Imports: r.Imports})
		}); err != nil {
			return err
		}
	}
	if err := b.flush(); err != nil {
		return err
	}
	return stream.CloseSend()
}

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
	for _, m := range manifests {
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

// resolveBatch gathers a request until it is large enough to be sent.
type resolveBatch struct {
	stream   pluginv1.Pack_ResolveClient
	instance string
	req      *pluginv1.ResolveRequest
	size     int
}

func (b *resolveBatch) add(size int, put func(*pluginv1.ResolveRequest)) error {
	if b.req != nil && b.size+size > resolveBytes {
		if err := b.flush(); err != nil {
			return err
		}
	}
	if b.req == nil {
		b.req = &pluginv1.ResolveRequest{Instance: b.instance}
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
	if err := b.stream.Send(req); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	return nil // the receiving side has the reason of an early end
}

func receiveEdges(stream pluginv1.Pack_ResolveClient, offset uint32, targets [][]uint32) (sets []*model.FileSet, answered int, err error) {
	for {
		resp, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return sets, answered, nil
		}
		if err != nil {
			return nil, 0, err
		}
		for _, set := range resp.Sets {
			for _, f := range set.Files {
				if int(f) >= len(targets) {
					return nil, 0, fmt.Errorf("the answer names file %d, which there is not", f)
				}
			}
			sets = append(sets, set)
		}
		for _, e := range resp.Edges {
			if int(e.File) >= len(targets) || targets[e.File] != nil {
				return nil, 0, fmt.Errorf("the answer names file %d, which was not asked for", e.File)
			}
			t := make([]uint32, len(e.Sets))
			for k, n := range e.Sets {
				if int(n) > len(sets) {
					return nil, 0, fmt.Errorf("the answer names target set %d, which it has not given", n)
				}
				if n > 0 {
					t[k] = offset + n
				}
			}
			targets[e.File] = t
			answered++
		}
	}
}
