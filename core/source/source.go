package source

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// DefaultMaxFileBytes is the size above which a file is skipped when Options do not say otherwise.
const DefaultMaxFileBytes = 1 << 20

// Options say what to list.
type Options struct {
	// Path is a directory. It may lie inside a work tree: then only it is listed, and the ignore files of the
	// directories above it, up to the root of the work tree, apply.
	Path string
	// Include and Exclude are doublestar globs relative to Path. A pattern without a slash matches a base name at any
	// depth. A pattern that matches a directory takes in all that lies below it. No Include means everything.
	Include, Exclude []string
	// Within limits the listing to these files and directories, given relative to Path with forward slashes; see Span.
	Within []string
	// Rev names a commit to read instead of the work tree.
	Rev string
	// MaxFileBytes is the size above which a file is skipped; 0 means DefaultMaxFileBytes.
	MaxFileBytes int64

	// withoutGit makes the package do without the git command, as on a machine that has none.
	withoutGit bool
	// gitPatience replaces the limit of short git calls where it is not zero.
	gitPatience time.Duration
}

// File is one file of a tree.
type File struct {
	// Path is relative to the tree's root, with forward slashes; its bytes are those of the file system.
	Path string
	// Size in bytes when the tree was listed.
	Size int64
	// ModTime, Ctime, Inode and Dev identify a version of the file; all are zero in the tree of a commit.
	ModTime time.Time
	// Ctime is the time of the last status change in nanoseconds.
	Ctime      int64
	Inode, Dev uint64
	// ObjectID names the blob in the tree of a commit, in hexadecimal; empty elsewhere.
	ObjectID string
}

// SkipReason says why a file is not read.
type SkipReason string

// The reasons for which a file is skipped.
const (
	SkipBinary          SkipReason = "binary"
	SkipInvalidEncoding SkipReason = "invalid encoding"
	SkipTooLarge        SkipReason = "too large"
	SkipUnreadable      SkipReason = "unreadable"
	SkipSymlink         SkipReason = "symlink"
	SkipSpecial         SkipReason = "special"
	SkipSubmodule       SkipReason = "submodule"
	SkipNestedRepo      SkipReason = "nested repository"
	SkipDeleted         SkipReason = "deleted"
	SkipNotCheckedOut   SkipReason = "not checked out"
)

// Skip is a path that belongs to the tree but is not read.
type Skip struct {
	Path   string
	Reason SkipReason
}

// Tree is a listed tree. Its methods may be called from several goroutines.
type Tree struct {
	// Root is the absolute path of the directory, links resolved.
	Root string
	// GitRoot is the root of the work tree that Root lies in, empty for a plain directory.
	GitRoot string
	// Commit is the object id of the commit, for the tree of a commit.
	Commit string
	// Files and Skipped are sorted by the bytes of their paths.
	Files   []File
	Skipped []Skip
	// Warnings are single lines about the listing as a whole, such as that git refused the directory.
	Warnings []string
	// Partial: patterns or paths left a part of the tree out.
	Partial bool

	maxBytes int64
	// prefix leads from top to the root: "" or a path with a trailing slash. Paths inside the package start at top.
	prefix string
	top    *dirRoot
	blobs  *blobReader
	// past is nil where there is no history to ask for.
	past *historian

	attrFiles []string
	infoAttrs []byte
	attrsOnce sync.Once
	attrs     *attrSet
}

// SkipCounts counts what was skipped, by reason.
func (t *Tree) SkipCounts() map[SkipReason]int {
	counts := map[SkipReason]int{}
	for _, s := range t.Skipped {
		counts[s.Reason]++
	}
	return counts
}

// Close ends the helper process that reads a commit and frees the root. The lists stay valid, Read does not.
func (t *Tree) Close() error {
	err := t.top.close()
	if t.blobs != nil {
		err = errors.Join(err, t.blobs.close())
	}
	return err
}

// List finds the files of a tree. A file that cannot be used is in Skipped and never an error; an error is a
// *PathError, a *PatternError, a *RevError, or that of the context.
func List(ctx context.Context, o Options) (*Tree, error) {
	sel, err := newSelector(o.Include, o.Exclude)
	if err != nil {
		return nil, err
	}
	sel.within = o.Within
	root, err := resolveDir(o.Path)
	if err != nil {
		return nil, err
	}
	l := &lister{opts: o, sel: sel, root: root, repo: findRepo(root)}
	if l.opts.MaxFileBytes <= 0 {
		l.opts.MaxFileBytes = DefaultMaxFileBytes
	}
	if !o.withoutGit {
		l.git = findGit(l.repo.boundary(root))
		if l.git != nil && o.gitPatience > 0 {
			l.git.patience = o.gitPatience
		}
	}
	var t *Tree
	if o.Rev != "" {
		t, err = l.listCommit(ctx)
	} else {
		t, err = l.listDirectory(ctx)
	}
	if err != nil {
		return nil, err
	}
	sortTree(t)
	t.Partial = len(o.Include)+len(o.Exclude)+len(o.Within) > 0
	return t, nil
}

// lister is one call of List.
type lister struct {
	opts Options
	sel  *selector
	root string
	repo *repo
	// git is nil where the command is not to be had.
	git *gitTool
}

const noDirectory = "no such directory"

// resolveDir gives the absolute path of a directory, links resolved: whoever names a link means what it points to.
func resolveDir(path string) (string, error) {
	if path == "" {
		path = "."
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", &PathError{Problem: noDirectory, Path: path, Err: err}
	}
	abs, err = filepath.EvalSymlinks(abs)
	if err == nil {
		var st os.FileInfo
		if st, err = os.Stat(abs); err == nil && !st.IsDir() {
			return "", &PathError{Problem: "not a directory", Path: path}
		}
	}
	switch {
	case err == nil:
		return abs, nil
	case errors.Is(err, fs.ErrPermission):
		return "", &PathError{Problem: "permission denied", Path: path, Err: err}
	case isNotDir(err):
		return "", &PathError{Problem: "not a directory", Path: path, Err: err}
	case errors.Is(err, fs.ErrNotExist):
		return "", &PathError{Problem: noDirectory, Path: path, Err: err}
	}
	return "", &PathError{Problem: fmt.Sprintf("cannot use directory (%v)", err), Path: path, Err: err}
}

// add puts one path of the tree, given from top, on the list it belongs to.
func (t *Tree) add(sel *selector, path string, m meta, reason SkipReason) {
	path = strings.TrimPrefix(path, t.prefix)
	if !sel.selects(path) {
		return
	}
	if reason == "" && m.size > t.maxBytes {
		reason = SkipTooLarge
	}
	if reason != "" {
		t.Skipped = append(t.Skipped, Skip{Path: path, Reason: reason})
		return
	}
	t.Files = append(t.Files, File{
		Path: path, Size: m.size, ModTime: m.modTime(), Ctime: m.ctime, Inode: m.inode, Dev: m.device, ObjectID: m.object,
	})
}

func sortTree(t *Tree) {
	byPath := func(a, b File) int { return strings.Compare(a.Path, b.Path) }
	if !slices.IsSortedFunc(t.Files, byPath) {
		slices.SortFunc(t.Files, byPath)
	}
	slices.SortFunc(t.Skipped, func(a, b Skip) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(string(a.Reason), string(b.Reason)))
	})
}
