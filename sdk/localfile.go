package sdk

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io"
	"os"

	pluginv1 "github.com/repox-dev/repox/sdk/proto"
)

// content gives the bytes of f: those sent along, or those of the local file, which must be what the host has read.
// The result is valid until the worker's next file.
func (w *worker) content(f *pluginv1.SourceFile) ([]byte, *pluginv1.Skip) {
	if len(f.Local) == 0 {
		return f.Content, nil
	}
	b, err := w.readLocal(string(f.Local))
	if err != nil {
		return nil, &pluginv1.Skip{Code: "unreadable", Message: err.Error()}
	}
	if sum := sha256.Sum256(b); !bytes.Equal(sum[:], f.Hash) {
		return nil, &pluginv1.Skip{Code: "changed", Message: "the file changed while it was being read"}
	}
	return b, nil
}

func (w *worker) readLocal(path string) ([]byte, error) {
	f, err := openLocal(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("not a regular file")
	}
	size := int(info.Size())
	if cap(w.buffer) < size+1 {
		w.buffer = make([]byte, size+size/4+4096)
	}
	b := w.buffer[:cap(w.buffer)]
	// A file that grows past its size is one that changed; the hash tells.
	n, err := io.ReadFull(f, b[:size])
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return b[:n], nil
}

// openLocal opens without waiting, should the path have become a FIFO since the host looked.
func openLocal(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDONLY|nonblock, 0)
}
