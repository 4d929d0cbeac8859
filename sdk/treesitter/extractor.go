//go:build cgo

package treesitter

// #cgo CFLAGS: -O2 -std=gnu11
// #cgo darwin LDFLAGS: -Wl,-undefined,dynamic_lookup
// #include "engine.h"
import "C"

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
	"unsafe"

	_ "github.com/tree-sitter/go-tree-sitter" // brings the C library

	"github.com/repox-dev/repox/sdk"
	"github.com/repox-dev/repox/sdk/tag"
)

// What one file may cost where the host does not say.
const (
	defaultTime   = 10 * time.Second
	defaultMemory = 512 << 20
)

// linked sets tree-sitter up, once for the process.
var linked = sync.OnceValue(func() error {
	if !bool(C.rx_linked()) {
		return errors.New("tree-sitter: the program was linked without the C library")
	}
	return nil
})

// sharedPrograms compiles each query once for all workers of a process.
type sharedPrograms struct {
	specs    map[string]Spec
	once     sync.Once
	programs map[string]*program
	err      error
}

func (s *sharedPrograms) get() (map[string]*program, error) {
	s.once.Do(func() {
		if s.err = linked(); s.err != nil {
			return
		}
		s.programs = map[string]*program{}
		for key, spec := range s.specs {
			p, err := compile(spec)
			if err != nil {
				s.err = err
				return
			}
			s.programs[key] = p
		}
	})
	return s.programs, s.err
}

// extractor implements sdk.Extractor on one C worker.
type extractor struct {
	shared   *sharedPrograms
	programs map[string]*program
	choose   func(path string) string
	worker   *C.rx_worker
	limit    time.Duration
	builder  builder
}

func newExtractor(shared *sharedPrograms, choose func(string) string, cfg sdk.Config) (sdk.Extractor, error) {
	programs, err := shared.get()
	if err != nil {
		return nil, err
	}
	limit := time.Duration(cfg.Limits().GetFileMillis()) * time.Millisecond
	if limit == 0 {
		limit = defaultTime
	}
	memory := cfg.Limits().GetFileBytes()
	if memory == 0 {
		memory = defaultMemory
	}
	return &extractor{
		shared: shared, programs: programs, choose: choose, limit: limit,
		worker: newWorker(memory),
	}, nil
}

// Extract implements sdk.Extractor.
func (e *extractor) Extract(_ context.Context, src sdk.Source) (*tag.File, error) {
	key := e.choose(src.Path)
	p, ok := e.programs[key]
	if !ok {
		return nil, &sdk.SkipError{Code: "unsupported", Message: "no grammar for this file"}
	}
	if len(src.Content) == 0 {
		return &tag.File{}, nil
	}
	spec := e.shared.specs[key]
	f, err := e.parse(p, spec.Notation, src.Content, src.Content)
	if err != nil {
		return nil, err
	}
	if errors := len(f.Errors); errors > 0 && spec.Mask != nil {
		if masked := spec.Mask(src.Content); len(masked) == len(src.Content) {
			if f, err = e.parse(p, spec.Notation, masked, src.Content); err != nil || len(f.Errors) >= errors {
				if f, err = e.parse(p, spec.Notation, src.Content, src.Content); err != nil {
					return nil, err
				}
			}
		}
	}
	if spec.Finish != nil {
		spec.Finish(src.Content, f)
	}
	placeReceivers(f)
	return f, nil
}

// parse gives the tags of text, read from a source of the same length.
func (e *extractor) parse(p *program, n *Notation, text, src []byte) (*tag.File, error) {
	var captures *C.rx_capture
	var count C.uint32_t
	data := (*C.char)(unsafe.Pointer(unsafe.SliceData(text)))
	outcome := C.rx_extract(e.worker, &p.c, data, C.uint32_t(len(text)), C.uint64_t(e.limit), &captures, &count)
	switch outcome {
	case C.RX_TIMEOUT:
		return nil, &sdk.SkipError{Code: "timeout", Message: fmt.Sprintf("not parsed within %v", e.limit)}
	case C.RX_TOO_LARGE:
		return nil, &sdk.SkipError{Code: "too_complex", Message: "parsing needs more memory than the limit for one file"}
	case C.RX_FAILED:
		return nil, &sdk.SkipError{Code: "unsupported", Message: "the parser gave no tree"}
	}
	return e.builder.build(src, p, unsafe.Slice((*capture)(unsafe.Pointer(captures)), int(count)), n), nil
}

// Close implements sdk.Extractor.
func (e *extractor) Close() {
	deleteWorker(e.worker)
	e.worker = nil
}

// newWorker makes a worker that spends at most limit bytes on a file.
func newWorker(limit uint64) *C.rx_worker { return C.rx_worker_new(C.uint64_t(limit)) }

func deleteWorker(w *C.rx_worker) { C.rx_worker_delete(w) }
