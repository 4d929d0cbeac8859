//go:build unix

package pluginhost

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	pluginv1 "github.com/repox-dev/repox/sdk/proto"
)

func TestProcessCarriesSections(t *testing.T) {
	w := newWorld(t)
	p := w.start("good")
	big := make([]byte, 5*pluginv1.ChunkSize+1)
	for i := range big {
		big[i] = byte(i * 7 >> 3)
	}
	in := map[string][]byte{"files": []byte("x"), "tags": big, "graph": big[:pluginv1.ChunkSize]}
	out, err := p.Process(w.context(), w.do(p, "echo"), in)
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range in {
		if !bytes.Equal(out[name], data) {
			t.Errorf("section %s came back with %d bytes, want %d", name, len(out[name]), len(data))
		}
	}
	for end := time.Now().Add(patience); p.calls.busy(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("a call still counts as running")
		}
	}
}

func TestAStageMayAnswerBeforeItHasReadEverything(t *testing.T) {
	w := newWorld(t)
	p := w.start("good")
	// More than fits into the windows and buffers between both sides, plus what is still on its way.
	out, err := p.Process(w.context(), w.do(p, "early"), map[string][]byte{"tags": make([]byte, 64<<20)})
	if err != nil && err.Error() != "" {
		var e *CallError
		if !errors.As(err, &e) {
			t.Fatal(err)
		}
	}
	if err == nil && string(out["early"]) != "done" {
		t.Errorf("got %q", out["early"])
	}
	if _, err := p.Describe(w.context()); err != nil {
		t.Errorf("the plugin is gone afterwards: %v", err)
	}
}

func TestPluginsThatDieDuringACall(t *testing.T) {
	tests := []struct {
		do    string
		cause Cause
		says  []string
	}{
		{"panic", Crashed, []string{"exit status 2", "panic: boom"}},
		{"exit", Crashed, []string{"exit status 9", "faulty: leaving"}},
		{"kill", OutOfMemory, []string{"SIGKILL", "lack of memory"}},
		{"freeze", Frozen, []string{"no sign of life", "silent for 2s"}},
		{"eat", MemoryLimit, []string{"256 are allowed"}},
	}
	for _, tt := range tests {
		t.Run(tt.do, func(t *testing.T) {
			w := newWorld(t)
			spec := w.spec("good")
			spec.MemoryLimit = 256 << 20
			p, err := w.Start(w.context(), spec)
			if err != nil {
				t.Fatal(err)
			}
			_, err = p.Process(w.context(), w.do(p, tt.do), nil)
			checkCrash(t, err, tt.cause, tt.says...)
			waitGone(t, p.PID())
			// Later calls say the same rather than hang.
			_, err = p.Describe(w.context())
			checkCrash(t, err, tt.cause)
		})
	}
}

func checkCrash(t *testing.T, err error, cause Cause, says ...string) {
	t.Helper()
	var e *CrashError
	if !errors.As(err, &e) {
		t.Fatalf("got %v, want a *CrashError", err)
	}
	if e.Cause != cause {
		t.Errorf("got cause %q, want %q", e.Cause, cause)
	}
	for _, s := range append(says, "plugin faulty") {
		if !strings.Contains(err.Error(), s) {
			t.Errorf("error does not say %q: %v", s, err)
		}
	}
	if strings.Contains(err.Error(), "\n") {
		t.Errorf("error has several lines: %q", err)
	}
}

func TestCallsThatFailThoughThePluginLives(t *testing.T) {
	tests := []struct {
		do     string
		reason CallReason
		says   string
	}{
		{"error", CallFailed, "cannot rank an empty graph"},
		{"over-limit", TooLarge, "larger than max"},
		{"flood", TooLarge, "more than 33554432 bytes"},
		{"nameless", Garbage, "no section"},
	}
	for _, tt := range tests {
		t.Run(tt.do, func(t *testing.T) {
			w := newWorld(t, func(o *Options) { o.AnswerLimit = 32 << 20 })
			p := w.start("good")
			_, err := p.Process(w.context(), w.do(p, tt.do), nil)
			checkCall(t, err, tt.reason, tt.says)
			if _, err := p.Describe(w.context()); err != nil {
				t.Errorf("the plugin is gone afterwards: %v", err)
			}
		})
	}
}

func checkCall(t *testing.T, err error, reason CallReason, says string) {
	t.Helper()
	var e *CallError
	if !errors.As(err, &e) {
		t.Fatalf("got %v, want a *CallError", err)
	}
	if e.Reason != reason || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "\n") {
		t.Errorf("got reason %d, %q; want %d, %q", e.Reason, err, reason, says)
	}
}

