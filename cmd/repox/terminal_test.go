//go:build linux

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/creack/pty"
)

// terminal is a screen that remembers what was written to it.
type terminal struct {
	file *os.File // what the program writes to
	mu   sync.Mutex
	text bytes.Buffer
	done chan struct{}
	own  *os.File
}

func newTerminal(t *testing.T) *terminal {
	t.Helper()
	own, file, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	if err := pty.Setsize(own, &pty.Winsize{Rows: 24, Cols: 100}); err != nil {
		t.Fatal(err)
	}
	term := &terminal{file: file, own: own, done: make(chan struct{})}
	go func() {
		defer close(term.done)
		buf := make([]byte, 4096)
		for {
			n, err := own.Read(buf)
			term.mu.Lock()
			term.text.Write(buf[:n])
			term.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	t.Cleanup(func() { own.Close() })
	return term
}

func (s *terminal) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// finish gives all that was written, after the program has ended.
func (s *terminal) finish() string {
	s.file.Close()
	<-s.done
	return s.String()
}

// left plays what was written to a screen and gives the lines that stand there at the end. It knows the two commands that
// are used: so many lines up, and erase to the end.
func left(written string) string {
	up := regexp.MustCompile(`\x1b\[(\d+)A\x1b\[J`)
	var lines []string
	for {
		at := up.FindStringSubmatchIndex(written)
		if at == nil {
			return strings.Join(lines, "") + written
		}
		for line := range strings.Lines(written[:at[0]]) {
			lines = append(lines, line)
		}
		n := 0
		for _, c := range written[at[2]:at[3]] {
			n = 10*n + int(c-'0')
		}
		lines = lines[:max(0, len(lines)-n)]
		written = written[at[1]:]
	}
}

// onTerminal runs a command whose standard error is a terminal.
func onTerminal(t *testing.T, environ []string, args ...string) (stdout, screen string) {
	t.Helper()
	term := newTerminal(t)
	var out bytes.Buffer
	cmd := exec.Command(filepath.Join(binaries, "repox"), args...)
	cmd.Env = append(append(os.Environ(), "CI=", "TERM=xterm", "REPOX_CACHE_DIR="+t.TempDir()), environ...)
	cmd.Stdout, cmd.Stderr = &out, term.file
	err := cmd.Run()
	screen = term.finish()
	if err != nil {
		t.Fatalf("%v\n%s", err, screen)
	}
	return out.String(), screen
}

func TestATerminalShowsProgress(t *testing.T) {
	repo := bigTree(t, 400)
	stdout, screen := onTerminal(t, []string{"NO_COLOR=1"}, "map", repo)
	for _, want := range []string{`parse  [\d,]+/400 files \[`, `\d files/s, <?\d+s left, go`} {
		if !regexp.MustCompile(want).MatchString(screen) {
			t.Errorf("the terminal does not show %s:\n%q", want, screen)
		}
	}
	if rest := left(screen); rest != "" {
		t.Errorf("at the end there stands %q", rest)
	}
	if regexp.MustCompile(`\x1b\[[0-9;]*m`).MatchString(screen) {
		t.Errorf("there are colours:\n%q", screen)
	}
	if !strings.Contains(stdout, "func f0(") || strings.Contains(stdout, "\x1b") {
		t.Errorf("the result is\n%q", stdout)
	}
}

func TestWarningsStayOnTheTerminal(t *testing.T) {
	repo := bigTree(t, 300)
	_, screen := onTerminal(t, []string{"REPOX_CACHE_DIR=" + filepath.Join(repo, "f1.go")}, "map", repo)
	rest := left(screen)
	if !strings.Contains(rest, "repox: warning: ") || strings.Count(rest, "\n") != 1 {
		t.Errorf("at the end there stands\n%s", rest)
	}
}

func TestWhereNobodyLooksNothingIsShown(t *testing.T) {
	repo := bigTree(t, 120)
	for name, c := range map[string]struct{ environ, args []string }{
		"quiet":           {nil, []string{"map", repo, "--quiet"}},
		"no progress":     {nil, []string{"map", repo, "--no-progress"}},
		"a build machine": {[]string{"CI=true"}, []string{"map", repo}},
		"a dumb terminal": {[]string{"TERM=dumb"}, []string{"map", repo}},
	} {
		t.Run(name, func(t *testing.T) {
			if _, screen := onTerminal(t, c.environ, c.args...); screen != "" {
				t.Errorf("the terminal shows\n%q", screen)
			}
		})
	}
	var out, errs bytes.Buffer
	cmd := exec.Command(filepath.Join(binaries, "repox"), "map", repo)
	cmd.Env = append(os.Environ(), "CI=", "TERM=xterm", "REPOX_CACHE_DIR="+t.TempDir())
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil || errs.Len() > 0 {
		t.Errorf("without a terminal: %v, %q", err, errs.String())
	}
}
