//go:build unix

package tags

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/repox-dev/repox/core/pluginhost"
	pluginv1 "github.com/repox-dev/repox/sdk/proto"
)

// bench is what a test of the extractor works with.
type bench struct {
	t        *testing.T
	opener   Opener
	contents []string
	opts     Options
	results  map[uint32]*pluginv1.FileResult
}

// newBench makes a pack that behaves as do says, and n harmless files.
func newBench(t *testing.T, do string, n int) *bench {
	t.Helper()
	path, err := faulty.build()
	if err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	host := pluginhost.New(pluginhost.Options{
		Logger:       slog.New(slog.NewTextHandler(&lockedWriter{w: &log}, nil)),
		PingInterval: 50 * time.Millisecond, PingTimeout: time.Second,
	})
	t.Cleanup(func() {
		if err := host.Close(); err != nil {
			t.Error(err)
		}
	})
	spec := pluginhost.Spec{Name: "faulty", Path: path, Args: []string{"good"}}
	c := host.Supervise(spec).Component("pack", []byte(`{"do":"`+do+`"}`), nil)
	b := &bench{t: t, opener: FromComponent(c), contents: make([]string, n), results: map[uint32]*pluginv1.FileResult{}}
	b.opts = Options{Pack: "faulty", AnswerFloor: 2 * time.Second, AnswerCap: 2 * time.Second, FileTime: time.Second}
	return b
}

type lockedWriter struct {
	mu sync.Mutex
	w  *bytes.Buffer
}

func (l *lockedWriter) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(p)
}

func (b *bench) files() []File {
	var files []File
	for i, c := range b.contents {
		files = append(files, File{
			Source: &pluginv1.SourceFile{File: uint32(i), Path: fmt.Appendf(nil, "dir/%d.x", i), Content: []byte(c)},
			Size:   int64(len(c)),
		})
	}
	return files
}

// run extracts and checks that every file is accounted for once.
func (b *bench) run() (Stats, error) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	stats, err := NewExtractor(b.opener, b.opts).Run(ctx, Feed(b.files()), func(res *pluginv1.FileResult) {
		if b.results[res.File] != nil {
			b.t.Errorf("file %d is answered twice", res.File)
		}
		b.results[res.File] = res
	})
	if len(b.results) != len(b.contents) || stats.Files != len(b.contents) || stats.Facts+stats.Skips != stats.Files {
		b.t.Errorf("%d files, %d results, stats %+v", len(b.contents), len(b.results), stats)
	}
	return stats, err
}

// skips gives the codes of the skipped files.
func (b *bench) skips() map[uint32]string {
	out := map[uint32]string{}
	for n, res := range b.results {
		if res.Skip != nil {
			out[n] = res.Skip.Code
		}
	}
	return out
}

func TestEveryFileIsAnswered(t *testing.T) {
	b := newBench(t, "", 1000)
	b.contents[7] = "skip"
	stats, err := b.run()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(stats, Stats{Files: 1000, Facts: 999, Skips: 1}); diff != "" {
		t.Error(diff)
	}
}

func TestNoFiles(t *testing.T) {
	if stats, err := newBench(t, "", 0).run(); err != nil || stats != (Stats{}) {
		t.Errorf("got %+v, %v", stats, err)
	}
}

func TestOneBadFileAmongThousands(t *testing.T) {
	for content, code := range map[string]string{
		"panic": "crashed", "segv": "crashed", "freeze": "timeout", "hang": "timeout", "huge": "too_complex",
		"undecodable": "crashed", "missing": "crashed",
	} {
		t.Run(content, func(t *testing.T) {
			b := newBench(t, "", 3000)
			b.contents[1234] = content
			stats, err := b.run()
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(b.skips(), map[uint32]string{1234: code}); diff != "" {
				t.Error(diff)
			}
			if stats.Restarts != 2 {
				t.Errorf("got %d restarts, want 2", stats.Restarts)
			}
			t.Log(b.results[1234].Skip.Message)
		})
	}
}

