//go:build unix

package pluginhost

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestGrandchildrenEndWithThePlugin(t *testing.T) {
	for _, mode := range []string{"grandchild", "stubborn-grandchild"} {
		t.Run(mode, func(t *testing.T) {
			w := newWorld(t)
			p := w.start(mode)
			if err := p.Stop(w.context()); err != nil {
				t.Error(err)
			}
			checkChildren(t, w, p, 1)
		})
	}
	t.Run("crash", func(t *testing.T) {
		w := newWorld(t)
		p := w.start("stubborn-grandchild")
		_, err := p.Process(w.context(), w.do(p, "exit"), nil)
		checkCrash(t, err, Crashed)
		checkChildren(t, w, p, 1)
	})
	t.Run("born during a call", func(t *testing.T) {
		w := newWorld(t)
		p := w.start("good")
		if _, err := p.Process(w.context(), w.do(p, "grandchild"), nil); err != nil {
			t.Error(err)
		}
		w.KillAll()
		checkChildren(t, w, p, 1)
	})
}

func checkChildren(t *testing.T, w *world, p *Plugin, n int) {
	t.Helper()
	waitGone(t, p.PID())
	pids := childrenIn(w.children)
	if len(pids) != n {
		t.Errorf("the plugin noted %d children, want %d", len(pids), n)
	}
	for _, pid := range pids {
		waitGone(t, pid)
	}
}

func TestAPluginThatDoesNotListenIsKilled(t *testing.T) {
	w := newWorld(t)
	p := w.start("deaf")
	begin := time.Now()
	if err := p.Stop(w.context()); err != nil {
		t.Error(err)
	}
	t.Logf("took %s", time.Since(begin))
	checkChildren(t, w, p, 1)
}

func TestCloseIsFinal(t *testing.T) {
	w := newWorld(t)
	p := w.start("good")
	q := w.start("good")
	_ = syscall.Kill(q.PID(), syscall.SIGSTOP)
	// The signal takes a moment to stop every thread.
	time.Sleep(50 * time.Millisecond)
	for range 2 {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
		w.KillAll()
	}
	waitGone(t, p.PID())
	waitGone(t, q.PID())
	if _, err := w.Start(w.context(), w.spec("good")); !errors.Is(err, errClosed) {
		t.Errorf("start after close: got %v", err)
	}
}

func TestCloseEndsStartsThatRun(t *testing.T) {
	w := newWorld(t)
	done := make(chan error, 1)
	go func() {
		_, err := w.Start(w.context(), w.spec("silent"))
		done <- err
	}()
	w.log.eventually(t, "mode silent")
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	if err := <-done; !errors.Is(err, errClosed) {
		t.Errorf("got %v", err)
	}
}

