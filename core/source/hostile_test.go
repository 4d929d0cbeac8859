//go:build unix

package source

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// plantPrograms makes a repository whose every setting that can run a program would leave a mark.
func plantPrograms(t *testing.T) (dir, marker string) {
	t.Helper()
	dir, marker = t.TempDir(), filepath.Join(t.TempDir(), "ran")
	prog := filepath.Join(dir, "prog.sh")
	run(t, dir, "init", "-q")
	write(t, dir, map[string]string{
		"a.txt": "text\n", ".gitattributes": "*.txt filter=evil diff=evil merge=evil\n", "big.txt": strings.Repeat("x", 100),
		"git": "#!/bin/sh\ntouch '" + marker + "'\n",
	})
	run(t, dir, "add", ".")
	run(t, dir, "commit", "-qm", "one")
	write(t, dir, map[string]string{"prog.sh": "#!/bin/sh\ntouch '" + marker + "'\ncat\n"})
	check(t, os.Chmod(prog, 0o755))
	check(t, os.Chmod(filepath.Join(dir, "git"), 0o755))
	settings := "[core]\n\tfsmonitor = @P\n\thooksPath = hooks\n\tpager = @P\n\teditor = @P\n\tsshCommand = @P\n\taskPass = @P\n\tgitProxy = @P\n\talternateRefsCommand = @P\n" +
		"[diff]\n\texternal = @P\n[diff \"evil\"]\n\tcommand = @P\n\ttextconv = @P\n[filter \"evil\"]\n\tclean = @P\n\tsmudge = @P\n\tprocess = @P\n\trequired = true\n" +
		"[merge \"evil\"]\n\tdriver = @P\n[gpg]\n\tprogram = @P\n[log]\n\tshowSignature = true\n[credential]\n\thelper = @P\n[pager]\n\tls-files = @P\n\tls-tree = @P\n\tconfig = @P\n" +
		"[alias]\n\tls-files = !@P\n\tls-tree = !@P\n\trev-parse = !@P\n\tcat-file = !@P\n\tconfig = !@P\n[uploadpack]\n\tpackObjectsHook = @P\n[sequence]\n\teditor = @P\n" +
		"[protocol]\n\tallow = always\n[protocol \"ext\"]\n\tallow = always\n[interactive]\n\tdiffFilter = @P\n" +
		"[extensions]\n\tpartialClone = origin\n[remote \"origin\"]\n\tpromisor = true\n\tpartialclonefilter = blob:none\n\turl = \"ext::sh -c @P\"\n\tuploadpack = @P\n"
	// The included file comes after everything else that the repository says.
	write(t, dir, map[string]string{".git/evil": strings.ReplaceAll(settings, "@P", prog)})
	cfg, err := os.OpenFile(filepath.Join(dir, ".git/config"), os.O_APPEND|os.O_WRONLY, 0)
	check(t, err)
	_, err = cfg.WriteString("[core]\n\trepositoryformatversion = 1\n[include]\n\tpath = evil\n" + strings.ReplaceAll(settings, "@P", prog))
	check(t, err)
	check(t, cfg.Close())
	for _, hook := range []string{"post-index-change", "fsmonitor-watchman", "pre-auto-gc", "reference-transaction", "post-checkout"} {
		for _, where := range []string{"hooks", ".git/hooks"} {
			write(t, dir, map[string]string{where + "/" + hook: "#!/bin/sh\ntouch '" + marker + "'\n"})
			check(t, os.Chmod(filepath.Join(dir, where, hook), 0o755))
		}
	}
	return dir, marker
}

