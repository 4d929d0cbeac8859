package source

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os/exec"
	"strconv"
	"strings"
	"sync"
)

// blobReader reads objects through one git process that is started with the first read. It ends with close, or when
// this process does, since its standard input closes then.
type blobReader struct {
	git *gitTool
	dir string

	mu     sync.Mutex
	stop   context.CancelFunc
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	failed error
}

var errClosed = errors.New("tree is closed")

func (b *blobReader) start() error {
	if b.failed != nil || b.cmd != nil {
		return b.failed
	}
	// The process outlives the call that lists: it ends with close.
	ctx, stop := context.WithCancel(context.Background())
	cmd := b.git.command(ctx, b.dir, "cat-file", "--batch")
	in, err := cmd.StdinPipe()
	if err == nil {
		var out io.ReadCloser
		if out, err = cmd.StdoutPipe(); err == nil {
			b.in, b.out = in, bufio.NewReaderSize(out, 64<<10)
			err = cmd.Start()
		}
	}
	if err != nil {
		stop()
		b.failed = fmt.Errorf("start git cat-file: %w", err)
		return b.failed
	}
	b.cmd, b.stop = cmd, stop
	return nil
}

// read gives the content of a blob, which must not be larger than the limit.
func (b *blobReader) read(object string, limit int64) ([]byte, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.start(); err != nil {
		return nil, err
	}
	data, err := b.ask(object, limit)
	var broken *protocolError
	if errors.As(err, &broken) {
		b.failed = err
	}
	return data, err
}

// protocolError says that the process can no longer be used.
type protocolError struct{ err error }

// Error gives the cause.
func (e *protocolError) Error() string { return "git cat-file: " + e.err.Error() }

// Unwrap gives the cause.
func (e *protocolError) Unwrap() error { return e.err }

func (b *blobReader) ask(object string, limit int64) ([]byte, error) {
	if _, err := io.WriteString(b.in, object+"\n"); err != nil {
		return nil, &protocolError{err}
	}
	line, err := b.out.ReadString('\n')
	if err != nil {
		return nil, &protocolError{err}
	}
	// "<object> blob <size>", or the name that was asked for and a word on what is wrong with it.
	fields := strings.Fields(line)
	if len(fields) < 3 || strings.HasSuffix(line, " missing\n") || strings.HasSuffix(line, " ambiguous\n") {
		return nil, fs.ErrNotExist
	}
	size, err := strconv.ParseInt(fields[len(fields)-1], 10, 64)
	if err != nil {
		return nil, &protocolError{fmt.Errorf("unexpected answer %q", line)}
	}
	kind := fields[len(fields)-2]
	if kind != "blob" || size > limit {
		if _, err := io.CopyN(io.Discard, b.out, size+1); err != nil {
			return nil, &protocolError{err}
		}
		if kind != "blob" {
			return nil, errNotRegular
		}
		return nil, errTooLarge
	}
	data := make([]byte, size+1)
	if _, err := io.ReadFull(b.out, data); err != nil {
		return nil, &protocolError{err}
	}
	return data[:size], nil
}

func (b *blobReader) close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.failed = errClosed
	if b.cmd == nil {
		return nil
	}
	_ = b.in.Close()
	b.stop()
	// The status of a process that was just told to stop says nothing.
	_ = b.cmd.Wait()
	b.cmd = nil
	return nil
}
