package source

import (
	"errors"
	"os"
	"path/filepath"
	"time"
)

var (
	errNotRegular = errors.New("not a regular file")
	errTooLarge   = errors.New("larger than the limit")
	errLinkInWay  = errors.New("a directory on the way is a symbolic link")
)

// kind is what a directory entry is, as far as reading goes.
type kind uint8

const (
	kindFile kind = iota
	kindDir
	kindSymlink
	kindSpecial
)

// meta is what the file system knows about a path.
type meta struct {
	kind          kind
	size          int64
	mtime, ctime  int64
	inode, device uint64
	// object is the id of a blob, in the tree of a commit.
	object string
	// mode holds the permission bits where the system has them.
	mode uint32
}

func (m meta) modTime() time.Time {
	if m.inode == 0 && m.mtime == 0 {
		return time.Time{}
	}
	return time.Unix(0, m.mtime)
}

// abs is the path to show to the operating system where it insists on one.
func (r *dirRoot) abs(rel string) string { return filepath.Join(r.path, filepath.FromSlash(rel)) }

// skipReasonFor sorts the errors of opening and reading a listed file.
func skipReasonFor(err error) SkipReason {
	switch {
	case errors.Is(err, errTooLarge):
		return SkipTooLarge
	case errors.Is(err, errNotRegular):
		return SkipSpecial
	case errors.Is(err, errLinkInWay), isLoop(err):
		return SkipSymlink
	case isGone(err):
		return SkipDeleted
	}
	return SkipUnreadable
}

func isGone(err error) bool { return errors.Is(err, os.ErrNotExist) || isNotDir(err) }