func TestNothingTheRepositoryConfiguresRuns(t *testing.T) {
	isolate(t)
	dir, marker := plantPrograms(t)
	path := os.Getenv("PATH")
	t.Chdir(dir)
	// The tree's own git, by a relative entry, an empty one and an absolute one.
	t.Setenv("PATH", strings.Join([]string{".", "", dir, os.Getenv("PATH")}, string(os.PathListSeparator)))
	t.Setenv("GIT_EXTERNAL_DIFF", filepath.Join(dir, "prog.sh"))
	t.Setenv("GIT_SSH_COMMAND", filepath.Join(dir, "prog.sh"))
	t.Setenv("GIT_DIR", "/nonexistent")
	t.Setenv("GIT_INDEX_FILE", "/nonexistent")
	readAll := func(tree *Tree) {
		for i := range tree.Files {
			if _, err := tree.Read(&tree.Files[i]); err != nil {
				t.Logf("read: %v", err)
			}
			tree.Attributes(&tree.Files[i])
		}
		if p, err := tree.Past(t.Context()); err != nil || len(p.Commits) == 0 {
			t.Logf("past: %v, %v", p, err)
		}
	}
	ranBy := func(step string) {
		t.Helper()
		if _, err := os.Stat(marker); err == nil {
			t.Fatalf("%s ran a program of the repository", step)
		}
	}
	tree := list(t, Options{Path: dir})
	readAll(tree)
	ranBy("the work tree")
	if p, err := tree.Past(t.Context()); err != nil || len(p.Commits) != 1 {
		t.Errorf("past: %v, %v", p, err)
	}
	if len(tree.Warnings) > 0 || !strings.Contains(strings.Join(paths(tree), " "), "a.txt") {
		t.Errorf("files %v, warnings %q", paths(tree), tree.Warnings)
	}
	commit := list(t, Options{Path: dir, Rev: "HEAD"})
	readAll(commit)
	ranBy("the commit")
	if len(commit.Files) != 4 {
		t.Errorf("commit files: %v", paths(commit))
	}

	// A missing object makes git fetch, from wherever the repository says.
	object := strings.TrimSpace(func() string {
		for _, f := range commit.Files {
			if f.Path == "a.txt" {
				return f.ObjectID
			}
		}
		return ""
	}())
	check(t, os.Remove(filepath.Join(dir, ".git/objects", object[:2], object[2:])))
	if partial, err := List(t.Context(), Options{Path: dir, Rev: "HEAD"}); err == nil {
		readAll(partial)
		check(t, partial.Close())
	}
	ranBy("a missing object")

	// The trap itself works: git as it is called every day falls into it.
	os.Unsetenv("GIT_DIR")
	os.Unsetenv("GIT_INDEX_FILE")
	t.Setenv("PATH", path)
	_ = runAnyway(dir, "status")
	if _, err := os.Stat(marker); err != nil {
		t.Error("an unprotected call did not run anything either")
	}
}

// An included pipe stops git for good; the listing goes on without it.
func TestConfigurationThatNeverEnds(t *testing.T) {
	isolate(t)
	dir := t.TempDir()
	run(t, dir, "init", "-q")
	write(t, dir, map[string]string{"a": "", "b.o": "", ".gitignore": "*.o\n"})
	run(t, dir, "add", "-f", "b.o")
	run(t, dir, "config", "include.path", "pipe")
	check(t, syscall.Mkfifo(filepath.Join(dir, ".git/pipe"), 0o644))
	tree := list(t, Options{Path: dir, gitPatience: 300 * time.Millisecond})
	if got := strings.Join(paths(tree), " "); got != ".gitignore a b.o" {
		t.Errorf("got %s", got)
	}
	if len(tree.Warnings) != 1 || !strings.Contains(tree.Warnings[0], "did not answer within 300ms") {
		t.Errorf("warnings: %q", tree.Warnings)
	}
	if _, err := List(t.Context(), Options{Path: dir, Rev: "HEAD", gitPatience: 300 * time.Millisecond}); err == nil {
		t.Error("a commit was read all the same")
	}
}

func TestRepositoryOfSomebodyElse(t *testing.T) {
	isolate(t)
	if os.Getuid() != 0 {
		t.Skip("giving a directory away takes root")
	}
	dir := t.TempDir()
	run(t, dir, "init", "-q")
	write(t, dir, map[string]string{".gitignore": "*.o\n", "a.c": "", "a.o": "", "b.o": ""})
	run(t, dir, "add", "-f", "a.c", "b.o")
	check(t, os.Chown(dir, 12345, 12345))
	check(t, os.Chown(filepath.Join(dir, ".git"), 12345, 12345))
	tree := list(t, Options{Path: dir})
	if got := strings.Join(paths(tree), " "); got != ".gitignore a.c b.o" {
		t.Errorf("got %s", got)
	}
	if len(tree.Warnings) != 1 || !strings.Contains(tree.Warnings[0], "dubious ownership") {
		t.Errorf("warnings: %q", tree.Warnings)
	}
}

