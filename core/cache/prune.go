package cache

import (
	"context"
	"database/sql"
	"os"
)

// touchSeconds is how old the time of an entry's last use may get. It makes most runs write nothing.
const touchSeconds = 3600

// hit is an entry that was read.
type hit struct {
	kind Kind
	key  string
}

// hit notes that an entry was used, whose last use is known to be at a time.
func (s *Store) hit(kind Kind, key []byte, at int64) {
	if at < s.now-touchSeconds {
		s.hits[hit{kind, string(key)}] = struct{}{}
	}
}

// touch writes down which entries were used.
func (s *Store) touch(ctx context.Context) error {
	if len(s.hits) == 0 {
		return nil
	}
	err := s.transact(ctx, func(tx *sql.Tx) error {
		update, err := tx.PrepareContext(ctx, "UPDATE used SET at = ? WHERE kind = ? AND key = ?")
		if err != nil {
			return err
		}
		defer update.Close()
		for h := range s.hits {
			if _, err := update.ExecContext(ctx, s.now, int(h.kind), []byte(h.key)); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		clear(s.hits)
	}
	return err
}

// Prune drops entries while the files of the store are over their bound: those not used for longest, so many that a
// quarter of the bound is free.
func (s *Store) Prune(ctx context.Context) error {
	if s == nil {
		return nil
	}
	return s.do(ctx, "prune", s.prune)
}

func (s *Store) prune(ctx context.Context) error {
	if s.frozen {
		return nil
	}
	if err := s.touch(ctx); err != nil {
		return err
	}
	if size(s.path) <= s.limit {
		return nil
	}
	// What is only not given back yet is no reason to drop anything.
	if err := s.shrink(ctx); err != nil || size(s.path) <= s.limit {
		return err
	}
	if err := s.evict(ctx, s.limit/4*3); err != nil {
		return err
	}
	return s.shrink(ctx)
}

// evict drops entries until what is left takes at most target bytes. Values are spread over pages, so how much an entry
// takes is only known on average: the sum of all that stay is made smaller until it fits.
func (s *Store) evict(ctx context.Context, target int64) error {
	var keep int64
	if err := s.db.QueryRowContext(ctx, "SELECT COALESCE(SUM(bytes), 0) FROM used").Scan(&keep); err != nil {
		return err
	}
	for {
		live, err := s.live(ctx)
		if err != nil || live <= target || keep == 0 {
			return err
		}
		keep = int64(float64(keep) * float64(target) / float64(live))
		if err := s.keep(ctx, keep); err != nil {
			return err
		}
	}
}

// keep drops all but the most recently used entries that are together at most so many bytes.
func (s *Store) keep(ctx context.Context, bytes int64) error {
	return s.transact(ctx, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `DELETE FROM used WHERE (kind, key) IN (SELECT kind, key FROM (
			SELECT kind, key, SUM(bytes) OVER (ORDER BY at DESC, kind, key) AS total FROM used) WHERE total > ?)`, bytes); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `DELETE FROM entry WHERE NOT EXISTS (
			SELECT 1 FROM used WHERE used.kind = entry.kind AND used.key = entry.key)`)
		return err
	})
}

// live is how many bytes the pages take that hold something.
func (s *Store) live(ctx context.Context) (int64, error) {
	var pages, free, bytes int64
	err := s.db.QueryRowContext(ctx, `SELECT page_count, freelist_count, page_size
		FROM pragma_page_count, pragma_freelist_count, pragma_page_size`).Scan(&pages, &free, &bytes)
	return (pages - free) * bytes, err
}

// shrink gives the room of dropped entries back. Another process that reads at this moment puts that off to a later run.
func (s *Store) shrink(ctx context.Context) error {
	for _, pragma := range []string{"incremental_vacuum", "wal_checkpoint(TRUNCATE)"} {
		rows, err := s.db.QueryContext(ctx, "PRAGMA "+pragma)
		if err != nil {
			return err
		}
		for rows.Next() { // each row is a page that went; unread, the rest would stay
		}
		rows.Close()
		if err := rows.Err(); err != nil && !busy(err) {
			return err
		}
	}
	return nil
}

// size is how many bytes the files of a database take.
func size(path string) int64 {
	var n int64
	for _, suffix := range suffixes {
		if info, err := os.Lstat(path + suffix); err == nil {
			n += info.Size()
		}
	}
	return n
}
