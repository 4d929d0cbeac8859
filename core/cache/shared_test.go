package cache

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// together opens a folder's cache many times at once, and stores and reads in each.
func together(t *testing.T, dir string, check func(err error)) {
	t.Helper()
	ctx := context.Background()
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			s, err := Open(ctx, dir)
			check(err)
			if err != nil {
				return
			}
			defer s.Close()
			for n := range 20 {
				key, value := fmt.Appendf(nil, "%d %d", i, n), bytes.Repeat([]byte{byte(i), byte(n)}, 3000)
				check(s.Put(ctx, Tags, []Entry{{key, value}}))
				got, err := s.Get(ctx, Tags, [][]byte{key})
				check(err)
				if got[0] != nil && !bytes.Equal(got[0], value) {
					t.Errorf("%q has another value", key)
				}
			}
		})
	}
	wg.Wait()
}

func TestManyMakeOneCacheAtOnce(t *testing.T) {
	dir := t.TempDir()
	together(t, dir, func(err error) {
		if err != nil {
			t.Error(err)
		}
	})
	s := openTest(t, dir)
	if u, err := s.Usage(context.Background()); err != nil || u.Entries != 160 {
		t.Errorf("%d of 160 entries, %v", u.Entries, err)
	}
}

// TestManyMeetDamageAtOnce: what is stored while another replaces the cache may be lost, but it is no error, nobody reads
// what was not stored, and the cache is sound when all have ended.
func TestManyMeetDamageAtOnce(t *testing.T) {
	dir, path := filled(t)
	rewrite(t, path, func(b []byte) []byte { clear(b[4096:]); return b })
	together(t, dir, func(err error) {
		if err != nil {
			t.Error(err)
		}
	})
	s := openTest(t, dir)
	fill(t, s, "k", 50)
	if n := held(t, s, "k", 50); n != 50 {
		t.Errorf("%d of 50 values", n)
	}
}

func TestWhatLiesBesideTheDatabaseMayBeAnything(t *testing.T) {
	for name, suffix := range map[string]string{"log": "-wal", "index of the log": "-shm", "journal": "-journal"} {
		t.Run(name, func(t *testing.T) {
			dir, path := filled(t)
			if err := os.WriteFile(path+suffix, bytes.Repeat([]byte("garbage "), 5000), 0o600); err != nil {
				t.Fatal(err)
			}
			s := openTest(t, dir)
			fill(t, s, "k", 50)
			if n := held(t, s, "k", 50); n != 50 {
				t.Errorf("%d of 50 values", n)
			}
		})
	}
	t.Run("a folder", func(t *testing.T) {
		dir, path := filled(t)
		if err := os.Mkdir(path+"-wal", 0o755); err != nil {
			t.Fatal(err)
		}
		if s, err := Open(context.Background(), dir); err == nil {
			s.Close()
			t.Error("no error")
		}
		if _, err := os.Stat(filepath.Join(dir, fileName)); err != nil {
			t.Error(err)
		}
	})
}
