// Package cache keeps derived data between runs: tags by content, listings by folder, computed sections by what they
// were computed from. Everything in it can be made again, so every failure is a miss: callers lose time, never
// correctness.
//
// It is one SQLite file in the user's cache folder, in write-ahead mode, so that several repox may use it at once and a
// killed one leaves it sound. Each value carries a checksum; a value that does not fit it is a miss.
package cache

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// Kind separates what is stored.
type Kind int

// Kinds of entries.
const (
	// Tags holds what a pack found in a file, by content, pack and configuration.
	Tags Kind = 1
	// Listing holds what a folder looked like when it was last read, by the folder's path.
	Listing Kind = 2
	// Section holds a computed section, by its inputs.
	Section Kind = 3
	// Description holds what a plugin said of itself, by the digest of its executable.
	Description Kind = 4
)

const (
	fileName = "repox.db"
	// layout is the version of the tables and of the encoding of values. A store of another layout is emptied.
	layout = 2
	// maxBytes bounds the files of the store; the entries not used for longest go first.
	maxBytes = 2 << 30
	// busyMillis is how long a statement waits for another process.
	busyMillis = 2000
	// keysPerQuery is how many keys one query asks for.
	keysPerQuery = 256
)

// Store is an open cache. A nil Store is a cache that never has anything.
type Store struct {
	path  string
	now   int64 // seconds since 1970, when the store was opened
	limit int64 // bytes of its files

	mu   sync.Mutex
	db   *sql.DB
	file os.FileInfo // of the database, to tell it from a successor
	// frozen: nothing is stored any more. off: nothing is read either.
	frozen, off bool
	fault       error
	// hits are the entries to be marked as used just now.
	hits map[hit]struct{}
}

// Entry is a value and its key.
type Entry struct {
	Key, Value []byte
}

// Dir is the folder of the cache: REPOX_CACHE_DIR, else repox below the user's cache folder.
func Dir() (string, error) {
	if d := os.Getenv("REPOX_CACHE_DIR"); d != "" {
		return filepath.Abs(d)
	}
	base, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("find cache folder: %w; set REPOX_CACHE_DIR", err)
	}
	return filepath.Join(base, "repox"), nil
}

// Open opens the cache in a folder and makes it if needed. What is damaged or of another version is replaced, and Fault
// tells of damage; another program's database is an error and is left as it is.
func Open(ctx context.Context, dir string) (*Store, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make cache folder: %w", err)
	}
	s := &Store{path: filepath.Join(dir, fileName), now: time.Now().Unix(), limit: maxBytes, hits: map[hit]struct{}{}}
	unlock, err := lock(ctx, dir)
	if err != nil {
		return nil, fmt.Errorf("open cache: %w", err)
	}
	defer unlock()
	err = s.open(ctx)
	if !damaged(err) {
		return s.orNil(err)
	}
	if _, err := remove(dir); err != nil {
		return nil, fmt.Errorf("replace damaged cache: %w", err)
	}
	s.fault = s.damage(err)
	return s.orNil(s.open(ctx))
}

func (s *Store) orNil(err error) (*Store, error) {
	if err != nil {
		return nil, fmt.Errorf("open cache %s: %w", s.path, err)
	}
	return s, nil
}

// open connects to the database, and makes it where there is none. The caller has the lock.
func (s *Store) open(ctx context.Context) error {
	found, err := examine(s.path)
	if err != nil {
		return err
	}
	switch found {
	case foreign:
		return errForeign
	case broken:
		return errNoDatabase
	case outdated:
		if _, err := remove(filepath.Dir(s.path)); err != nil {
			return err
		}
		found = absent
	}
	if found == absent {
		if err := makeFile(s.path); err != nil {
			return err
		}
	}
	db, err := connect(ctx, s.path, found == absent)
	if unwritable(err) && found == ours && settled(s.path) {
		// Who may not write reads what others have left.
		s.frozen = true
		db, err = look(ctx, s.path)
	}
	if err != nil {
		return err
	}
	if s.file, err = os.Stat(s.path); err != nil {
		return errors.Join(err, db.Close())
	}
	s.db = db
	return nil
}

// Close closes the store.
func (s *Store) Close() error {
	if s == nil {
		return nil
	}
	// Which entries were used only decides which are dropped first; a store that cannot note it is as good as before.
	_ = s.do(context.Background(), "write", s.touch)
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.db.Close()
}

