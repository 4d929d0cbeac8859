package cache

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// damaged tells whether SQLite found something that is no sound database. A disk that does not read is no such thing:
// what lies on it may be sound.
func damaged(err error) bool {
	return says(err, "file is not a database", "malformed", "no such table", "no such column")
}

// busy tells whether another process had the database for too long.
func busy(err error) bool {
	return says(err, "database is locked", "database table is locked")
}

// unwritable tells whether SQLite may not write where the database lies.
func unwritable(err error) bool {
	return says(err, "readonly database", "unable to open database file")
}

// says looks at the text of an error: the driver's own type is not there in a build without cgo.
func says(err error, texts ...string) bool {
	if err == nil {
		return false
	}
	for _, t := range texts {
		if strings.Contains(err.Error(), t) {
			return true
		}
	}
	return false
}

// Fault gives the damage that was found and repaired, nil if there was none. It is no error of any call: they find an
// empty cache.
func (s *Store) Fault() error {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.fault
}

func (s *Store) damage(err error) error {
	return fmt.Errorf("cache %s was damaged and is made again: %w", s.path, err)
}

// do does one thing with the store, which verb names. Damage is repaired, and who meets a store that another process has
// replaced changes to the new one. Any other fault but a busy store ends what cannot be relied on any more, so that it is
// met once: a store that cannot be written is still read.
func (s *Store) do(ctx context.Context, verb string, op func(context.Context) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.off {
		return nil
	}
	err := op(ctx)
	if err != nil && ctx.Err() == nil && !s.frozen && (damaged(err) || s.replaced()) {
		if err = s.rebuild(ctx, err); err == nil {
			err = op(ctx)
		}
	}
	if err == nil {
		return nil
	}
	if ctx.Err() == nil && !busy(err) {
		s.frozen = true
		s.off = s.off || verb == "read"
	}
	return fmt.Errorf("%s cache %s: %w", verb, s.path, err)
}

// replaced tells whether the database is not the file any more that was opened.
func (s *Store) replaced() bool {
	now, err := os.Stat(s.path)
	return errors.Is(err, fs.ErrNotExist) || err == nil && !os.SameFile(now, s.file)
}

// rebuild changes to an empty database, or to the one that another process has made meanwhile.
func (s *Store) rebuild(ctx context.Context, cause error) error {
	unlock, err := lock(ctx, filepath.Dir(s.path))
	if err != nil {
		return err
	}
	defer unlock()
	s.db.Close() // it has nothing more to say than that it is damaged
	s.off = true // until there is another
	if damaged(cause) && !s.replaced() {
		s.fault = s.damage(cause)
		if _, err := remove(filepath.Dir(s.path)); err != nil {
			return err
		}
	}
	if err := s.open(ctx); err != nil {
		return err
	}
	s.off = false
	return nil
}
