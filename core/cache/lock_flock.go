//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package cache

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"
)

// lock keeps others out of a folder's cache while it is opened, made or deleted: SQLite guards what is in a database, not
// its coming and going. It locks the folder itself, which needs no file and no right to write. Where a file system knows
// no locks there are none.
func lock(ctx context.Context, dir string) (unlock func(), err error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, busyMillis*time.Millisecond)
	defer cancel()
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) {
			return func() { f.Close() }, nil
		}
		select {
		case <-ctx.Done():
			f.Close()
			return nil, fmt.Errorf("lock %s: another process holds it: %w", dir, ctx.Err())
		case <-time.After(2 * time.Millisecond):
		}
	}
}
