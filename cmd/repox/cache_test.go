//go:build linux

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// stranger is a user who owns nothing: for root, no folder is read-only.
const stranger = 65534

// cached is a repository and what is said of it without a cache.
type cached struct {
	repo string
	want map[string]string // output by command
}

func newCached(t *testing.T, files int) *cached {
	t.Helper()
	c := &cached{repo: bigTree(t, files), want: map[string]string{}}
	for _, command := range []string{"map", "tags"} {
		stdout, stderr := c.run(t, command, "", "--no-cache")
		if stdout == "" || stderr != "" {
			t.Fatalf("%s without a cache: %d bytes, %q", command, len(stdout), stderr)
		}
		c.want[command] = stdout
	}
	return c
}

func (c *cached) command(command, dir string, args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(binaries, "repox"), append([]string{command, c.repo}, args...)...)
	// The stranger may not look into the home of who runs the tests.
	cmd.Env = append(os.Environ(), "REPOX_CACHE_DIR="+dir, "HOME="+c.repo, "XDG_CONFIG_HOME="+c.repo)
	return cmd
}

func (c *cached) run(t *testing.T, command, dir string, args ...string) (stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	cmd := c.command(command, dir, args...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s: %v\n%s", command, err, errs.String())
	}
	return out.String(), errs.String()
}

// check runs a command on a cache and wants the answer that it gives without one, and at most so many warnings.
func (c *cached) check(t *testing.T, command, dir string, warnings int) (stderr string) {
	t.Helper()
	stdout, stderr := c.run(t, command, dir)
	if stdout != c.want[command] {
		t.Errorf("%s gives another answer than without a cache", command)
	}
	if n := strings.Count(stderr, "\n"); n > warnings {
		t.Errorf("%s gives %d lines of warnings, want at most %d:\n%s", command, n, warnings, stderr)
	}
	return stderr
}

// warm gives a folder with a cache of everything.
func (c *cached) warm(t *testing.T) (dir, file string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "cache")
	c.check(t, "tags", dir, 0)
	c.check(t, "map", dir, 0)
	return dir, filepath.Join(dir, "repox.db")
}

func TestADamagedCacheCostsOneWarning(t *testing.T) {
	c := newCached(t, 20)
	for name, change := range map[string]func([]byte) []byte{
		"truncated":            func(b []byte) []byte { return b[:len(b)/2] },
		"truncated to nothing": func([]byte) []byte { return nil },
		"zeroed":               func(b []byte) []byte { return make([]byte, len(b)) },
		"zeroed in the middle": func(b []byte) []byte { clear(b[4096 : len(b)-4096]); return b },
		"text":                 func([]byte) []byte { return bytes.Repeat([]byte("no cache "), 1000) },
	} {
		t.Run(name, func(t *testing.T) {
			for _, command := range []string{"map", "tags"} {
				dir, file := c.warm(t)
				b, err := os.ReadFile(file)
				if err == nil {
					err = os.WriteFile(file, change(b), 0o600)
				}
				if err != nil {
					t.Fatal(err)
				}
				stderr := c.check(t, command, dir, 1)
				if name == "zeroed in the middle" && !strings.Contains(stderr, "was damaged and is made again") {
					t.Errorf("%s says %q", command, stderr)
				}
				c.check(t, command, dir, 0)
				if c.check(t, command, dir, 0); t.Failed() {
					return
				}
			}
		})
	}
}

func TestAnotherProgramsDatabaseCostsOneWarning(t *testing.T) {
	c := newCached(t, 3)
	dir, file := c.warm(t)
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	copy(b[68:72], "else") // the mark of the program, in SQLite's header
	if err := os.WriteFile(file, b, 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if stderr := c.check(t, "map", dir, 1); !strings.Contains(stderr, "another program") {
			t.Errorf("the warning is %q", stderr)
		}
	}
	reset := exec.Command(filepath.Join(binaries, "repox"), "reset")
	reset.Env = append(os.Environ(), "REPOX_CACHE_DIR="+dir)
	if out, err := reset.CombinedOutput(); err == nil {
		t.Errorf("reset deletes it:\n%s", out)
	}
	if after, err := os.ReadFile(file); err != nil || !bytes.Equal(b, after) {
		t.Errorf("it was changed; %v", err)
	}
}

