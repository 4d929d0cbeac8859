package inventory

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/repox-dev/repox/core/cache"
	"github.com/repox-dev/repox/core/source"
	pluginv1 "github.com/repox-dev/repox/sdk/proto"
)

var golang = NewLanguages([]*pluginv1.Language{{Name: "go", Extensions: []string{".go"}}})

func take(t *testing.T, dir string, store *cache.Store) *Inventory {
	t.Helper()
	tree, err := source.List(context.Background(), source.Options{Path: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	inv, err := Take(context.Background(), tree, golang, nil, store, func(err error) { t.Error(err) })
	if err != nil {
		t.Fatal(err)
	}
	return inv
}

func write(t *testing.T, path, content string, modified time.Time) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(path, modified, modified); err != nil {
		t.Fatal(err)
	}
}

func openStore(t *testing.T) *cache.Store {
	t.Helper()
	s, err := cache.Open(context.Background(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func TestWhatIsInTheFiles(t *testing.T) {
	dir := t.TempDir()
	now := time.Now()
	write(t, filepath.Join(dir, "a.go"), "package a\n", now)
	write(t, filepath.Join(dir, "B.GO"), "package a\n", now)
	write(t, filepath.Join(dir, "a_test.go"), "package a\n", now)
	write(t, filepath.Join(dir, "x.bin"), "a\x00b", now)
	write(t, filepath.Join(dir, "README.md"), "# a\n", now)
	write(t, filepath.Join(dir, "wide.go"), "\xff\xfep\x00", now)
	inv := take(t, dir, nil)
	got := map[string]Entry{}
	for _, e := range inv.Entries {
		got[e.File.Path] = e
	}
	if len(got) != 5 || inv.Skipped["binary"] != 1 {
		t.Fatalf("entries %v, skipped %v", got, inv.Skipped)
	}
	if e := got["B.GO"]; e.Language != "go" || e.Class != pluginv1.Class_CLASS_SOURCE {
		t.Errorf("B.GO: %+v", e)
	}
	if e := got["a_test.go"]; e.Class != pluginv1.Class_CLASS_TEST {
		t.Errorf("a_test.go is of class %v", e.Class)
	}
	if e := got["README.md"]; e.Language != "" || e.Class != pluginv1.Class_CLASS_DOCUMENTATION {
		t.Errorf("README.md: %+v", e)
	}
	if !got["wide.go"].Converted || got["a.go"].Converted {
		t.Error("only wide.go is converted")
	}
}

// agedStore gives a store that remembers dir as it was well before now.
func age(t *testing.T, store *cache.Store, dir string) {
	t.Helper()
	tree, err := source.List(context.Background(), source.Options{Path: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	var records []record
	for i := range tree.Files {
		records = append(records, look(tree, &tree.Files[i], nil))
	}
	save(context.Background(), store, listingKey(tree, nil), time.Now().Add(time.Hour), records, func(err error) { t.Error(err) })
}

func TestAnUnchangedTreeIsNotReadAgain(t *testing.T) {
	dir, store := t.TempDir(), openStore(t)
	old := time.Now().Add(-time.Hour)
	write(t, filepath.Join(dir, "a.go"), "package a\n", old)
	write(t, filepath.Join(dir, "b.go"), "package b\n", old)
	write(t, filepath.Join(dir, "b.bin"), "\x00", old)
	age(t, store, dir)
	first := take(t, dir, nil)
	second := take(t, dir, store)
	if second.Read != 0 {
		t.Errorf("%d files were read", second.Read)
	}
	if first.Key != second.Key || second.Skipped["binary"] != 1 {
		t.Error("the remembered tree differs from the real one")
	}
	write(t, filepath.Join(dir, "b.go"), "package c\n", old) // same size, same time
	third := take(t, dir, store)
	if third.Read != 1 || third.Key == second.Key {
		t.Errorf("after a change %d files were read", third.Read)
	}
}

func TestAFreshFileIsReadAgain(t *testing.T) {
	dir, store := t.TempDir(), openStore(t)
	write(t, filepath.Join(dir, "a.go"), "package a\n", time.Now())
	take(t, dir, store)
	if second := take(t, dir, store); second.Read != 1 {
		t.Errorf("%d files were read: a file changed just now cannot be told by its time", second.Read)
	}
}

func TestAttributesCountAtOnce(t *testing.T) {
	dir, store := t.TempDir(), openStore(t)
	write(t, filepath.Join(dir, "a.go"), "package a\n", time.Now().Add(-time.Hour))
	age(t, store, dir)
	write(t, filepath.Join(dir, ".gitattributes"), "a.go linguist-generated\n", time.Now())
	inv := take(t, dir, store)
	for _, e := range inv.Entries {
		if e.File.Path == "a.go" && e.Class != pluginv1.Class_CLASS_GENERATED {
			t.Errorf("class is %v", e.Class)
		}
	}
}

func TestTheLongestExtensionCounts(t *testing.T) {
	l := NewLanguages([]*pluginv1.Language{
		{Name: "ts", Extensions: []string{".ts"}}, {Name: "dts", Extensions: []string{".d.ts"}}, {Name: "make", Filenames: []string{"Makefile"}},
	})
	for path, want := range map[string]string{"a/x.d.ts": "dts", "x.y.ts": "ts", "d/Makefile": "make", "Makefile.go": "", "ts": ""} {
		if got := l.Of(path); got != want {
			t.Errorf("%s is %q, want %q", path, got, want)
		}
	}
}

func FuzzListing(f *testing.F) {
	f.Add(encodeListing(time.Now(), []record{{entry: Entry{File: source.File{Path: "a"}}, skip: "binary"}}))
	f.Add([]byte{0xff})
	f.Fuzz(func(t *testing.T, b []byte) {
		if _, err := decodeListing(b); err != nil && err != errListing {
			t.Error(err)
		}
	})
}

func TestListingAPartForgetsNothingOfTheRest(t *testing.T) {
	dir, store := t.TempDir(), openStore(t)
	old := time.Now().Add(-time.Hour)
	write(t, filepath.Join(dir, "a.go"), "package a\n", old)
	write(t, filepath.Join(dir, "b.go"), "package b\n", old)
	age(t, store, dir)
	// A new file makes the part be remembered anew.
	write(t, filepath.Join(dir, "sub", "c.go"), "package c\n", time.Now())
	tree, err := source.List(context.Background(), source.Options{Path: dir, Within: []string{"sub"}})
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	if part, err := Take(context.Background(), tree, golang, nil, store, func(err error) { t.Error(err) }); err != nil || len(part.Entries) != 1 {
		t.Fatalf("entries %v, error %v", part, err)
	}
	records := load(context.Background(), store, listingKey(tree, nil), func(err error) { t.Error(err) })
	for _, name := range []string{"a.go", "b.go"} {
		if records[name] == nil {
			t.Errorf("%s is forgotten", name)
		}
	}
}