func TestSeveralBadFiles(t *testing.T) {
	b := newBench(t, "", 2000)
	want := map[uint32]string{}
	for _, n := range []uint32{3, 4, 70, 71, 600, 1200, 1999} {
		b.contents[n] = "panic"
		want[n] = "crashed"
	}
	if _, err := b.run(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(b.skips(), want); diff != "" {
		t.Error(diff)
	}
}

func TestAPackThatFailsOnEveryFileIsGivenUp(t *testing.T) {
	for _, content := range []string{"panic", "undecodable"} {
		t.Run(content, func(t *testing.T) {
			b := newBench(t, "", 500)
			for i := range b.contents {
				b.contents[i] = content
			}
			checkGivenUp(t, b, crashLimit)
		})
	}
}

func checkGivenUp(t *testing.T, b *bench, blamed int) {
	t.Helper()
	stats, err := b.run()
	var e *PackError
	if !errors.As(err, &e) {
		t.Fatalf("got %v, want a *PackError", err)
	}
	if len(e.Files) != blamed || stats.Skips != len(b.contents) {
		t.Errorf("%d files blamed, want %d; stats %+v", len(e.Files), blamed, stats)
	}
	if strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), "extract with faulty: given up after it was lost") {
		t.Errorf("error is not one clear line: %q", err)
	}
	t.Log(err)
}

func TestAPackThatHangsOnEveryFileIsGivenUp(t *testing.T) {
	b := newBench(t, "", 100)
	b.opts.AnswerFloor, b.opts.AnswerCap, b.opts.FileTime = 300*time.Millisecond, 300*time.Millisecond, 150*time.Millisecond
	for i := range b.contents {
		b.contents[i] = "hang"
	}
	checkGivenUp(t, b, overdueLimit)
}

func TestGarbageIsTheFaultOfThePack(t *testing.T) {
	for do, blamed := range map[string]int{
		"unknown-seq": crashLimit, "unknown-file": crashLimit, "same-file": crashLimit, "skip-last": crashLimit, "error": crashLimit,
		"crash-always": crashLimit,
	} {
		t.Run(do, func(t *testing.T) { checkGivenUp(t, newBench(t, do, 300), blamed) })
	}
}

func TestAnswersThatComeTwice(t *testing.T) {
	b := newBench(t, "twice", 300)
	_, err := b.run()
	if err == nil {
		t.Error("got no error")
	}
}

func TestAPackThatGrowsIsReplaced(t *testing.T) {
	b := newBench(t, "grow", 100*64)
	b.opts.RecycleBytes = 40 << 20
	stats, err := b.run()
	if err != nil {
		t.Fatal(err)
	}
	if stats.Recycled != 2 || stats.Restarts != 0 || stats.Facts != 6400 {
		t.Errorf("got %+v, want 2 recycled", stats)
	}
}

func TestFilesThatComeLateAreNotHeldBack(t *testing.T) {
	b := newBench(t, "", 3)
	files := make(chan File)
	answered := make(chan uint32, 3)
	done := make(chan error, 1)
	go func() {
		_, err := NewExtractor(b.opener, b.opts).Run(context.Background(), files, func(r *pluginv1.FileResult) { answered <- r.File })
		done <- err
	}()
	// Each file is sent only after the one before was answered: no batch may wait to be full.
	for i, f := range b.files() {
		files <- f
		if got := <-answered; got != uint32(i) {
			t.Errorf("got an answer for %d, want %d", got, i)
		}
	}
	close(files)
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestAnInterruptEndsTheExtraction(t *testing.T) {
	b := newBench(t, "", 10)
	b.contents[5] = "hang"
	b.opts.FileTime, b.opts.AnswerFloor = time.Hour, time.Hour
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(200*time.Millisecond, cancel)
	_, err := NewExtractor(b.opener, b.opts).Run(ctx, Feed(b.files()), func(*pluginv1.FileResult) {})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestAPackThatCannotStart(t *testing.T) {
	host := pluginhost.New(pluginhost.Options{})
	t.Cleanup(func() { host.Close() })
	c := host.Supervise(pluginhost.Spec{Name: "none", Path: "/nonexistent"}).Component("pack", nil, nil)
	err := NewExtractor(FromComponent(c), Options{}).Extract(context.Background(), []*pluginv1.SourceFile{{File: 1}}, nil)
	var e *pluginhost.StartError
	if !errors.As(err, &e) || e.Reason != pluginhost.NotFound {
		t.Errorf("got %v", err)
	}
}

func TestFilesTooLargeForAMessage(t *testing.T) {
	b := newBench(t, "", 3)
	b.contents[1] = strings.Repeat("x", pluginv1.MessageLimit)
	if _, err := b.run(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(b.skips(), map[uint32]string{1: "too_complex"}); diff != "" {
		t.Error(diff)
	}
}
