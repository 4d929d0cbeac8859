package sdk

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"

	pluginv1 "github.com/repox-dev/repox/sdk/proto"
	"github.com/repox-dev/repox/sdk/tag"
)

// extractorPool holds the workers of an open pack. A worker is an extractor and an encoder, used by one goroutine at a
// time.
type extractorPool struct {
	free chan *worker
	all  []*worker
	once sync.Once
}

type worker struct {
	extractor Extractor
	encoder   tag.Encoder
	buffer    []byte
}

func newExtractorPool(p *Pack, cfg Config) (*extractorPool, error) {
	n := int(cfg.Limits().GetWorkers())
	if n <= 0 {
		n = runtime.GOMAXPROCS(0)
	}
	pool := &extractorPool{free: make(chan *worker, n)}
	for range n {
		e, err := p.NewExtractor(cfg)
		if err != nil {
			pool.closeAll()
			return nil, err
		}
		w := &worker{extractor: e}
		pool.all = append(pool.all, w)
		pool.free <- w
	}
	return pool, nil
}

// take waits for a free worker.
func (p *extractorPool) take(ctx context.Context) (*worker, error) {
	select {
	case w := <-p.free:
		return w, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (p *extractorPool) give(w *worker) { p.free <- w }

// close waits until every worker is idle and closes it.
func (p *extractorPool) close() {
	p.once.Do(func() {
		for range p.all {
			<-p.free
		}
		p.closeAll()
	})
}

func (p *extractorPool) closeAll() {
	for _, w := range p.all {
		w.extractor.Close()
	}
}

// extract answers one file: with facts, or with a skip that says why not.
func (w *worker) extract(ctx context.Context, f *pluginv1.SourceFile) *pluginv1.FileResult {
	out := &pluginv1.FileResult{File: f.File}
	content, skip := w.content(f)
	if skip != nil {
		out.Skip = skip
		return out
	}
	file, err := ExtractText(ctx, w.extractor, Source{Path: string(f.Path), Language: f.Language, Content: content})
	if err == nil {
		err = w.encode(file, len(content), out)
	}
	if err != nil {
		out.Skip = SkipOf(err)
	}
	return out
}

func (w *worker) encode(file *tag.File, size int, out *pluginv1.FileResult) error {
	if err := checkRanges(file, uint32(size)); err != nil {
		return err
	}
	var err error
	out.Tags, out.Imports, err = w.encoder.Encode(file)
	return err
}

// SkipOf gives the wire form of an extractor's error.
func SkipOf(err error) *pluginv1.Skip {
	var s *SkipError
	if errors.As(err, &s) {
		return &pluginv1.Skip{Code: s.Code, Message: s.Message}
	}
	return &pluginv1.Skip{Code: "failed", Message: err.Error()}
}

// checkRanges keeps a faulty extractor from sending positions outside the file.
func checkRanges(f *tag.File, size uint32) error {
	for i := range f.Definitions {
		if d := &f.Definitions[i]; d.End > size {
			return fmt.Errorf("definition %q ends outside the file", d.Name)
		}
	}
	for i := range f.References {
		if r := &f.References[i]; r.Start > size {
			return fmt.Errorf("reference %q lies outside the file", r.Name)
		}
	}
	return nil
}
