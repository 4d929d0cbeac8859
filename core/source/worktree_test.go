//go:build unix

package source

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// TestListEqualsGit builds trees that exercise git's rules and holds List against git.
func TestListEqualsGit(t *testing.T) {
	tests := []struct {
		name  string
		files map[string]string
		// add is what to track before the later files are written.
		add   []string
		later map[string]string
		gone  []string
		home  map[string]string
	}{
		{name: "an empty repository"},
		{name: "nested ignore files and negations", files: map[string]string{
			".gitignore": "*.log\n!keep.log\n/build\nout/\n", "a.log": "", "keep.log": "", "build/x": "", "sub/build/x": "",
			"out/y": "", "sub/out/y": "", "sub/.gitignore": "!*.log\n/only\nkeep.log\n", "sub/z.log": "", "sub/keep.log": "",
			"sub/only": "", "sub/deep/only": "", "outfile/out": "",
		}},
		{name: "a file cannot come back from an ignored directory", files: map[string]string{
			".gitignore": "gen/\n!gen/keep\ngen2/*\n!gen2/keep\n", "gen/keep": "", "gen/x": "", "gen2/keep": "", "gen2/x": "",
		}},
		{name: "double stars, classes, escapes and spaces", files: map[string]string{
			".gitignore": "a/**/z\n**/tmp\nlib/**\n*.py[co]\n\\#x\n\\!y\nsp\\ \ntrail   \nq?\n[[:digit:]]x\n[!a-c]bar\nfoo**/bar\n",
			"a/z":        "", "a/b/z": "", "a/b/c/z": "", "tmp": "", "d/tmp/f": "", "lib/x/y": "", "m.pyc": "", "m.pyx": "", "#x": "",
			"!y": "", "sp ": "", "sp": "", "trail": "", "qq": "", "qqq": "", "1x": "", "xx": "", "dbar": "", "abar": "", "foo1/2/bar": "",
		}},
		{name: "tracked files stay though ignored", files: map[string]string{"gen/a.go": "x", "gen/.gitattributes": "", "b.log": "y"},
			add: []string{"gen/a.go", "gen/.gitattributes", "b.log"}, later: map[string]string{".gitignore": "gen/\n*.log\n", "gen/new.go": "", "c.log": ""}},
		{name: "deleted and replaced tracked files", files: map[string]string{"a": "", "b": "", "d/e": "", "f": "", "k/l/m": ""},
			add: []string{"."}, gone: []string{"a", "d", "f", "k/l"}, later: map[string]string{"d": "now a file", "f/g": "now below a directory"}},
		{name: "global excludes and info/exclude", files: map[string]string{
			".git/info/exclude": "*.tmp\n!global.bak\n", ".gitignore": "!special.tmp\n", "a.tmp": "", "special.tmp": "", "a.bak": "", "global.bak": "", "x.swp": "",
		}, home: map[string]string{"xdg/git/ignore": "*.bak\n*.swp\n"}},
		{name: "an excludes file set by configuration", files: map[string]string{"a.one": "", "a.two": "", "a.xdg": ""},
			home: map[string]string{"xdg/git/ignore": "*.xdg\n", "ex/one": "*.one\n", "inc/extra": "[Core]\n  excludesFile = \"~/ex/one\" ; note\n",
				".gitconfig": "[user]\n name=t\n email=t@example.com\n[include]\n path = inc/extra\n"}},
		{name: "an ignore file with a byte order mark and bytes that are no text", files: map[string]string{
			".gitignore": "\xef\xbb\xbffirst\n\xe9t\xe9*\r\nlast\r", "first": "", "\xe9t\xe9.c": "", "\xe9t\xe8.c": "", "last": "", "x": "",
		}},
		{name: "odd names", files: map[string]string{
			"a b": "", "new\nline": "", "q\"uote'": "", "-rf": "", "\xff\xfe": "", "tab\t": "", "***/f": "", "[a]/f": "", "a!b/f": "",
			"#x/f": "", "trail /f": "", "{x,y}": "", "back\\slash": "", ":(top)x": "", "é": "", "z/-dash/--help": "",
		}, add: []string{"-rf", "***/f"}},
		{name: "a directory named .gitignore", files: map[string]string{".gitignore/x": "", "y": ""}},
		{name: "an ignored ignore file still rules", files: map[string]string{".gitignore": ".gitignore\n*.x\n", "a.x": "", "b": ""}},
		{name: "everything ignored but a list", files: map[string]string{
			".gitignore": "/*\n!/keep\n!/src/\n/src/*\n!/src/in\n", "keep": "", "drop": "", "src/in/a": "", "src/out/b": "",
		}},
		{name: "many siblings", files: siblings(5000)},
		{name: "great depth", files: map[string]string{strings.Repeat("d/", 300) + "f": "", strings.Repeat("long-name/", 300) + "g": ""}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			home := isolate(t)
			write(t, home, tt.home)
			dir := t.TempDir()
			run(t, dir, "init", "-q")
			write(t, dir, tt.files)
			if len(tt.add) > 0 {
				run(t, dir, append([]string{"add", "-f", "--"}, tt.add...)...)
			}
			for _, name := range tt.gone {
				check(t, os.RemoveAll(filepath.Join(dir, name)))
			}
			write(t, dir, tt.later)
			compareWithGit(t, dir, nil)
		})
	}
}

