package source

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

func TestCommit(t *testing.T) {
	isolate(t)
	dir := t.TempDir()
	run(t, dir, "init", "-q")
	write(t, dir, map[string]string{
		"a.go": "one", "new\nline": "n", "-dash": "d", "\xff": "f", "sub/b.go": "two", "sub/secret": "s", ".repoxignore": "secret\n",
		".gitattributes": "*.pb.go linguist-generated\n", "sub/x.pb.go": "", "big": strings.Repeat("b", 2000), "empty": "", "data/\xe9": "",
	})
	check(t, os.Symlink("a.go", filepath.Join(dir, "link")))
	run(t, dir, "add", ".")
	run(t, dir, "update-index", "--add", "--cacheinfo", "160000,1234567890123456789012345678901234567890,module")
	run(t, dir, "commit", "-qm", "one")
	run(t, dir, "tag", "-am", "t", "v1")
	write(t, dir, map[string]string{"a.go": "changed", "later": "", ".repoxignore": ""})
	check(t, os.Remove(filepath.Join(dir, "sub/b.go")))

	tree := list(t, Options{Path: dir, Rev: "v1", MaxFileBytes: 1000})
	want := []string{"-dash", ".gitattributes", ".repoxignore", "a.go", "data/\xe9", "empty", "new\nline", "sub/b.go", "sub/x.pb.go", "\xff"}
	if got := paths(tree); strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("files: got %q, want %q", got, want)
	}
	if got := skips(tree); len(got) != 3 || got["link"] != SkipSymlink || got["module"] != SkipSubmodule || got["big"] != SkipTooLarge {
		t.Errorf("skipped: %v", got)
	}
	contents := map[string]string{"a.go": "one", "sub/b.go": "two", "new\nline": "n", "empty": ""}
	var wg sync.WaitGroup
	for i := range tree.Files {
		wg.Go(func() {
			f := &tree.Files[i]
			data, err := tree.Read(f)
			if content, ok := contents[f.Path]; err != nil || ok && string(data) != content {
				t.Errorf("%s: got %q, %v", f.Path, data, err)
			}
			if got := tree.Attributes(f).Generated == Set; got != strings.HasSuffix(f.Path, ".pb.go") {
				t.Errorf("%s: generated %v", f.Path, got)
			}
		})
	}
	wg.Wait()

	sub := list(t, Options{Path: filepath.Join(dir, "sub"), Rev: "HEAD", Exclude: []string{"*.pb.go"}})
	if got := strings.Join(paths(sub), " "); got != "b.go" {
		t.Errorf("sub: got %s", got)
	}
	if data, err := sub.Read(&sub.Files[0]); err != nil || string(data) != "two" {
		t.Errorf("sub: read %q, %v", data, err)
	}
	check(t, sub.Close())
	if _, err := sub.Read(&sub.Files[0]); err == nil {
		t.Error("a closed tree was read")
	}
}

func TestCommitThatIsNone(t *testing.T) {
	isolate(t)
	dir := t.TempDir()
	run(t, dir, "init", "-q")
	write(t, dir, map[string]string{"a": "", "sub/b": ""})
	run(t, dir, "add", "a")
	run(t, dir, "commit", "-qm", "one")
	tests := map[string]struct {
		o    Options
		want string
	}{
		"an option":              {Options{Path: dir, Rev: "--output=x"}, `revision "--output=x": a revision cannot begin with a dash`},
		"an unknown name":        {Options{Path: dir, Rev: "nope"}, `revision "nope": no such commit here: check the name, or fetch it first`},
		"two lines":              {Options{Path: dir, Rev: "a\nb"}, `revision "a\nb": a revision is a single line`},
		"a directory not in it":  {Options{Path: filepath.Join(dir, "sub"), Rev: "HEAD"}, `revision "HEAD": the commit has no directory sub/`},
		"no git":                 {Options{Path: dir, Rev: "HEAD", withoutGit: true}, `revision "HEAD": reading a commit needs git: install it or leave --rev out`},
		"outside any repository": {Options{Path: t.TempDir(), Rev: "HEAD"}, `revision "HEAD": git rev-parse: not a git repository (or any of the parent directories): .git`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := List(t.Context(), tt.o)
			var rev *RevError
			if !errors.As(err, &rev) || err.Error() != tt.want {
				t.Errorf("got %v, want %s", err, tt.want)
			}
		})
	}
}

func TestBareRepository(t *testing.T) {
	isolate(t)
	dir, bare := t.TempDir(), filepath.Join(t.TempDir(), "r.git")
	run(t, dir, "init", "-q")
	write(t, dir, map[string]string{"a": "x"})
	run(t, dir, "add", "a")
	run(t, dir, "commit", "-qm", "one")
	run(t, dir, "clone", "-q", "--bare", ".", bare)
	tree := list(t, Options{Path: bare, Rev: "HEAD"})
	if got := strings.Join(paths(tree), " "); got != "a" {
		t.Errorf("got %s", got)
	}
}
