package cache

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

func openTest(t *testing.T, dir string) *Store {
	t.Helper()
	s, err := Open(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func put(t *testing.T, s *Store, key, value string) {
	t.Helper()
	if err := s.Put(context.Background(), Tags, []Entry{{[]byte(key), []byte(value)}}); err != nil {
		t.Fatal(err)
	}
}

func get(t *testing.T, s *Store, key string) []byte {
	t.Helper()
	v, err := s.Get(context.Background(), Tags, [][]byte{[]byte(key)})
	if err != nil {
		t.Fatal(err)
	}
	return v[0]
}

func TestValuesOutliveTheStore(t *testing.T) {
	dir := t.TempDir()
	s := openTest(t, dir)
	put(t, s, "k", "v")
	put(t, s, "empty", "")
	s.Close()
	s = openTest(t, dir)
	if got := get(t, s, "k"); string(got) != "v" {
		t.Errorf("got %q", got)
	}
	if got := get(t, s, "empty"); got == nil || len(got) != 0 {
		t.Errorf("empty value: got %v, want an empty slice", got)
	}
	if got := get(t, s, "other"); got != nil {
		t.Errorf("missing key gives %q", got)
	}
}

func TestManyKeysKeepTheirOrder(t *testing.T) {
	s := openTest(t, t.TempDir())
	var entries []Entry
	var keys [][]byte
	for i := range 3 * keysPerQuery / 2 {
		k := fmt.Appendf(nil, "key %d", i)
		keys = append(keys, k)
		if i%2 == 0 {
			entries = append(entries, Entry{k, fmt.Appendf(nil, "value %d", i)})
		}
	}
	if err := s.Put(context.Background(), Tags, entries); err != nil {
		t.Fatal(err)
	}
	values, err := s.Get(context.Background(), Tags, keys)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range values {
		if want := fmt.Appendf(nil, "value %d", i); i%2 == 0 && !bytes.Equal(v, want) || i%2 == 1 && v != nil {
			t.Fatalf("key %d: got %q", i, v)
		}
	}
}

func TestADamagedValueIsAMiss(t *testing.T) {
	s := openTest(t, t.TempDir())
	put(t, s, "k", "value")
	if _, err := s.db.Exec("UPDATE entry SET value = 'other'"); err != nil {
		t.Fatal(err)
	}
	if got := get(t, s, "k"); got != nil {
		t.Errorf("got %q", got)
	}
}

func TestAnUnusableFolderIsAnError(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(context.Background(), filepath.Join(file, "cache")); err == nil {
		t.Error("no error")
	}
}

func TestANilStoreHasNothing(t *testing.T) {
	var s *Store
	v, err := s.Get(context.Background(), Tags, [][]byte{{1}})
	if err != nil || v[0] != nil {
		t.Errorf("got %v, %v", v, err)
	}
	if err := s.Put(context.Background(), Tags, []Entry{{[]byte{1}, nil}}); err != nil {
		t.Error(err)
	}
}

func TestTheFileIsPrivate(t *testing.T) {
	dir := t.TempDir()
	openTest(t, dir)
	info, err := os.Stat(filepath.Join(dir, fileName))
	if err != nil {
		t.Fatal(err)
	}
	if perm := info.Mode().Perm(); perm&0o077 != 0 {
		t.Errorf("mode is %v", perm)
	}
}

func TestTwoStoresAtOnce(t *testing.T) {
	dir := t.TempDir()
	a, b := openTest(t, dir), openTest(t, dir)
	put(t, a, "a", "1")
	put(t, b, "b", "2")
	if got := get(t, a, "b"); string(got) != "2" {
		t.Errorf("a sees %q", got)
	}
	if got := get(t, b, "a"); string(got) != "1" {
		t.Errorf("b sees %q", got)
	}
}
