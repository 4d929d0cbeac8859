package cache

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// filled gives a folder with a closed cache of some size.
func filled(t *testing.T) (dir, path string) {
	t.Helper()
	dir = t.TempDir()
	s := openTest(t, dir)
	fill(t, s, "k", 50)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return dir, filepath.Join(dir, fileName)
}

func rewrite(t *testing.T, path string, change func([]byte) []byte) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err == nil {
		err = os.WriteFile(path, change(b), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestDamageIsRepairedAndTold(t *testing.T) {
	for name, change := range map[string]func([]byte) []byte{
		"text":              func([]byte) []byte { return bytes.Repeat([]byte("x"), 5000) },
		"a few bytes":       func(b []byte) []byte { return b[:50] },
		"all zeros":         func(b []byte) []byte { return make([]byte, len(b)) },
		"zeros from page 2": func(b []byte) []byte { clear(b[4096:]); return b },
		"noise from page 2": func(b []byte) []byte { copy(b[4096:], bytes.Repeat([]byte{0xa7}, len(b))); return b },
		"only the header":   func(b []byte) []byte { return b[:4096] },
		"half a page":       func(b []byte) []byte { return b[:2000] },
		"no tables":         func(b []byte) []byte { clear(b[100:4096]); return b },
	} {
		t.Run(name, func(t *testing.T) {
			dir, path := filled(t)
			rewrite(t, path, change)
			s := openTest(t, dir)
			if n := held(t, s, "k", 50); n != 0 {
				t.Errorf("%d values are still there", n)
			}
			put(t, s, "new", "v")
			if err := s.Fault(); err == nil || !strings.Contains(err.Error(), path) {
				t.Errorf("the fault is %v", err)
			}
			s.Close()
			s = openTest(t, dir)
			if got := get(t, s, "new"); string(got) != "v" || s.Fault() != nil {
				t.Errorf("after the repair: %q, fault %v", got, s.Fault())
			}
		})
	}
}

// TestZeroedPages: wherever a page is lost, values are right or missing, and can be stored again.
func TestZeroedPages(t *testing.T) {
	dir, path := filled(t)
	sound, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for at := 4096; at < len(sound); at += 3 * 4096 {
		b := bytes.Clone(sound)
		clear(b[at : at+4096])
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		s := openTest(t, dir)
		for i := range 50 {
			v, want := get(t, s, fmt.Sprint("k ", i)), bytes.Repeat([]byte{byte(i)}, 8<<10)
			if v != nil && !bytes.Equal(v, want) {
				t.Fatalf("page at %d: key %d has another value", at, i)
			}
		}
		fill(t, s, "k", 50)
		if n := held(t, s, "k", 50); n != 50 {
			t.Fatalf("page at %d: %d values after they were stored again", at, n)
		}
		s.Close()
	}
}

func TestAnEmptyFileIsAnEmptyCache(t *testing.T) {
	dir, path := filled(t)
	if err := os.Truncate(path, 0); err != nil {
		t.Fatal(err)
	}
	s := openTest(t, dir)
	put(t, s, "k", "v")
	if s.Fault() != nil {
		t.Errorf("fault %v", s.Fault())
	}
}

// TestADiskErrorDeletesNothing: what cannot be read now may be sound.
func TestADiskErrorDeletesNothing(t *testing.T) {
	ctx := context.Background()
	dir, path := filled(t)
	s := openTest(t, dir)
	fault := errors.New("disk I/O error")
	if err := s.do(ctx, "read", func(context.Context) error { return fault }); !errors.Is(err, fault) {
		t.Errorf("got %v", err)
	}
	if v, err := s.Get(ctx, Tags, [][]byte{[]byte("k 1")}); err != nil || v[0] != nil {
		t.Errorf("after the error: %v, %v; want a miss and no second error", v, err)
	}
	put(t, s, "k", "v")
	s.Close()
	s = openTest(t, dir)
	if n := held(t, s, "k", 50); n != 50 || s.Fault() != nil {
		t.Errorf("%d of 50 values are left in %s, fault %v", n, path, s.Fault())
	}
}

func TestAStoreThatCannotBeWrittenIsStillRead(t *testing.T) {
	ctx := context.Background()
	s := openTest(t, t.TempDir())
	put(t, s, "k", "v")
	if err := s.do(ctx, "write", func(context.Context) error { return errors.New("database or disk is full") }); err == nil {
		t.Error("no error")
	}
	put(t, s, "other", "v")
	if got := get(t, s, "k"); string(got) != "v" {
		t.Errorf("got %q", got)
	}
	if got := get(t, s, "other"); got != nil {
		t.Errorf("stored %q after a failure to write", got)
	}
}

func TestAnotherProgramsDatabaseStaysAsItIs(t *testing.T) {
	for name, statements := range map[string]string{
		"unmarked":                "CREATE TABLE notes (t TEXT); INSERT INTO notes VALUES ('mine')",
		"marked":                  "PRAGMA application_id = 7; CREATE TABLE notes (t TEXT)",
		"of our layout's number":  "PRAGMA user_version = 2; CREATE TABLE entry (t TEXT)",
		"in write-ahead mode":     "PRAGMA journal_mode = WAL; CREATE TABLE notes (t TEXT)",
		"with the old number too": "PRAGMA user_version = 1; CREATE TABLE entry (t TEXT)",
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, fileName)
			db, err := sql.Open("sqlite3", path)
			if err == nil {
				_, err = db.Exec(statements)
			}
			if err := errors.Join(err, db.Close()); err != nil {
				t.Fatal(err)
			}
			before, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := Open(context.Background(), dir); !errors.Is(err, errForeign) {
				t.Errorf("opening gives %v", err)
			}
			if _, err := Reset(context.Background(), dir); !errors.Is(err, errForeign) {
				t.Errorf("reset gives %v", err)
			}
			if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
				t.Errorf("it was changed; %v", err)
			}
			if files, _ := os.ReadDir(dir); len(files) != 1 {
				t.Errorf("files beside it: %v", files)
			}
		})
	}
}

func TestTheFormerLayoutIsReplacedSilently(t *testing.T) {
	dir := t.TempDir()
	db, err := sql.Open("sqlite3", filepath.Join(dir, fileName)+"?_journal_mode=WAL")
	if err == nil {
		_, err = db.Exec("BEGIN; " + unmarked + ", PRIMARY KEY (kind, key)) WITHOUT ROWID; PRAGMA user_version = 1; COMMIT")
	}
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	s := openTest(t, dir)
	put(t, s, "k", "v")
	if got := get(t, s, "k"); string(got) != "v" || s.Fault() != nil {
		t.Errorf("got %q, fault %v", got, s.Fault())
	}
}

func TestAFolderInThePlaceOfTheFileIsAnError(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, fileName), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(context.Background(), dir); !errors.Is(err, errNoFile) {
		t.Errorf("got %v", err)
	}
}