func TestMessagesAtTheLimit(t *testing.T) {
	w := newWorld(t)
	p := w.start("good")
	extract := func(size int) error {
		ctx, cancel := context.WithCancel(w.context())
		defer cancel()
		stream, err := p.Pack().Extract(ctx)
		if err != nil {
			return err
		}
		req := &pluginv1.ExtractRequest{Files: []*pluginv1.SourceFile{{Content: make([]byte, size)}}}
		if err := stream.Send(req); err != nil {
			return err
		}
		_, err = stream.Recv()
		return p.Explain("Extract", err)
	}
	if err := extract(pluginv1.MessageLimit - 100); err != nil {
		t.Errorf("just below the limit: %v", err)
	}
	checkCall(t, p.Explain("Extract", extract(pluginv1.MessageLimit+1)), TooLarge, "larger than max")
}

func TestOpen(t *testing.T) {
	w := newWorld(t)
	p := w.start("good")
	id, diags, err := p.Open(w.context(), "stage", []byte(`{"do":"refuse"}`), nil)
	if err != nil || id != "" || len(diags) != 1 || diags[0].Message != "not this" {
		t.Errorf("got %q, %v, %v", id, diags, err)
	}
	_, _, err = p.Open(w.context(), "stage", []byte(`{"do":"nothing"}`), nil)
	checkCall(t, err, Garbage, "neither")
	if err := p.Close(w.context(), "unknown"); err != nil {
		t.Error(err)
	}
	c := w.Supervise(w.spec("good")).Component("stage", []byte(`{"do":"refuse"}`), nil)
	_, err = c.Open(w.context())
	var refused *ConfigError
	if !errors.As(err, &refused) || !strings.Contains(err.Error(), "do: not this") {
		t.Errorf("got %v", err)
	}
}

func TestDeadlines(t *testing.T) {
	w := newWorld(t, func(o *Options) { o.CallTimeout = 300 * time.Millisecond })
	p := w.start("hanging-describe")
	_, err := p.Describe(w.context())
	checkCall(t, err, CallTimeout, "no answer within")
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	_, err = p.Process(ctx, w.do(p, "hang"), nil)
	checkCrash(t, err, Overdue, "deadline")
	waitGone(t, p.PID())
}

func TestAnInterruptedCallReturnsAtOnce(t *testing.T) {
	w := newWorld(t)
	p := w.start("good")
	ctx, cancel := context.WithCancel(w.context())
	id := w.do(p, "hang")
	time.AfterFunc(50*time.Millisecond, cancel)
	_, err := p.Process(ctx, id, nil)
	checkCall(t, err, CallCanceled, "interrupted")
}

func TestStopDuringACall(t *testing.T) {
	w := newWorld(t)
	p := w.start("good")
	id := w.do(p, "hang")
	time.AfterFunc(50*time.Millisecond, func() { _ = p.Stop(context.Background()) })
	_, err := p.Process(w.context(), id, nil)
	checkCrash(t, err, Stopped)
}

func TestSupervisedStagesAreRestarted(t *testing.T) {
	w := newWorld(t)
	once := w.Supervise(w.spec("good")).Component("stage", []byte(`{"do":"crash-once"}`), nil)
	out, err := once.Process(w.context(), map[string][]byte{"a": []byte("b")})
	if err != nil || string(out["a"]) != "b" {
		t.Errorf("got %q, %v", out, err)
	}
	always := w.Supervise(w.spec("good")).Component("stage", []byte(`{"do":"exit"}`), nil)
	_, err = always.Process(w.context(), nil)
	checkCrash(t, err, Crashed, "4 times", "3 restarts", "faulty: leaving")
	if err := always.Stop(w.context()); err != nil {
		t.Error(err)
	}
}

func TestSupervisorSharesOneProcess(t *testing.T) {
	w := newWorld(t)
	s := w.Supervise(w.spec("good"))
	a, err := s.Component("stage", []byte(`{}`), nil).Open(w.context())
	if err != nil {
		t.Fatal(err)
	}
	b, err := s.Component("pack", []byte(`{}`), nil).Open(w.context())
	if err != nil {
		t.Fatal(err)
	}
	if a.Plugin != b.Plugin {
		t.Error("two processes for one program")
	}
	if err := s.Stop(w.context()); err != nil {
		t.Error(err)
	}
	waitGone(t, a.Plugin.PID())
}
