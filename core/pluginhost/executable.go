package pluginhost

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// checkExecutable refuses a path that cannot be a plugin, or that is not the program it should be. It gives the absolute path:
// the plugin runs in a folder of its own.
func checkExecutable(spec Spec) (string, error) {
	fail := func(e StartError) (string, error) {
		e.Plugin, e.Path = spec.Name, spec.Path
		return "", &e
	}
	path, err := filepath.Abs(spec.Path)
	if err != nil {
		return fail(StartError{Reason: NotFound, Detail: err.Error(), Err: err})
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fail(StartError{Reason: NotFound, Next: "check the path", Err: err})
	case err != nil:
		return fail(StartError{Reason: NotFound, Detail: err.Error(), Next: "check the path", Err: err})
	case info.IsDir():
		return fail(StartError{Reason: NotExecutable, Detail: "it is a folder", Next: "name the program in it"})
	case !info.Mode().IsRegular():
		return fail(StartError{Reason: NotExecutable, Detail: "it is no regular file", Next: "check the path"})
	case runtime.GOOS != "windows" && info.Mode()&0o111 == 0:
		return fail(StartError{Reason: NotExecutable, Detail: "its mode is " + info.Mode().String(), Next: "run chmod +x on it"})
	}
	if len(spec.Digest) == 0 {
		return path, nil
	}
	got, err := FileDigest(path)
	if err != nil {
		return fail(StartError{Reason: DigestMismatch, Want: spec.Digest, Detail: err.Error(), Err: err})
	}
	if !bytes.Equal(got, spec.Digest) {
		return fail(StartError{
			Reason: DigestMismatch, Want: spec.Digest, Got: got,
			Next: "if the change is meant, accept it with repox plugin lock",
		})
	}
	return path, nil
}

// FileDigest gives the SHA-256 of an executable, which Spec.Digest is held against.
func FileDigest(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read plugin: %w", err)
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return nil, fmt.Errorf("read plugin: %w", err)
	}
	return h.Sum(nil), nil
}
