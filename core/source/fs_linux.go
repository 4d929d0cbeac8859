package source

import (
	"errors"
	"sync/atomic"

	"golang.org/x/sys/unix"
)

// dirSearch opens a directory that need not be readable, only passable.
const dirSearch = unix.O_PATH

// maxPathBytes is the longest path that the system takes in one call.
const maxPathBytes = 4000

// noOpenat2 is set where the kernel, or the filter around the process, does not know the call.
var noOpenat2 atomic.Bool

// openBeneath opens a path below a directory, following no link, in one call where that is possible.
func openBeneath(root int, rel string, flags int) (int, error) {
	if len(rel) > maxPathBytes || noOpenat2.Load() {
		return walkBeneath(root, rel, flags)
	}
	how := &unix.OpenHow{
		Flags:   uint64(flags),
		Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_SYMLINKS | unix.RESOLVE_NO_MAGICLINKS,
	}
	fd, err := retry(func() (int, error) { return unix.Openat2(root, rel, how) })
	switch {
	case err == nil:
		return fd, nil
	case errors.Is(err, unix.ENOSYS), errors.Is(err, unix.EPERM), errors.Is(err, unix.EINVAL):
		fd, walkErr := walkBeneath(root, rel, flags)
		if walkErr == nil {
			noOpenat2.Store(true)
		}
		return fd, walkErr
	case errors.Is(err, unix.EAGAIN):
		// The kernel could not rule out a race with a rename; the slow way can.
		return walkBeneath(root, rel, flags)
	}
	return -1, err
}
