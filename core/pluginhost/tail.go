package pluginhost

import (
	"bytes"
	"slices"
	"strings"
	"sync"
)

// Bounds of what is kept of a plugin's standard error for its obituary.
const (
	tailLines     = 64
	tailBytes     = 8 << 10
	tailLineBytes = 1 << 10
	panicLines    = 12
)

// panicStarts are how the Go runtime, and C libraries under it, begin their last words. A dump of many goroutines pushes
// the reason out of any tail, so that these lines are kept apart.
var panicStarts = []string{"panic: ", "fatal error: ", "runtime: ", "SIGSEGV", "SIGABRT", "SIGBUS", "SIGILL", "SIGFPE"}

// stderrTail keeps the last lines of standard error, and the first ones of a panic.
type stderrTail struct {
	mu        sync.Mutex
	lines     []string
	bytes     int
	panicHead []string
}

func (t *stderrTail) add(line []byte) {
	if len(line) > tailLineBytes {
		line = line[:tailLineBytes]
	}
	s := string(bytes.TrimRight(line, " \t"))
	t.mu.Lock()
	defer t.mu.Unlock()
	t.lines = append(t.lines, s)
	t.bytes += len(s)
	for len(t.lines) > tailLines || t.bytes > tailBytes {
		t.bytes -= len(t.lines[0])
		t.lines = t.lines[1:]
	}
	inPanic := len(t.panicHead) > 0 && len(t.panicHead) < panicLines
	if inPanic || (len(t.panicHead) == 0 && startsPanic(s)) {
		t.panicHead = append(t.panicHead, s)
	}
}

func startsPanic(line string) bool {
	return slices.ContainsFunc(panicStarts, func(p string) bool { return strings.HasPrefix(line, p) })
}

// snapshot gives copies of the panic's head and of the last lines.
func (t *stderrTail) snapshot() (panicHead, lines []string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.panicHead), slices.Clone(t.lines)
}
