//go:build unix

package pluginhost

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// faultyPath is the plugin that misbehaves on purpose.
var faultyPath string

// patience is how long a test waits for what must happen in a bounded time.
const patience = 30 * time.Second

func TestMain(m *testing.M) { os.Exit(testMain(m)) }

func testMain(m *testing.M) int {
	if os.Getenv("REPOX_TEST_HOST") != "" {
		return helperHost()
	}
	dir, err := os.MkdirTemp("", "faulty")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	faultyPath = filepath.Join(dir, "faulty")
	build := exec.Command("go", "build", "-o", faultyPath, "./testdata/faulty")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		fmt.Fprintln(os.Stderr, "build the faulty plugin:", err)
		return 1
	}
	return m.Run()
}

// world is what one test runs in: a host, its log, a temporary folder, and a list of grandchildren.
type world struct {
	*Host
	t        *testing.T
	log      *logBuffer
	tmp      string
	children string
}

// newWorld makes a host with short times and checks in the end that nothing is left.
func newWorld(t *testing.T, change ...func(*Options)) *world {
	t.Helper()
	w := &world{t: t, log: &logBuffer{}, tmp: shortTempDir(t), children: filepath.Join(t.TempDir(), "children")}
	t.Setenv("TMPDIR", w.tmp)
	opts := Options{
		Logger:       slog.New(slog.NewTextHandler(w.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
		HostVersion:  "1.2.3",
		PingInterval: 50 * time.Millisecond,
		PingTimeout:  2 * time.Second,
	}
	for _, f := range change {
		f(&opts)
	}
	w.Host = New(opts)
	t.Cleanup(func() {
		if err := w.Close(); err != nil {
			t.Errorf("close host: %v", err)
		}
		w.checkNothingLeft()
	})
	return w
}

// shortTempDir is a folder whose path leaves room for a socket, which that of t.TempDir may not.
func shortTempDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "px")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

func (w *world) spec(mode string) Spec {
	return Spec{Name: "faulty", Path: faultyPath, Args: []string{mode}, Env: []string{"CHILDREN=" + w.children}}
}

func (w *world) start(mode string) *Plugin {
	w.t.Helper()
	p, err := w.Start(w.context(), w.spec(mode))
	if err != nil {
		w.t.Fatalf("start in mode %s: %v\nlog:\n%s", mode, err, w.log)
	}
	return p
}

// do opens the stage with the given behaviour.
func (w *world) do(p *Plugin, what string) string {
	w.t.Helper()
	id, diags, err := p.Open(w.context(), "stage", []byte(`{"do":"`+what+`"}`), nil)
	if err != nil || id == "" {
		w.t.Fatalf("open stage to %s: %q, %v, %v", what, id, diags, err)
	}
	return id
}

func (w *world) context() context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	w.t.Cleanup(cancel)
	return ctx
}

func (w *world) checkNothingLeft() {
	w.t.Helper()
	left, err := os.ReadDir(w.tmp)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, e := range left {
		w.t.Errorf("left in the temporary folder: %s", e.Name())
	}
	for _, pid := range childrenIn(w.children) {
		waitGone(w.t, pid)
	}
}

// childrenIn reads the numbers of grandchildren that the plugin has noted.
func childrenIn(path string) []int {
	b, _ := os.ReadFile(path)
	var pids []int
	for _, s := range strings.Fields(string(b)) {
		if pid, err := strconv.Atoi(s); err == nil && pid > 0 {
			pids = append(pids, pid)
		}
	}
	return pids
}

// waitGone waits for the end of a process. A zombie whose parent is no more has ended too.
func waitGone(t *testing.T, pid int) {
	t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if !alive(pid) {
			return
		}
	}
	_ = syscall.Kill(pid, syscall.SIGKILL)
	t.Errorf("process %d is left behind", pid)
}

func alive(pid int) bool {
	if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
		return false
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return true
	}
	_, rest, _ := bytes.Cut(stat, []byte(") "))
	return !bytes.HasPrefix(rest, []byte("Z"))
}

// logBuffer is a buffer for log lines from several goroutines.
type logBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// eventually waits until the log holds the text.
func (l *logBuffer) eventually(t *testing.T, text string) {
	t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if strings.Contains(l.String(), text) {
			return
		}
	}
	t.Errorf("log does not hold %q:\n%.4000s", text, l.String())
}
