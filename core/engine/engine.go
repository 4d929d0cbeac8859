// Package engine runs the stages of a planned pipeline. It works backwards from the documents: a stage runs only if what
// it produces is needed and not remembered, so an unchanged repository costs the report alone. Stages that do not need
// each other run side by side.
//
// The engine knows nothing of processes or files: stages and host sections are functions, called at most once.
package engine

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/repox-dev/repox/core/cache"
)

// Host is the producer number of the host's own sections.
const Host = -1

// Stage is one step of a pipeline.
type Stage struct {
	// Name is for messages and timings.
	Name string
	// Identity stands for the executable, the component and its configuration.
	Identity []byte
	Inputs   []Input
	// Outputs are the names of the sections it produces.
	Outputs []string
	// Remember: its outputs may be stored. They then hold no text beyond what the cache may have.
	Remember bool
	// Prepare, if given, begins what Run needs. It is called while the inputs are made, and not at all if the outputs are
	// remembered. Its context ends with the stage.
	Prepare func(ctx context.Context)
	// Run turns the input sections into the outputs.
	Run func(ctx context.Context, sections map[string][]byte) (map[string][]byte, error)
}

// Input is a section and where it comes from.
type Input struct {
	Section string
	// From are the numbers of the stages that produce it, or Host. What several produce is joined in this order.
	From []int
}

// Source gives the host's sections.
type Source struct {
	// Keys hold, for each section the host has, what stands for its content.
	Keys map[string][]byte
	// Load gives a section.
	Load func(ctx context.Context, section string) ([]byte, error)
	// Unsettled, if given, tells whether a loaded section lacks something that the next run may have: then nothing
	// that was made from it is remembered.
	Unsettled func() bool
}

// Timing says where the time of a run went.
type Timing struct {
	Name string
	// Start counts from the start of the run.
	Start, Duration time.Duration
	// Remembered: the outputs came from the cache.
	Remembered bool
}

// Engine runs one pipeline once.
type Engine struct {
	Stages []Stage
	Source Source
	// Store may be nil.
	Store *cache.Store
	// Warn is told about faults that cost only time.
	Warn func(error)

	begun   time.Time
	steps   []step
	mu      sync.Mutex
	timings []Timing
}

// step is a stage on its way.
type step struct {
	once    sync.Once
	outputs map[string][]byte
	err     error
}

