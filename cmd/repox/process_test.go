//go:build linux

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// bigTree makes a repository that takes a while to read.
func bigTree(t *testing.T, files int) string {
	t.Helper()
	dir := t.TempDir()
	var body strings.Builder
	for i := range 200 {
		fmt.Fprintf(&body, "func f%d(a, b int) (int, error) {\n\tif a > b {\n\t\treturn g(a, b), nil\n\t}\n\treturn f%d(b, a)\n}\n\n", i, (i+1)%200)
	}
	for i := range files {
		src := fmt.Sprintf("package p%d\n\n%s", i, body.String())
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("f%d.go", i)), []byte(src), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// start runs repox with a cache and a temporary folder of its own.
func start(t *testing.T, stdout *bytes.Buffer, args ...string) (cmd *exec.Cmd, tmp string) {
	t.Helper()
	tmp = t.TempDir()
	cmd = exec.Command(filepath.Join(binaries, "repox"), args...)
	cmd.Env = append(os.Environ(), "REPOX_CACHE_DIR="+filepath.Join(tmp, "cache"), "TMPDIR="+filepath.Join(tmp, "tmp"))
	if err := os.Mkdir(filepath.Join(tmp, "tmp"), 0o755); err != nil {
		t.Fatal(err)
	}
	cmd.Stdout = stdout
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, tmp
}

// children gives the plugins that pid has started: process number by component.
func children(pid int) map[string]int {
	out := map[string]int{}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, stat := range stats {
		b, err := os.ReadFile(stat)
		if err != nil {
			continue
		}
		// After the name in parentheses: state, then the parent.
		rest := strings.Fields(string(b[bytes.LastIndexByte(b, ')')+1:]))
		if len(rest) < 2 || rest[1] != strconv.Itoa(pid) {
			continue
		}
		dir := filepath.Dir(stat)
		child, err := strconv.Atoi(filepath.Base(dir))
		if err != nil {
			continue
		}
		line, err := os.ReadFile(filepath.Join(dir, "cmdline"))
		if args := strings.Split(strings.TrimRight(string(line), "\x00"), "\x00"); err == nil && len(args) == 4 && args[1] == "plugin" {
			out[args[3]] = child
		}
	}
	return out
}

func alive(pid int) bool { return syscall.Kill(pid, 0) == nil }

func waitUntil(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
		if ok() {
			return
		}
	}
	t.Fatalf("after 30 seconds still not: %s", what)
}

func TestEveryPluginIsAProcess(t *testing.T) {
	var out bytes.Buffer
	cmd, _ := start(t, &out, "map", bigTree(t, 60))
	seen := map[string]int{}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	for running := true; running; {
		select {
		case err := <-done:
			if err != nil {
				t.Fatal(err)
			}
			running = false
		default:
			for name, pid := range children(cmd.Process.Pid) {
				seen[name] = pid
			}
		}
	}
	var names []string
	pids := map[int]bool{}
	for name, pid := range seen {
		names = append(names, name)
		pids[pid] = true
		if alive(pid) {
			t.Errorf("%s outlived the run", name)
		}
	}
	sort.Strings(names)
	if got := strings.Join(names, " "); got != "extract lang-go rank redact report" || len(pids) != 5 {
		t.Errorf("processes were %s (%d of them)", got, len(pids))
	}
}

// interrupt starts a run, waits until a pack works, and sends signals until it ends.
func interrupt(t *testing.T, send func(p *os.Process)) (status int, pids map[string]int, tmp string) {
	t.Helper()
	var out bytes.Buffer
	cmd, tmp := start(t, &out, "map", bigTree(t, 400))
	waitUntil(t, "a pack runs", func() bool {
		pids = children(cmd.Process.Pid)
		return pids["lang-go"] != 0
	})
	send(cmd.Process)
	err := cmd.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if out.Len() > 0 {
		t.Errorf("an interrupted run wrote %d bytes", out.Len())
	}
	return cmd.ProcessState.ExitCode(), pids, tmp
}

func TestInterruptLeavesNothing(t *testing.T) {
	for name, signals := range map[string][]os.Signal{
		"once":      {os.Interrupt},
		"twice":     {os.Interrupt, os.Interrupt},
		"terminate": {syscall.SIGTERM},
	} {
		t.Run(name, func(t *testing.T) {
			status, pids, tmp := interrupt(t, func(p *os.Process) {
				for _, s := range signals {
					if err := p.Signal(s); err != nil && !errors.Is(err, os.ErrProcessDone) {
						t.Error(err)
					}
				}
			})
			if status != 130 {
				t.Errorf("exit status %d, want 130", status)
			}
			for component, pid := range pids {
				waitUntil(t, component+" has ended", func() bool { return !alive(pid) })
			}
			left, err := os.ReadDir(filepath.Join(tmp, "tmp"))
			if err != nil || len(left) > 0 {
				t.Errorf("left in the temporary folder: %v, %v", left, err)
			}
		})
	}
}

func TestAKilledHostTakesItsPluginsAlong(t *testing.T) {
	_, pids, tmp := interrupt(t, func(p *os.Process) {
		if err := p.Kill(); err != nil {
			t.Error(err)
		}
	})
	for component, pid := range pids {
		waitUntil(t, component+" has ended", func() bool { return !alive(pid) })
	}
	// The cache is as good as new.
	cmd := exec.Command(filepath.Join(binaries, "repox"), "map", bigTree(t, 2))
	cmd.Env = append(os.Environ(), "REPOX_CACHE_DIR="+filepath.Join(tmp, "cache"))
	out, err := cmd.CombinedOutput()
	if err != nil || !bytes.Contains(out, []byte("func f0")) || bytes.Contains(out, []byte("warning")) {
		t.Errorf("the next run gives %v\n%s", err, out)
	}
}
