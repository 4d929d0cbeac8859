package engine

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/repox-dev/repox/core/cache"
)

// join is a stage that writes its inputs one behind the other.
func join(name string, inputs []Input, output string, runs *atomic.Int32) Stage {
	return Stage{
		Name: name, Identity: []byte(name), Inputs: inputs, Outputs: []string{output}, Remember: true,
		Run: func(_ context.Context, sections map[string][]byte) (map[string][]byte, error) {
			runs.Add(1)
			out := name + "("
			for _, in := range inputs {
				out += string(sections[in.Section]) + " "
			}
			return map[string][]byte{output: []byte(out + ")")}, nil
		},
	}
}

func files(content string) Source {
	return Source{
		Keys: map[string][]byte{"files": []byte(content)},
		Load: func(_ context.Context, section string) ([]byte, error) { return []byte(content), nil },
	}
}

func chain(runs *atomic.Int32, src Source, store *cache.Store) *Engine {
	return &Engine{
		Stages: []Stage{
			join("extract", []Input{{"files", []int{Host}}}, "graph", runs),
			join("left", []Input{{"graph", []int{0}}}, "findings", runs),
			join("right", []Input{{"graph", []int{0}}}, "findings", runs),
			join("report", []Input{{"findings", []int{1, 2}}, {"graph", []int{0}}}, "documents", runs),
		},
		Source: src, Store: store, Warn: func(err error) { panic(err) },
	}
}

func run(t *testing.T, e *Engine) string {
	t.Helper()
	docs, err := e.Run(context.Background(), "documents", []int{3})
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%s", docs)
}

const want = "[report(left(extract(a ) )right(extract(a ) ) extract(a ) )]"

func TestEachStageRunsOnce(t *testing.T) {
	var runs atomic.Int32
	if got := run(t, chain(&runs, files("a"), nil)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if n := runs.Load(); n != 4 {
		t.Errorf("%d runs", n)
	}
}

func TestWhatIsRememberedDoesNotRun(t *testing.T) {
	store, err := cache.Open(context.Background(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	var runs atomic.Int32
	run(t, chain(&runs, files("a"), store))
	runs.Store(0)
	if got := run(t, chain(&runs, files("a"), store)); got != want {
		t.Errorf("got %s", got)
	}
	if n := runs.Load(); n != 0 {
		t.Errorf("%d runs on an unchanged source", n)
	}
	run(t, chain(&runs, files("b"), store))
	if n := runs.Load(); n != 4 {
		t.Errorf("%d runs on a changed source", n)
	}
	runs.Store(0)
	e := chain(&runs, files("a"), store)
	e.Stages[2].Identity = []byte("another version")
	run(t, e)
	if n := runs.Load(); n != 2 {
		t.Errorf("%d runs after one stage changed; that stage and the report should", n)
	}
}

func TestOnlyAStageThatRunsIsPrepared(t *testing.T) {
	store, err := cache.Open(context.Background(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	for _, want := range []int32{1, 0} {
		var runs, prepared atomic.Int32
		e := chain(&runs, files("a"), store)
		e.Stages[3].Prepare = func(ctx context.Context) {
			prepared.Add(1)
			<-ctx.Done() // the end of the stage ends it
		}
		run(t, e)
		if got := prepared.Load(); got != want {
			t.Errorf("prepared %d times, want %d", got, want)
		}
	}
}

func TestAStageThatIsNotNeededDoesNotRun(t *testing.T) {
	var runs atomic.Int32
	e := chain(&runs, files("a"), nil)
	e.Stages[3].Inputs = e.Stages[3].Inputs[1:]
	run(t, e)
	if n := runs.Load(); n != 2 {
		t.Errorf("%d runs", n)
	}
}

func TestAFailureIsTheStages(t *testing.T) {
	var runs atomic.Int32
	e := chain(&runs, files("a"), nil)
	fault := errors.New("no luck")
	e.Stages[1].Run = func(context.Context, map[string][]byte) (map[string][]byte, error) { return nil, fault }
	if _, err := e.Run(context.Background(), "documents", []int{3}); !errors.Is(err, fault) {
		t.Errorf("got %v", err)
	}
}

func TestAMissingSectionIsAnError(t *testing.T) {
	var runs atomic.Int32
	e := chain(&runs, files("a"), nil)
	e.Stages[1].Run = func(context.Context, map[string][]byte) (map[string][]byte, error) { return nil, nil }
	if _, err := e.Run(context.Background(), "documents", []int{3}); err == nil {
		t.Error("no error")
	}
}

func TestWhatIsUnsettledIsNotRemembered(t *testing.T) {
	store, err := cache.Open(context.Background(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	var runs atomic.Int32
	src := files("a")
	src.Unsettled = func() bool { return true }
	run(t, chain(&runs, src, store))
	run(t, chain(&runs, src, store))
	if n := runs.Load(); n != 8 {
		t.Errorf("%d runs, want 8", n)
	}
}
