package pluginhost

import (
	"bytes"
	"io"
)

// lineLimit is how many bytes of a line are kept. The rest is read and counted, never stored: a pipe that nobody empties
// would stop the plugin.
const lineLimit = 16 << 10

// lineCutter is a writer that cuts a stream into lines of any length.
type lineCutter struct {
	// line receives each line without its end, and how many bytes of it were dropped. It must not keep the slice.
	line    func(line []byte, dropped int)
	buf     []byte
	dropped int
	open    bool
}

// Write implements io.Writer; it never fails.
func (c *lineCutter) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 {
		end := bytes.IndexByte(p, '\n')
		if end < 0 {
			c.take(p)
			break
		}
		c.take(p[:end])
		c.flush()
		p = p[end+1:]
	}
	return n, nil
}

func (c *lineCutter) take(p []byte) {
	c.open = true
	room := min(len(p), lineLimit-len(c.buf))
	c.buf = append(c.buf, p[:room]...)
	c.dropped += len(p) - room
}

// flush ends the line that is open, also at the end of the stream.
func (c *lineCutter) flush() {
	c.line(bytes.TrimSuffix(c.buf, []byte("\r")), c.dropped)
	c.buf, c.dropped, c.open = c.buf[:0], 0, false
}

// copyLines reads r to its end, or until it is closed, and cuts it into lines.
func copyLines(r io.Reader, line func(line []byte, dropped int)) {
	c := &lineCutter{line: line}
	buf := make([]byte, 32<<10)
	for {
		n, err := r.Read(buf)
		_, _ = c.Write(buf[:n])
		if err != nil {
			break
		}
	}
	if c.open {
		c.flush()
	}
}