func TestSweepRemovesWhatKilledHostsLeft(t *testing.T) {
	w := newWorld(t)
	old := time.Now().Add(-time.Minute)
	left := filepath.Join(w.tmp, runDirPrefix+"left")
	other := filepath.Join(w.tmp, "other")
	living, err := makeRunDir(w.tmp)
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{left, other} {
		if err := os.MkdirAll(filepath.Join(dir, "1"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, dir := range []string{left, other, living.path} {
		if err := os.Chtimes(dir, old, old); err != nil {
			t.Fatal(err)
		}
	}
	w.start("good")
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for path, stays := range map[string]bool{left: false, other: true, living.path: true} {
		if _, err := os.Stat(path); (err == nil) != stays {
			t.Errorf("%s: stays is %t, want %t", filepath.Base(path), err == nil, stays)
		}
	}
	living.remove()
	os.RemoveAll(other)
}

// helperHost is a host in a process of its own, for tests that kill it. It prints its plugin's number, then waits in a
// call until an interrupt, which it answers as the command line does.
func helperHost() int {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt)
	h := New(Options{StopGrace: 300 * time.Millisecond})
	go func() {
		<-signals
		cancel()
		<-signals
		h.KillAll()
		os.Exit(131)
	}()
	p, err := h.Start(ctx, Spec{
		Name: "faulty", Path: os.Getenv("REPOX_TEST_PLUGIN"), Args: []string{os.Getenv("REPOX_TEST_HOST")},
		Env: []string{"CHILDREN=" + os.Getenv("CHILDREN")},
	})
	if err != nil {
		fmt.Println(err)
		return 1
	}
	id, _, err := p.Open(ctx, "stage", []byte(`{"do":"hang"}`), nil)
	if err != nil {
		fmt.Println(err)
		return 1
	}
	fmt.Println(p.PID())
	_, err = p.Process(ctx, id, nil)
	if os.Getenv("REPOX_TEST_SLOW") != "" {
		time.Sleep(time.Hour)
	}
	if err := h.Close(); err != nil {
		fmt.Println(err)
		return 1
	}
	var e *CallError
	if errors.As(err, &e) && e.Reason == CallCanceled {
		return 130
	}
	return 1
}

// startHelper runs the helper host and gives its plugin's number.
func startHelper(t *testing.T, w *world, mode string, env ...string) (cmd *exec.Cmd, plugin int) {
	t.Helper()
	cmd = exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "REPOX_TEST_HOST="+mode, "REPOX_TEST_PLUGIN="+faultyPath, "CHILDREN="+w.children)
	cmd.Env = append(cmd.Env, env...)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	line, _ := bufio.NewReader(out).ReadString('\n')
	plugin, err = strconv.Atoi(strings.TrimSpace(line))
	if err != nil {
		t.Fatalf("helper host says %q", line)
	}
	return cmd, plugin
}

func TestPluginsEndWhenTheirHostIsKilled(t *testing.T) {
	w := newWorld(t)
	host, plugin := startHelper(t, w, "good")
	if err := host.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = host.Wait()
	waitGone(t, plugin)
	// Its folder goes with the next host.
	left, err := os.ReadDir(w.tmp)
	if err != nil || len(left) != 1 {
		t.Fatalf("left are %v, %v; want one folder", left, err)
	}
	old := time.Now().Add(-time.Minute)
	if err := os.Chtimes(filepath.Join(w.tmp, left[0].Name()), old, old); err != nil {
		t.Fatal(err)
	}
	w.start("good")
}

func TestInterrupts(t *testing.T) {
	t.Run("once", func(t *testing.T) {
		w := newWorld(t)
		host, plugin := startHelper(t, w, "stubborn-grandchild")
		checkInterrupted(t, w, host, plugin, 130)
	})
	t.Run("once with a deaf plugin", func(t *testing.T) {
		w := newWorld(t)
		host, plugin := startHelper(t, w, "deaf")
		checkInterrupted(t, w, host, plugin, 130)
	})
	t.Run("twice", func(t *testing.T) {
		w := newWorld(t)
		host, plugin := startHelper(t, w, "stubborn-grandchild", "REPOX_TEST_SLOW=1")
		_ = host.Process.Signal(os.Interrupt)
		time.Sleep(100 * time.Millisecond)
		checkInterrupted(t, w, host, plugin, 131)
	})
}

func checkInterrupted(t *testing.T, w *world, host *exec.Cmd, plugin, status int) {
	t.Helper()
	begin := time.Now()
	_ = host.Process.Signal(os.Interrupt)
	_ = host.Wait()
	t.Logf("host ended after %s", time.Since(begin))
	if got := host.ProcessState.ExitCode(); got != status {
		t.Errorf("got exit status %d, want %d", got, status)
	}
	waitGone(t, plugin)
	for _, pid := range childrenIn(w.children) {
		waitGone(t, pid)
	}
}

// TestACtrlCAtTheTerminalDoesNotReachPlugins: the terminal signals the host's group, which plugins are not in.
func TestACtrlCAtTheTerminalDoesNotReachPlugins(t *testing.T) {
	w := newWorld(t)
	p := w.start("good")
	group, err := syscall.Getpgid(p.PID())
	if err != nil || group != p.PID() {
		t.Errorf("the plugin is in group %d, %v; want its own", group, err)
	}
}
