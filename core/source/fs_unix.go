//go:build unix

package source

import (
	"errors"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// dirRoot is an open directory below which paths are opened without following any link, so that a tree that changes
// under a run cannot lead it outside.
type dirRoot struct {
	path string
	f    *os.File
}

const (
	openNonblock = unix.O_NONBLOCK
	openFlags    = unix.O_RDONLY | unix.O_NOFOLLOW | unix.O_NONBLOCK | unix.O_CLOEXEC
)

// openRoot opens a directory whose path is already free of links.
func openRoot(path string) (*dirRoot, error) {
	fd, err := unix.Open(path, dirSearch|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	return &dirRoot{path: path, f: os.NewFile(uintptr(fd), path)}, nil
}

func (r *dirRoot) close() error {
	if r == nil {
		return nil
	}
	return r.f.Close()
}

// open opens a path below the root; "" is the root.
func (r *dirRoot) open(rel string, flags int) (*os.File, error) {
	if rel == "" {
		rel = "."
	}
	conn, err := r.f.SyscallConn()
	if err != nil {
		return nil, err
	}
	fd := -1
	// Control keeps the root's descriptor alive when another goroutine closes the tree meanwhile.
	ctlErr := conn.Control(func(root uintptr) {
		fd, err = openBeneath(int(root), rel, flags)
	})
	if err = errors.Join(ctlErr, err); err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), r.abs(rel)), nil
}

func (r *dirRoot) openDir(rel string) (*os.File, error) {
	return r.open(rel, openFlags&^unix.O_NONBLOCK|unix.O_DIRECTORY)
}

func (r *dirRoot) openFile(rel string) (*os.File, error) {
	return r.open(rel, openFlags)
}

// openIn opens a file that lies directly in an open directory.
func (r *dirRoot) openIn(dir *os.File, _, name string) (*os.File, error) {
	fd, err := retry(func() (int, error) { return unix.Openat(int(dir.Fd()), name, openFlags, 0) })
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), name), nil
}

// statIn looks at an entry of an open directory without following it.
func (r *dirRoot) statIn(dir *os.File, _, name string) (meta, error) {
	var st unix.Stat_t
	_, err := retry(func() (int, error) {
		return 0, unix.Fstatat(int(dir.Fd()), name, &st, unix.AT_SYMLINK_NOFOLLOW)
	})
	if err != nil {
		return meta{}, err
	}
	return meta{
		kind: kindOf(uint32(st.Mode)), size: st.Size, mtime: st.Mtim.Nano(), ctime: st.Ctim.Nano(),
		inode: uint64(st.Ino), device: uint64(st.Dev), mode: uint32(st.Mode) & 0o777,
	}, nil
}

// readable tells whether an entry could be opened. The permission bits answer for nearly every file without a call.
func (r *dirRoot) readable(dir *os.File, _, name string, m meta) bool {
	return m.mode&0o444 == 0o444 || unix.Faccessat(int(dir.Fd()), name, unix.R_OK, unix.AT_EACCESS) == nil
}

func kindOf(mode uint32) kind {
	switch mode & unix.S_IFMT {
	case unix.S_IFREG:
		return kindFile
	case unix.S_IFDIR:
		return kindDir
	case unix.S_IFLNK:
		return kindSymlink
	}
	return kindSpecial
}

// walkBeneath opens a path one name at a time, for systems that cannot do it in one call and for paths that are too
// long for it.
func walkBeneath(root int, rel string, flags int) (int, error) {
	at, last := root, false
	for !last {
		name, rest, more := strings.Cut(rel, "/")
		rel, last = rest, !more
		how := flags
		if !last {
			how = dirSearch | unix.O_DIRECTORY | unix.O_NOFOLLOW | unix.O_CLOEXEC
		}
		from := at
		fd, err := retry(func() (int, error) { return unix.Openat(from, name, how, 0) })
		if at != root {
			unix.Close(at)
		}
		if err != nil {
			return -1, err
		}
		at = fd
	}
	return at, nil
}

func retry(call func() (int, error)) (int, error) {
	for {
		n, err := call()
		if !errors.Is(err, unix.EINTR) {
			return n, err
		}
	}
}

func isNotDir(err error) bool { return errors.Is(err, unix.ENOTDIR) }

func isLoop(err error) bool { return errors.Is(err, unix.ELOOP) }
