package cache

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"testing"
)

const testLimit = 512 << 10

// fill stores n values of 8 KiB under "NAME 0", "NAME 1" and so on.
func fill(t *testing.T, s *Store, name string, n int) {
	t.Helper()
	for i := range n {
		put(t, s, fmt.Sprint(name, " ", i), string(bytes.Repeat([]byte{byte(i)}, 8<<10)))
	}
}

// held counts the values of fill that are still there.
func held(t *testing.T, s *Store, name string, n int) int {
	t.Helper()
	found := 0
	for i := range n {
		if get(t, s, fmt.Sprint(name, " ", i)) != nil {
			found++
		}
	}
	return found
}

func prune(t *testing.T, s *Store) {
	t.Helper()
	if err := s.Prune(context.Background()); err != nil {
		t.Fatal(err)
	}
	if got := size(s.path); got > s.limit {
		t.Errorf("the files take %d bytes, more than %d", got, s.limit)
	}
}

func TestPruneFillsTheBoundWithWhatWasWrittenInOneRun(t *testing.T) {
	s := openTest(t, t.TempDir())
	s.limit = testLimit
	fill(t, s, "k", 200)
	prune(t, s)
	if n := held(t, s, "k", 200); n < 20 || n > 64 {
		t.Errorf("%d entries are left; about 40 fit", n)
	}
}

func TestPruneKeepsWhatWasUsedLast(t *testing.T) {
	dir := t.TempDir()
	s := openTest(t, dir)
	fill(t, s, "used", 10)
	s.now += 10 * touchSeconds
	fill(t, s, "unused", 200)
	s.now += 10 * touchSeconds
	if n := held(t, s, "used", 10); n != 10 {
		t.Fatalf("%d entries before", n)
	}
	now := s.now
	s.Close() // notes what was used
	s = openTest(t, dir)
	s.limit, s.now = testLimit, now
	prune(t, s)
	if n := held(t, s, "used", 10); n != 10 {
		t.Errorf("%d of 10 entries that were read last are left", n)
	}
	if n := held(t, s, "unused", 200); n < 10 || n > 64 {
		t.Errorf("%d other entries are left; about 30 fit", n)
	}
}

func TestPruneCountsTheLog(t *testing.T) {
	s := openTest(t, t.TempDir())
	s.limit = testLimit
	if _, err := s.db.Exec("PRAGMA wal_autocheckpoint = 0"); err != nil {
		t.Fatal(err)
	}
	for i := range 50 {
		put(t, s, "other", string(bytes.Repeat([]byte{byte(i)}, 20<<10)))
	}
	fill(t, s, "k", 10)
	if info, err := os.Stat(s.path); err != nil || info.Size() > s.limit || size(s.path) <= s.limit {
		t.Fatalf("the test needs a small database with a long log, has %d of %d bytes: %v", info.Size(), size(s.path), err)
	}
	prune(t, s)
	if n := held(t, s, "k", 10); n != 10 {
		t.Errorf("%d of 10 entries are left, but all fit", n)
	}
}

func TestPruneLeavesASmallStoreAlone(t *testing.T) {
	s := openTest(t, t.TempDir())
	fill(t, s, "k", 5)
	prune(t, s)
	if n := held(t, s, "k", 5); n != 5 {
		t.Errorf("%d of 5 entries are left", n)
	}
}

func TestAFrozenStoreIsNotPruned(t *testing.T) {
	s := openTest(t, t.TempDir())
	fill(t, s, "k", 100)
	s.limit = testLimit
	s.Freeze()
	if err := s.Prune(context.Background()); err != nil {
		t.Fatal(err)
	}
	if n := held(t, s, "k", 100); n != 100 {
		t.Errorf("%d of 100 entries are left", n)
	}
}
