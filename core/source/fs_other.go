//go:build !unix

package source

import (
	"errors"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"
)

// dirRoot is an open directory below which paths are opened without following any link, so that a tree that changes
// under a run cannot lead it outside.
type dirRoot struct {
	path string
	root *os.Root
}

const openNonblock = 0

// openRoot opens a directory whose path is already free of links.
func openRoot(path string) (*dirRoot, error) {
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	return &dirRoot{path: path, root: root}, nil
}

func (r *dirRoot) close() error {
	if r == nil {
		return nil
	}
	return r.root.Close()
}

// openDir opens a directory below the root, refusing links on the way.
func (r *dirRoot) openDir(rel string) (*os.File, error) {
	if rel == "" {
		return r.root.Open(".")
	}
	return r.openFile(rel)
}

func (r *dirRoot) openFile(rel string) (*os.File, error) {
	for i := 0; i <= len(rel); i++ {
		if i < len(rel) && rel[i] != '/' {
			continue
		}
		st, err := r.root.Lstat(filepath.FromSlash(rel[:i]))
		if err != nil {
			return nil, err
		}
		if st.Mode()&os.ModeSymlink != 0 {
			return nil, errLinkInWay
		}
	}
	return r.root.Open(filepath.FromSlash(rel))
}

func (r *dirRoot) openIn(_ *os.File, dirPath, name string) (*os.File, error) {
	return r.openFile(path.Join(dirPath, name))
}

func (r *dirRoot) statIn(_ *os.File, dirPath, name string) (meta, error) {
	st, err := r.root.Lstat(filepath.FromSlash(path.Join(dirPath, name)))
	if err != nil {
		return meta{}, err
	}
	m := meta{kind: kindSpecial, size: st.Size(), mtime: st.ModTime().UnixNano(), mode: uint32(st.Mode().Perm())}
	switch {
	case st.Mode().IsRegular():
		m.kind = kindFile
	case st.IsDir():
		m.kind = kindDir
	case st.Mode()&os.ModeSymlink != 0:
		m.kind = kindSymlink
	}
	return m, nil
}

func (r *dirRoot) readable(*os.File, string, string, meta) bool { return true }

func isNotDir(err error) bool {
	return errors.Is(err, syscall.ENOTDIR) || err != nil && strings.Contains(err.Error(), "not a directory")
}

func isLoop(error) bool { return false }