// Get gives the values of keys in their order, nil for each that is missing or damaged.
func (s *Store) Get(ctx context.Context, kind Kind, keys [][]byte) ([][]byte, error) {
	out := make([][]byte, len(keys))
	if s == nil {
		return out, nil
	}
	index := make(map[string]int, len(keys))
	for i, k := range keys {
		index[string(k)] = i
	}
	for start := 0; start < len(keys); start += keysPerQuery {
		err := s.do(ctx, "read", func(ctx context.Context) error {
			return s.get(ctx, kind, keys[start:min(start+keysPerQuery, len(keys))], index, out)
		})
		if err != nil {
			return out, err
		}
	}
	// Equal keys share a value.
	for i, k := range keys {
		if out[i] == nil {
			out[i] = out[index[string(k)]]
		}
	}
	return out, nil
}

func (s *Store) get(ctx context.Context, kind Kind, keys [][]byte, index map[string]int, out [][]byte) error {
	args := []any{int(kind)}
	for _, k := range keys {
		args = append(args, k)
	}
	marks := strings.TrimSuffix(strings.Repeat("?,", len(keys)), ",")
	rows, err := s.db.QueryContext(ctx, `SELECT e.key, e.value, e.sum, COALESCE(u.at, 0) FROM entry e
		LEFT JOIN used u ON u.kind = e.kind AND u.key = e.key WHERE e.kind = ? AND e.key IN (`+marks+")", args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var key, value []byte
		var sum, at int64
		if err := rows.Scan(&key, &value, &sum, &at); err != nil {
			return err
		}
		if i, ok := index[string(key)]; ok && checksum(key, value) == sum {
			if value == nil {
				value = []byte{}
			}
			out[i] = value
			s.hit(kind, key, at)
		}
	}
	return rows.Err()
}

// Put stores entries, all or none.
func (s *Store) Put(ctx context.Context, kind Kind, entries []Entry) error {
	if s == nil || len(entries) == 0 {
		return nil
	}
	return s.do(ctx, "write", func(ctx context.Context) error { return s.put(ctx, kind, entries) })
}

func (s *Store) put(ctx context.Context, kind Kind, entries []Entry) error {
	return s.transact(ctx, func(tx *sql.Tx) error {
		insert, err := tx.PrepareContext(ctx, "INSERT OR REPLACE INTO entry (kind, key, value, sum) VALUES (?, ?, ?, ?)")
		if err != nil {
			return err
		}
		defer insert.Close()
		use, err := tx.PrepareContext(ctx, "INSERT OR REPLACE INTO used (kind, key, bytes, at) VALUES (?, ?, ?, ?)")
		if err != nil {
			return err
		}
		defer use.Close()
		for _, e := range entries {
			if _, err := insert.ExecContext(ctx, int(kind), e.Key, e.Value, checksum(e.Key, e.Value)); err != nil {
				return err
			}
			if _, err := use.ExecContext(ctx, int(kind), e.Key, len(e.Key)+len(e.Value), s.now); err != nil {
				return err
			}
		}
		return nil
	})
}

// Freeze makes a store that only looks: from now on nothing is stored or dropped.
func (s *Store) Freeze() {
	if s != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.frozen = true
	}
}

// Delete drops the entries of keys.
func (s *Store) Delete(ctx context.Context, kind Kind, keys [][]byte) error {
	if s == nil || len(keys) == 0 {
		return nil
	}
	return s.do(ctx, "write", func(ctx context.Context) error {
		return s.transact(ctx, func(tx *sql.Tx) error {
			for _, table := range []string{"entry", "used"} {
				for _, k := range keys {
					if _, err := tx.ExecContext(ctx, "DELETE FROM "+table+" WHERE kind = ? AND key = ?", int(kind), k); err != nil {
						return err
					}
				}
			}
			return nil
		})
	})
}

// transact does a change whole or not at all. A store that must not change lets it be.
func (s *Store) transact(ctx context.Context, change func(*sql.Tx) error) error {
	if s.frozen {
		return nil
	}
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // after Commit it does nothing
	if err := change(tx); err != nil {
		return err
	}
	return tx.Commit()
}

// castagnoli has an instruction on current processors.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// checksum covers the key too, so that a value cannot stand under another key.
func checksum(key, value []byte) int64 {
	sum := crc32.Update(0, castagnoli, binary.LittleEndian.AppendUint64(nil, uint64(len(key))))
	sum = crc32.Update(sum, castagnoli, key)
	return int64(crc32.Update(sum, castagnoli, value))
}