func siblings(n int) map[string]string {
	files := map[string]string{".gitignore": "*7/\n"}
	for i := range n {
		files[fmt.Sprintf("dir%d/f", i)] = ""
	}
	return files
}

func TestSubdirectoryEqualsGit(t *testing.T) {
	isolate(t)
	dir := t.TempDir()
	run(t, dir, "init", "-q")
	write(t, dir, map[string]string{
		".gitignore": "src/gen.py\n*.o\nother/\n", "src/gen.py": "", "src/a.py": "", "src/a.o": "", "src/in/.gitignore": "!b.o\n",
		"src/in/b.o": "", "src/in/c.o": "", "top.py": "", "other/x": "", "src2/y": "", "src/other/z": "",
	})
	run(t, dir, "add", "-f", "src/a.py", "other/x")
	for _, sub := range []string{"src", "src/in", "other"} {
		compareWithGit(t, filepath.Join(dir, sub), nil)
	}
}

func TestLinksAndSpecialFiles(t *testing.T) {
	isolate(t)
	dir, outside := t.TempDir(), t.TempDir()
	write(t, outside, map[string]string{"secret": "s", "d/f": ""})
	run(t, dir, "init", "-q")
	write(t, dir, map[string]string{"a/f": "", "real": "", "sub/g": "", "tracked/h": ""})
	run(t, dir, "add", ".")
	links := map[string]string{
		"a/loop": "..", "out": outside, "a/secret": filepath.Join(outside, "secret"), "in": "real", "dangling": "nowhere", "self": "self",
	}
	for name, target := range links {
		check(t, os.Symlink(target, filepath.Join(dir, name)))
	}
	check(t, syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o644))
	check(t, os.Symlink("pipe", filepath.Join(dir, "topipe")))
	// A tracked directory that became a link leads to the same names outside.
	check(t, os.RemoveAll(filepath.Join(dir, "tracked")))
	write(t, outside, map[string]string{"h": "not of this tree"})
	check(t, os.Symlink(outside, filepath.Join(dir, "tracked")))

	for _, without := range []bool{false, true} {
		tree := list(t, Options{Path: dir, withoutGit: without})
		want := map[string]SkipReason{"pipe": SkipSpecial, "topipe": SkipSymlink, "tracked": SkipSymlink, "tracked/h": SkipDeleted}
		for name := range links {
			want[name] = SkipSymlink
		}
		if !maps.Equal(skips(tree), want) {
			t.Errorf("skipped (without git: %v): got %v, want %v", without, skips(tree), want)
		}
		if got := strings.Join(paths(tree), " "); got != "a/f real sub/g" {
			t.Errorf("files (without git: %v): got %s", without, got)
		}
		for _, name := range []string{"tracked/h", "a/secret", "pipe", "out/secret", "a/loop/real"} {
			if data, err := tree.Read(&File{Path: name}); err == nil {
				t.Errorf("Read(%s) gave %q", name, data)
			}
		}
	}
}

// A pipe or a link to an endless device in the place of a file that steers the listing must neither stop it nor rule.
func TestSteeringFilesThatAreNoFiles(t *testing.T) {
	isolate(t)
	for _, name := range []string{".gitignore", ".repoxignore", ".gitattributes", ".git/info/exclude", ".git/index", ".git/config"} {
		for how, plant := range map[string]func(string) error{
			"pipe": func(p string) error { return syscall.Mkfifo(p, 0o644) },
			"zero": func(p string) error { return os.Symlink("/dev/zero", p) },
		} {
			t.Run(name+" "+how, func(t *testing.T) {
				dir := t.TempDir()
				run(t, dir, "init", "-q")
				write(t, dir, map[string]string{"a": "x"})
				_ = os.Remove(filepath.Join(dir, name))
				check(t, plant(filepath.Join(dir, name)))
				tree := list(t, Options{Path: dir})
				if got := strings.Join(paths(tree), " "); got != "a" {
					t.Errorf("got files %q", got)
				}
				if got := tree.Attributes(&tree.Files[0]); got != (Attributes{}) {
					t.Errorf("got attributes %v", got)
				}
			})
		}
	}
}

