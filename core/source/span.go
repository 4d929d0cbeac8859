package source

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
)

// Span gives the directory that holds all of the paths, links resolved, and, where it is more than what they name, the
// paths relative to it: what Options take as Path and Within. The paths are files or directories; none means the working
// directory. Errors are *PathError.
func Span(paths []string) (root string, below []string, err error) {
	if len(paths) == 0 {
		paths = []string{"."}
	}
	var real []string
	for _, p := range paths {
		dir, file, err := resolvePath(p)
		if err != nil {
			return "", nil, err
		}
		if root == "" {
			root = dir
		}
		for !within(dir, root) {
			root = filepath.Dir(root)
		}
		real = append(real, filepath.Join(dir, file))
	}
	if slices.Contains(real, root) {
		return root, nil, nil
	}
	for _, p := range real {
		rel, err := filepath.Rel(root, p)
		if err != nil {
			return "", nil, &PathError{Problem: "cannot be placed below the other paths", Path: p, Err: err}
		}
		below = append(below, filepath.ToSlash(rel))
	}
	return root, below, nil
}

// resolvePath gives a directory, or the directory of a file and the file's name.
func resolvePath(path string) (dir, file string, err error) {
	real, err := filepath.EvalSymlinks(path)
	if err == nil {
		if st, e := os.Stat(real); e == nil && st.Mode().IsRegular() {
			dir, err = resolveDir(filepath.Dir(real))
			return dir, filepath.Base(real), err
		}
	}
	dir, err = resolveDir(path)
	var fault *PathError
	if errors.As(err, &fault) && fault.Problem == noDirectory {
		fault.Problem = "no such file or directory"
	}
	return dir, "", err
}