func TestAReadOnlyCacheIsRead(t *testing.T) {
	c := newCached(t, 3)
	warm, _ := c.warm(t)
	empty := filepath.Join(t.TempDir(), "empty")
	if err := os.Mkdir(empty, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, dir := range map[string]string{"warm": warm, "empty": empty} {
		t.Run(name, func(t *testing.T) {
			closeTo(t, dir)
			before := snapshot(t, dir)
			for _, command := range []string{"map", "tags"} {
				stdout, stderr := asStranger(t, c, dir, command)
				if stdout != c.want[command] {
					t.Errorf("%s gives another answer than without a cache", command)
				}
				if n := strings.Count(stderr, "\n"); n > 1 || n > 0 && name == "warm" {
					t.Errorf("%s gives %d lines of warnings:\n%s", command, n, stderr)
				}
			}
			if name == "warm" {
				if _, stderr := asStranger(t, c, dir, "map", "--timings"); !remembered.MatchString(stderr) {
					t.Errorf("what is remembered is not read:\n%s", stderr)
				}
			}
			if after := snapshot(t, dir); after != before {
				t.Errorf("before\n%s\nafter\n%s", before, after)
			}
		})
	}
}

// remembered is the line of a stage whose outputs came from the cache.
var remembered = regexp.MustCompile(`(?m)^stage report .* remembered$`)

// asStranger runs a command as someone who may write nothing.
func asStranger(t *testing.T, c *cached, dir, command string, args ...string) (stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	cmd := c.command(command, dir, args...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	if os.Getuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: stranger, Gid: stranger}}
		open(t, binaries)
		open(t, c.repo)
	}
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, errs.String())
	}
	return out.String(), errs.String()
}

// closeTo lets everyone read what lies in a folder, and nobody write there, until the test has ended.
func closeTo(t *testing.T, dir string) {
	t.Helper()
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if err := os.Chmod(filepath.Join(dir, f.Name()), 0o444); err != nil {
			t.Fatal(err)
		}
	}
	open(t, filepath.Dir(dir))
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(dir, 0o755) })
}

// open lets everyone into a temporary folder: those of a test are closed to others, and so are those they lie in.
func open(t *testing.T, dir string) {
	t.Helper()
	for ; dir != os.TempDir() && dir != "/" && dir != "."; dir = filepath.Dir(dir) {
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
}

func TestRunsAtOnceOnOneCache(t *testing.T) {
	c := newCached(t, 20)
	dir := filepath.Join(t.TempDir(), "cache") // all make it
	for range 3 {
		c.together(t, dir, 0)
	}
	file := filepath.Join(dir, "repox.db")
	b, err := os.ReadFile(file)
	if err == nil {
		clear(b[4096:])
		err = os.WriteFile(file, b, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	c.together(t, dir, 1) // all find it damaged
	c.together(t, dir, 0)
}

// together runs several commands on a cache at once, and checks each like check.
func (c *cached) together(t *testing.T, dir string, warnings int) {
	t.Helper()
	var wg sync.WaitGroup
	for _, command := range []string{"map", "tags", "map"} {
		cmd := c.command(command, dir)
		var out, errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errs
		wg.Go(func() {
			if err := cmd.Run(); err != nil {
				t.Errorf("%s: %v\n%s", command, err, errs.String())
			}
			if out.String() != c.want[command] {
				t.Errorf("%s gives another answer than without a cache", command)
			}
			if n := strings.Count(errs.String(), "\n"); n > warnings {
				t.Errorf("%s gives %d lines of warnings, want at most %d:\n%s", command, n, warnings, errs.String())
			}
		})
	}
	wg.Wait()
}

// TestAKilledRunLeavesASoundCache kills runs at ever later states of the cache: when its log has grown to a size.
func TestAKilledRunLeavesASoundCache(t *testing.T) {
	c := newCached(t, 60)
	dir := filepath.Join(t.TempDir(), "cache")
	for _, size := range []int64{0, 1, 100 << 10, 400 << 10, 1 << 20} {
		t.Run(strconv.FormatInt(size, 10), func(t *testing.T) {
			if err := os.RemoveAll(dir); err != nil {
				t.Fatal(err)
			}
			cmd := c.command("map", dir)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			ended := make(chan struct{})
			go func() {
				_ = cmd.Wait() // killed, or ended before the log had the size
				close(ended)
			}()
			for waiting := true; waiting; {
				select {
				case <-ended:
					waiting = false
				default:
					info, err := os.Stat(filepath.Join(dir, "repox.db-wal"))
					if err == nil && info.Size() >= size || size == 0 && exists(filepath.Join(dir, "repox.db")) {
						waiting = false
					}
				}
			}
			_ = cmd.Process.Kill()
			<-ended
			c.check(t, "map", dir, 0)
			c.check(t, "tags", dir, 0)
			c.check(t, "map", dir, 0)
		})
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
