package pluginhost

import (
	"fmt"
	"io"
	"os"
	"sync"
)

// pipes are the three pipes between the host and a plugin.
type pipes struct {
	stdinRead, stdinWrite   *os.File
	stdoutRead, stdoutWrite *os.File
	stderrRead, stderrWrite *os.File
}

func newPipes() (*pipes, error) {
	p := &pipes{}
	for _, ends := range [][2]**os.File{{&p.stdinRead, &p.stdinWrite}, {&p.stdoutRead, &p.stdoutWrite}, {&p.stderrRead, &p.stderrWrite}} {
		r, w, err := os.Pipe()
		if err != nil {
			p.closeChildEnds()
			p.closeHostEnds()
			return nil, fmt.Errorf("make pipe to plugin: %w", err)
		}
		*ends[0], *ends[1] = r, w
	}
	return p, nil
}

func (p *pipes) closeChildEnds() { closeFiles(p.stdinRead, p.stdoutWrite, p.stderrWrite) }

func (p *pipes) closeHostEnds() { closeFiles(p.stdinWrite, p.stdoutRead, p.stderrRead) }

func closeFiles(files ...*os.File) {
	for _, f := range files {
		if f != nil {
			_ = f.Close()
		}
	}
}

// handoff is the standard output that go-plugin sees: one line, then nothing until it is closed.
type handoff struct {
	once sync.Once
	line chan string
	done chan struct{}
	rest []byte
}

func newHandoff() *handoff {
	return &handoff{line: make(chan string, 1), done: make(chan struct{})}
}

// give passes the line; it must be called once at most.
func (h *handoff) give(line string) { h.line <- line + "\n" }

func (h *handoff) close() { h.once.Do(func() { close(h.done) }) }

// Read implements io.Reader for one reader.
func (h *handoff) Read(p []byte) (int, error) {
	if len(h.rest) == 0 {
		select {
		case s := <-h.line:
			h.rest = []byte(s)
		case <-h.done:
			return 0, io.EOF
		}
	}
	n := copy(p, h.rest)
	h.rest = h.rest[n:]
	return n, nil
}

// Close implements io.Closer.
func (h *handoff) Close() error {
	h.close()
	return nil
}

// emptyStream is at its end.
type emptyStream struct{}

func (emptyStream) Read([]byte) (int, error) { return 0, io.EOF }

func (emptyStream) Close() error { return nil }