// Run gives the named section of the wanted stages, in their order: for documents, one value for each report.
func (e *Engine) Run(ctx context.Context, section string, wanted []int) ([][]byte, error) {
	e.begun = time.Now()
	e.steps = make([]step, len(e.Stages))
	g, ctx := errgroup.WithContext(ctx)
	for _, i := range wanted {
		g.Go(func() error { return e.evaluate(ctx, i) })
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	var out [][]byte
	for _, i := range wanted {
		out = append(out, e.steps[i].outputs[section])
	}
	return out, nil
}

// Timings gives the time of each stage and host section that had to be made, in the order of their end.
func (e *Engine) Timings() []Timing {
	e.mu.Lock()
	defer e.mu.Unlock()
	return append([]Timing(nil), e.timings...)
}

// evaluate makes the outputs of a stage, once.
func (e *Engine) evaluate(ctx context.Context, i int) error {
	s := &e.steps[i]
	s.once.Do(func() { s.outputs, s.err = e.outputs(ctx, i) })
	return s.err
}

func (e *Engine) outputs(ctx context.Context, i int) (map[string][]byte, error) {
	stage := &e.Stages[i]
	if out := e.remembered(ctx, stage, e.key(i)); out != nil {
		return out, nil
	}
	defer stage.prepare(ctx)()
	sections, err := e.inputs(ctx, stage)
	if err != nil {
		return nil, err
	}
	start := time.Now()
	out, err := stage.Run(ctx, sections)
	if err != nil {
		return nil, err
	}
	e.note(stage.Name, start, false)
	for _, name := range stage.Outputs {
		if _, ok := out[name]; !ok {
			return nil, fmt.Errorf("stage %s: it did not produce its section %q; ask its author", stage.Name, name)
		}
	}
	e.remember(ctx, stage, e.key(i), out)
	return out, nil
}

// prepare begins to prepare the stage. What it gives ends that.
func (s *Stage) prepare(ctx context.Context) (end func()) {
	if s.Prepare == nil {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	var preparing sync.WaitGroup
	preparing.Go(func() { s.Prepare(ctx) })
	return func() {
		cancel()
		preparing.Wait()
	}
}

// inputs gathers what a stage consumes, side by side.
func (e *Engine) inputs(ctx context.Context, stage *Stage) (map[string][]byte, error) {
	type part struct{ input, from int }
	parts := map[part][]byte{}
	var mu sync.Mutex
	g, ctx := errgroup.WithContext(ctx)
	for k, in := range stage.Inputs {
		for _, from := range in.From {
			g.Go(func() error {
				b, err := e.section(ctx, in.Section, from)
				mu.Lock()
				defer mu.Unlock()
				parts[part{k, from}] = b
				return err
			})
		}
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	sections := map[string][]byte{}
	for k, in := range stage.Inputs {
		if len(in.From) == 1 {
			sections[in.Section] = parts[part{k, in.From[0]}]
			continue
		}
		// Encoded messages one behind the other are the message of all.
		var joined []byte
		for _, from := range in.From {
			joined = append(joined, parts[part{k, from}]...)
		}
		sections[in.Section] = joined
	}
	return sections, nil
}

func (e *Engine) section(ctx context.Context, name string, from int) ([]byte, error) {
	if from != Host {
		if err := e.evaluate(ctx, from); err != nil {
			return nil, err
		}
		return e.steps[from].outputs[name], nil
	}
	start := time.Now()
	b, err := e.Source.Load(ctx, name)
	if err == nil {
		e.note("read "+name, start, false)
	}
	return b, err
}

// key stands for what a stage will produce: the stage and the keys of all that goes in.
func (e *Engine) key(i int) []byte {
	s := &e.Stages[i]
	h := sha256.New()
	write := func(b []byte) {
		h.Write(binary.AppendUvarint(nil, uint64(len(b))))
		h.Write(b)
	}
	write(s.Identity)
	for _, in := range s.Inputs {
		write([]byte(in.Section))
		for _, from := range in.From {
			if from == Host {
				write(e.Source.Keys[in.Section])
			} else {
				write(e.key(from))
			}
		}
	}
	return h.Sum(nil)
}

func sectionKey(stage []byte, section string) []byte {
	h := sha256.New()
	h.Write(stage)
	h.Write([]byte(section))
	return h.Sum(nil)
}

func (e *Engine) remembered(ctx context.Context, stage *Stage, key []byte) map[string][]byte {
	if !stage.Remember || e.Store == nil {
		return nil
	}
	start := time.Now()
	var keys [][]byte
	for _, name := range stage.Outputs {
		keys = append(keys, sectionKey(key, name))
	}
	values, err := e.Store.Get(ctx, cache.Section, keys)
	if err != nil {
		e.Warn(err)
		return nil
	}
	out := map[string][]byte{}
	for k, name := range stage.Outputs {
		if values[k] == nil {
			return nil
		}
		out[name] = values[k]
	}
	e.note(stage.Name, start, true)
	return out
}

func (e *Engine) remember(ctx context.Context, stage *Stage, key []byte, out map[string][]byte) {
	if !stage.Remember || e.Store == nil || e.Source.Unsettled != nil && e.Source.Unsettled() {
		return
	}
	var entries []cache.Entry
	for _, name := range stage.Outputs {
		entries = append(entries, cache.Entry{Key: sectionKey(key, name), Value: out[name]})
	}
	if err := e.Store.Put(ctx, cache.Section, entries); err != nil {
		e.Warn(err)
	}
}

func (e *Engine) note(name string, start time.Time, remembered bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.timings = append(e.timings, Timing{
		Name: name, Start: start.Sub(e.begun), Duration: time.Since(start), Remembered: remembered,
	})
}