// TestUnreadable starts itself again as another user where this one may read everything.
func TestUnreadable(t *testing.T) {
	if os.Getuid() == 0 {
		// git opens the null device before anything else, so another user can only run it where that one may.
		if info, err := os.Stat(os.DevNull); err != nil || info.Mode().Perm()&0o006 != 0o006 {
			t.Skipf("another user cannot run git here: %s is not theirs to read and write", os.DevNull)
		}
		again := filepath.Join(sharedTemp(t), "again")
		exe, err := os.Executable()
		check(t, err)
		data, err := os.ReadFile(exe)
		check(t, err)
		check(t, os.WriteFile(again, data, 0o755))
		cmd := exec.Command(again, "-test.run=^TestUnreadable$", "-test.v")
		cmd.Dir = filepath.Dir(again)
		cmd.Env = append(os.Environ(), "TMPDIR="+filepath.Dir(again), "HOME="+filepath.Dir(again))
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("as another user: %v\n%s", err, out)
		}
		return
	}
	isolate(t)
	dir := t.TempDir()
	run(t, dir, "init", "-q")
	write(t, dir, map[string]string{"ok": "", "no": "", "shut/x": "", "shut/tracked": "", "half/y": ""})
	run(t, dir, "add", "shut/tracked")
	check(t, os.Chmod(filepath.Join(dir, "no"), 0))
	check(t, os.Chmod(filepath.Join(dir, "shut"), 0))
	t.Cleanup(func() { _ = os.Chmod(filepath.Join(dir, "shut"), 0o755) })
	tree := list(t, Options{Path: dir})
	want := map[string]SkipReason{"no": SkipUnreadable, "shut": SkipUnreadable, "shut/tracked": SkipUnreadable}
	if got := skips(tree); !maps.Equal(got, want) {
		t.Errorf("skipped: %v", got)
	}
	if got := strings.Join(paths(tree), " "); got != "half/y ok" {
		t.Errorf("files: %s", got)
	}
	if _, err := tree.Read(&File{Path: "no"}); err == nil {
		t.Error("an unreadable file was read")
	}
	_, err := List(t.Context(), Options{Path: filepath.Join(dir, "shut", "in")})
	if _, ok := err.(*PathError); !ok {
		t.Errorf("a directory out of reach: got %v", err)
	}
}

// sharedTemp is a temporary directory that other users may use.
func sharedTemp(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	check(t, os.Chmod(dir, 0o777))
	check(t, os.Chmod(filepath.Dir(dir), 0o755))
	return dir
}

func TestReadOfFilesThatChanged(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"grown": "x", "gone": "x", "link": "x", "pipe": "x", "same": "x", "d/f": "x", "big": strings.Repeat("x", 11)})
	tree := list(t, Options{Path: dir, MaxFileBytes: 10})
	if got := skips(tree); len(got) != 1 || got["big"] != SkipTooLarge {
		t.Errorf("skipped: %v", got)
	}
	check(t, os.Remove(filepath.Join(dir, "gone")))
	for _, name := range []string{"link", "pipe", "d/f", "d"} {
		check(t, os.Remove(filepath.Join(dir, name)))
	}
	write(t, dir, map[string]string{"grown": strings.Repeat("x", 11)})
	check(t, os.Symlink("same", filepath.Join(dir, "link")))
	check(t, os.Symlink("/etc", filepath.Join(dir, "d")))
	check(t, syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o644))
	want := map[string]SkipReason{"grown": SkipTooLarge, "gone": SkipDeleted, "link": SkipSymlink, "pipe": SkipSpecial, "d/f": SkipSymlink}
	for i := range tree.Files {
		f := &tree.Files[i]
		data, err := tree.Read(f)
		reason, bad := want[f.Path]
		if !bad {
			if err != nil || string(data) != "x" {
				t.Errorf("%s: got %q, %v", f.Path, data, err)
			}
			continue
		}
		if skip, ok := err.(*SkipError); !ok || skip.Reason != reason {
			t.Errorf("%s: got %v, want %s", f.Path, err, reason)
		}
	}
}

// TestAPastDoesNotWaitForPipes that git would read beside the commits.
func TestAPastDoesNotWaitForPipes(t *testing.T) {
	dir := someHistory(t)
	pipe := dir + "/.mailmap"
	check(t, syscall.Mkfifo(pipe, 0o644))
	run(t, dir, "config", "diff.orderFile", pipe)
	run(t, dir, "config", "mailmap.file", pipe)
	if p := past(t, list(t, Options{Path: dir})); len(p.Commits) != 5 {
		t.Errorf("%d commits", len(p.Commits))
	}
}