func TestRepositoriesInRepositories(t *testing.T) {
	isolate(t)
	lib, dir := t.TempDir(), t.TempDir()
	run(t, lib, "init", "-q")
	write(t, lib, map[string]string{"lib.c": ""})
	run(t, lib, "add", ".")
	run(t, lib, "commit", "-qm", "lib")
	run(t, dir, "init", "-q")
	write(t, dir, map[string]string{"main.c": "", ".gitignore": ".worktrees/\n", "plain/.git/x": "", "plain/y": "", "bad/.git": "gitdir: nowhere\n", "bad/z": ""})
	run(t, dir, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", lib, "sub")
	run(t, dir, "add", "main.c", ".gitignore")
	run(t, dir, "commit", "-qm", "main")
	run(t, dir, "clone", "-q", lib, "nested")
	run(t, dir, "worktree", "add", "-q", "-b", "w", ".worktrees/x")
	run(t, dir, "worktree", "add", "-q", "-b", "v", "wt")
	write(t, dir, map[string]string{".worktrees/x/new.c": "", "sub/untracked.c": ""})
	compareWithGit(t, dir, nil)
	compareWithGit(t, filepath.Join(dir, ".worktrees/x"), nil)
	compareWithGit(t, filepath.Join(dir, "sub"), nil)
	compareWithGit(t, filepath.Join(dir, "nested"), nil)

	tree := list(t, Options{Path: filepath.Join(dir, ".worktrees/x")})
	if tree.GitRoot != tree.Root {
		t.Errorf("a linked work tree has GitRoot %s, want %s", tree.GitRoot, tree.Root)
	}
	// An emptied submodule, and one whose repository is lost.
	run(t, dir, "submodule", "--quiet", "deinit", "-f", "sub")
	compareWithGit(t, dir, nil)
	write(t, dir, map[string]string{"sub/stray": ""})
	compareWithGit(t, dir, nil)
}

func TestConflictsAreListedOnce(t *testing.T) {
	isolate(t)
	dir := t.TempDir()
	run(t, dir, "init", "-q", "-b", "main")
	write(t, dir, map[string]string{"f": "base\n"})
	run(t, dir, "add", ".")
	run(t, dir, "commit", "-qm", "base")
	run(t, dir, "checkout", "-qb", "other")
	write(t, dir, map[string]string{"f": "other\n"})
	run(t, dir, "commit", "-qam", "other")
	run(t, dir, "checkout", "-q", "main")
	write(t, dir, map[string]string{"f": "main\n"})
	run(t, dir, "commit", "-qam", "main")
	_ = runAnyway(dir, "merge", "-q", "other")
	compareWithGit(t, dir, nil)
}

func TestIndexVersions(t *testing.T) {
	isolate(t)
	for _, how := range [][]string{
		{"update-index", "--index-version", "2"}, {"update-index", "--index-version", "4"}, {"add", "-N", "new"},
		{"update-index", "--split-index"}, {"update-index", "--skip-worktree", "a/b"},
	} {
		t.Run(strings.Join(how, " "), func(t *testing.T) {
			dir := t.TempDir()
			run(t, dir, "init", "-q")
			write(t, dir, map[string]string{"a/b": "", "a/bc": "", "abc": "", strings.Repeat("x", 200): "", "new": "", ".gitignore": "a/\n"})
			run(t, dir, "add", "-f", "a", "abc", strings.Repeat("x", 200))
			run(t, dir, how...)
			files, _ := gitAnswer(t, dir)
			for _, without := range []bool{false, true} {
				tree := list(t, Options{Path: dir, withoutGit: without})
				if how[1] == "--split-index" && without {
					if len(tree.Warnings) != 1 {
						t.Errorf("warnings: %q", tree.Warnings)
					}
					continue
				}
				if got, want := strings.Join(paths(tree), " "), strings.Join(files, " "); got != want {
					t.Errorf("got %s, want %s", got, want)
				}
			}
		})
	}
}

func TestPlainDirectoryInsideAnUnrelatedRepository(t *testing.T) {
	isolate(t)
	dir := t.TempDir()
	run(t, dir, "init", "-q")
	write(t, dir, map[string]string{".gitignore": "scratch/\n*.txt\n", "scratch/a.txt": "", "scratch/.gitignore": "b\n", "scratch/b": "", "scratch/in/c": ""})
	for _, sub := range []string{"scratch", "scratch/in"} {
		tree := list(t, Options{Path: filepath.Join(dir, sub)})
		want := map[string]string{"scratch": ".gitignore a.txt in/c", "scratch/in": "c"}[sub]
		if got := strings.Join(paths(tree), " "); got != want || tree.GitRoot != "" {
			t.Errorf("%s: got %q with git root %q, want %q", sub, got, tree.GitRoot, want)
		}
	}
}

func TestUncommonRepositories(t *testing.T) {
	isolate(t)
	t.Run("object ids of 32 bytes", func(t *testing.T) {
		dir := t.TempDir()
		run(t, dir, "init", "-q", "--object-format=sha256")
		write(t, dir, map[string]string{"a.o": "", "b": "", ".gitignore": "*.o\n", "c.o": ""})
		run(t, dir, "add", "-f", "a.o", "b")
		compareWithGit(t, dir, nil)
	})
	t.Run("a sparse checkout", func(t *testing.T) {
		dir := t.TempDir()
		run(t, dir, "init", "-q")
		write(t, dir, map[string]string{"a": "", "in/b": "", "out/c": ""})
		run(t, dir, "add", ".")
		run(t, dir, "commit", "-qm", "one")
		run(t, dir, "sparse-checkout", "set", "--cone", "in")
		for _, index := range []string{"--no-sparse-index", "--sparse-index"} {
			run(t, dir, "sparse-checkout", "reapply", index)
			tree := list(t, Options{Path: dir})
			if got := strings.Join(paths(tree), " "); got != "a in/b" || skips(tree)["out/c"] != SkipNotCheckedOut {
				t.Errorf("%s: got %s, skipped %v", index, got, tree.Skipped)
			}
		}
	})
	t.Run("a work tree that a setting moves", func(t *testing.T) {
		dir, elsewhere := t.TempDir(), t.TempDir()
		run(t, dir, "init", "-q")
		write(t, dir, map[string]string{"a": "", "b": ""})
		run(t, dir, "add", "a")
		write(t, elsewhere, map[string]string{"secret": ""})
		run(t, dir, "config", "core.worktree", elsewhere)
		tree := list(t, Options{Path: dir})
		if got := strings.Join(paths(tree), " "); got != "a b" || len(tree.Warnings) != 1 {
			t.Errorf("got %s, warnings %q", got, tree.Warnings)
		}
	})
	t.Run("a path that is a link, and a relative one", func(t *testing.T) {
		dir := t.TempDir()
		run(t, dir, "init", "-q")
		write(t, dir, map[string]string{"sub/a": "", ".gitignore": "b\n", "sub/b": ""})
		check(t, os.Symlink("sub", filepath.Join(dir, "link")))
		t.Chdir(dir)
		for _, path := range []string{"link", "sub", "./sub/"} {
			tree := list(t, Options{Path: path})
			if got := strings.Join(paths(tree), " "); got != "a" || filepath.Base(tree.Root) != "sub" {
				t.Errorf("%s: got %s in %s", path, got, tree.Root)
			}
		}
	})
}

// A run gives the same bytes however its walk was scheduled.
func TestListIsTheSameEachTime(t *testing.T) {
	isolate(t)
	dir := t.TempDir()
	write(t, dir, siblings(300))
	first := list(t, Options{Path: dir})
	for range 5 {
		again := list(t, Options{Path: dir})
		if !slices.Equal(first.Files, again.Files) || !slices.Equal(first.Skipped, again.Skipped) {
			t.Fatal("two lists differ")
		}
	}
}

func BenchmarkList(b *testing.B) {
	dir := b.TempDir()
	for i := range 5000 {
		sub := filepath.Join(dir, fmt.Sprintf("d%d", i/20))
		if err := os.MkdirAll(sub, 0o755); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(sub, fmt.Sprintf("f%d.go", i)), nil, 0o644); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		tree, err := List(b.Context(), Options{Path: dir})
		if err != nil || len(tree.Files) != 5000 {
			b.Fatal(err, len(tree.Files))
		}
		_ = tree.Close()
	}
}
