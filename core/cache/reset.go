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
// what a link of one of these names leads to stay. A folder that is not there is an empty cache.
func Reset(dir string) ([]string, error) {
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
	u := Usage{MaxBytes: maxBytes}
	if s == nil {
		return u, nil
	}
	u.Path = s.path
	for _, suffix := range suffixes {
		if info, err := os.Lstat(s.path + suffix); err == nil {
			u.Bytes += info.Size()
		}
	}
	if err := s.db.QueryRowContext(ctx, "SELECT COUNT(*) FROM entry").Scan(&u.Entries); err != nil {
		return u, fmt.Errorf("read cache: %w", err)
	}
	return u, nil
}
