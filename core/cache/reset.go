package cache

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// suffixes are those of the files that SQLite makes for a database. The database goes first: who has it open sees that
// it is gone, and leaves the files of a successor alone.
var suffixes = []string{"", "-wal", "-shm", "-journal"}

// Reset deletes the files of the cache in a folder and gives their paths. What else lies there, the folder itself, and
// what a link of one of these names leads to stay. A folder that is not there is an empty cache; another program's
// database in the cache's place is an error.
func Reset(ctx context.Context, dir string) ([]string, error) {
	unlock, err := lock(ctx, dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reset cache: %w", err)
	}
	defer unlock()
	return remove(dir)
}

// remove does what Reset does. The caller has the lock.
func remove(dir string) ([]string, error) {
	if found, err := examine(filepath.Join(dir, fileName)); err == nil && found == foreign {
		return nil, fmt.Errorf("reset cache: %s: %w", filepath.Join(dir, fileName), errForeign)
	}
	var removed []string
	for _, suffix := range suffixes {
		path := filepath.Join(dir, fileName+suffix)
		info, err := os.Lstat(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return removed, fmt.Errorf("reset cache: %w", err)
		}
		if info.IsDir() {
			return removed, fmt.Errorf("reset cache: %s is a folder, which repox did not make; move it away", path)
		}
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return removed, fmt.Errorf("reset cache: %w", err)
		}
		removed = append(removed, path)
	}
	return removed, nil
}

// Usage says how much a store holds.
type Usage struct {
	// Path is the database file.
	Path string
	// Bytes is the size of its files, MaxBytes the bound above which old entries are dropped.
	Bytes, MaxBytes int64
	// Entries counts all values, of every repository.
	Entries int64
}

// Usage looks at the store.
func (s *Store) Usage(ctx context.Context) (Usage, error) {
	if s == nil {
		return Usage{MaxBytes: maxBytes}, nil
	}
	u := Usage{Path: s.path, Bytes: size(s.path), MaxBytes: s.limit}
	err := s.do(ctx, "read", func(ctx context.Context) error {
		return s.db.QueryRowContext(ctx, "SELECT COUNT(*) FROM entry").Scan(&u.Entries)
	})
	return u, err
}
