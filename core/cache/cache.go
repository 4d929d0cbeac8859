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
	"time"

	_ "github.com/mattn/go-sqlite3" // the driver
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
	layout = 1
	// maxBytes bounds the store; the entries not used for longest go first.
	maxBytes = 2 << 30
	// busyMillis is how long a statement waits for another process.
	busyMillis = 2000
	// keysPerQuery is how many keys one query asks for.
	keysPerQuery = 256
)

// Store is an open cache. A nil Store is a cache that never has anything.
type Store struct {
	db   *sql.DB
	path string
	now  int64 // days since 1970: fine enough for what was used last, and rarely a write
	// frozen: nothing is stored any more.
	frozen bool
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

// Open opens the cache in a folder and makes it if needed. A file that is no cache of ours is replaced.
func Open(ctx context.Context, dir string) (*Store, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make cache folder: %w", err)
	}
	path := filepath.Join(dir, fileName)
	s, err := open(ctx, path)
	if err == nil || !damaged(err) {
		return s, err
	}
	if _, err := Reset(dir); err != nil {
		return nil, fmt.Errorf("replace damaged cache: %w", err)
	}
	return open(ctx, path)
}

func open(ctx context.Context, path string) (*Store, error) {
	// The path goes in as a URI, so its own question marks and percent signs are escaped.
	escaped := strings.NewReplacer("%", "%25", "?", "%3f", "#", "%23").Replace(path)
	db, err := sql.Open("sqlite3", fmt.Sprintf("file:%s?_journal_mode=WAL&_synchronous=NORMAL&_busy_timeout=%d", escaped, busyMillis))
	if err != nil {
		return nil, fmt.Errorf("open cache %s: %w", path, err)
	}
	db.SetMaxOpenConns(1)
	s := &Store{db: db, path: path, now: time.Now().Unix() / 86400}
	if err := s.prepare(ctx); err != nil {
		db.Close()
		return nil, fmt.Errorf("open cache %s: %w", path, err)
	}
	return s, nil
}

func (s *Store) prepare(ctx context.Context) error {
	var version int
	if err := s.db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return err
	}
	if version == layout {
		return nil
	}
	if err := os.Chmod(s.path, 0o600); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	_, err := s.db.ExecContext(ctx, fmt.Sprintf(`
		BEGIN IMMEDIATE;
		DROP TABLE IF EXISTS entry;
		CREATE TABLE entry (kind INTEGER, key BLOB, value BLOB, sum INTEGER, used INTEGER, PRIMARY KEY (kind, key)) WITHOUT ROWID;
		PRAGMA user_version = %d;
		COMMIT`, layout))
	return err
}

// damaged tells whether SQLite found something that is no sound database.
func damaged(err error) bool {
	text := err.Error()
	return strings.Contains(text, "file is not a database") || strings.Contains(text, "malformed") || strings.Contains(text, "disk I/O error")
}

// Close closes the store.
func (s *Store) Close() error {
	if s == nil {
		return nil
	}
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
		if err := s.get(ctx, kind, keys[start:min(start+keysPerQuery, len(keys))], index, out); err != nil {
			return out, fmt.Errorf("read cache: %w", err)
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
	rows, err := s.db.QueryContext(ctx, "SELECT key, value, sum FROM entry WHERE kind = ? AND key IN ("+marks+")", args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var key, value []byte
		var sum int64
		if err := rows.Scan(&key, &value, &sum); err != nil {
			return err
		}
		if i, ok := index[string(key)]; ok && checksum(key, value) == sum {
			if value == nil {
				value = []byte{}
			}
			out[i] = value
		}
	}
	return rows.Err()
}

// Put stores entries, all or none.
func (s *Store) Put(ctx context.Context, kind Kind, entries []Entry) error {
	if s == nil || s.frozen || len(entries) == 0 {
		return nil
	}
	if err := s.put(ctx, kind, entries); err != nil {
		return fmt.Errorf("write cache: %w", err)
	}
	return nil
}

func (s *Store) put(ctx context.Context, kind Kind, entries []Entry) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // after Commit it does nothing
	insert, err := tx.PrepareContext(ctx, "INSERT OR REPLACE INTO entry (kind, key, value, sum, used) VALUES (?, ?, ?, ?, ?)")
	if err != nil {
		return err
	}
	defer insert.Close()
	for _, e := range entries {
		if _, err := insert.ExecContext(ctx, int(kind), e.Key, e.Value, checksum(e.Key, e.Value), s.now); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// Prune drops the entries that were written longest ago while the store is over its bound.
func (s *Store) Prune(ctx context.Context) error {
	if s == nil || s.frozen {
		return nil
	}
	info, err := os.Stat(s.path)
	if err != nil || info.Size() <= maxBytes {
		return err
	}
	_, err = s.db.ExecContext(ctx, `DELETE FROM entry WHERE used <= (SELECT used FROM entry ORDER BY used LIMIT 1 OFFSET (SELECT COUNT(*) / 2 FROM entry)); VACUUM`)
	if err != nil {
		return fmt.Errorf("prune cache: %w", err)
	}
	return nil
}

// Freeze makes a store that only looks: from now on nothing is stored or dropped.
func (s *Store) Freeze() {
	if s != nil {
		s.frozen = true
	}
}

// Delete drops the entries of keys.
func (s *Store) Delete(ctx context.Context, kind Kind, keys [][]byte) error {
	if s == nil || s.frozen || len(keys) == 0 {
		return nil
	}
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("write cache: %w", err)
	}
	defer tx.Rollback() // after Commit it does nothing
	for _, k := range keys {
		if _, err := tx.ExecContext(ctx, "DELETE FROM entry WHERE kind = ? AND key = ?", int(kind), k); err != nil {
			return fmt.Errorf("write cache: %w", err)
		}
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("write cache: %w", err)
	}
	return nil
}

// castagnoli has an instruction on current processors.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// checksum covers the key too, so that a value cannot stand under another key.
func checksum(key, value []byte) int64 {
	sum := crc32.Update(0, castagnoli, binary.LittleEndian.AppendUint64(nil, uint64(len(key))))
	sum = crc32.Update(sum, castagnoli, key)
	return int64(crc32.Update(sum, castagnoli, value))
}
