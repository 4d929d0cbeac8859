package source

import (
	"bytes"
	"cmp"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

// isolate gives a test its own home, so that the configuration of whoever runs it does not matter. To hide git, use
// Options.withoutGit.
func isolate(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	home := t.TempDir()
	for _, pair := range os.Environ() {
		if name, _, _ := strings.Cut(pair, "="); strings.HasPrefix(name, "GIT_") {
			t.Setenv(name, "")
			os.Unsetenv(name)
		}
	}
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(home, "xdg"))
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	write(t, home, map[string]string{".gitconfig": "[user]\n\tname = t\n\temail = t@example.com\n[protocol \"file\"]\n\tallow = always\n"})
	return home
}

// run calls git in a directory as a user would, and gives its output.
func run(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("git %s in %s: %v\n%s", strings.Join(args, " "), dir, err, stderr.String())
	}
	return string(out)
}

// write makes files; a name that ends with a slash makes a directory.
func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, content := range files {
		full := filepath.Join(dir, name)
		if strings.HasSuffix(name, "/") {
			check(t, os.MkdirAll(full, 0o755))
			continue
		}
		check(t, os.MkdirAll(filepath.Dir(full), 0o755))
		check(t, os.WriteFile(full, []byte(content), 0o644))
	}
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func list(t *testing.T, o Options) *Tree {
	t.Helper()
	tree, err := List(context.Background(), o)
	if err != nil {
		t.Fatalf("List(%q): %v", o.Path, err)
	}
	t.Cleanup(func() { check(t, tree.Close()) })
	return tree
}

func paths(tree *Tree) []string {
	names := []string{}
	for _, f := range tree.Files {
		names = append(names, f.Path)
	}
	return names
}

func skips(tree *Tree) map[string]SkipReason {
	m := map[string]SkipReason{}
	for _, s := range tree.Skipped {
		m[s.Path] = s.Reason
	}
	return m
}

// gitAnswer is what git itself lists: the files to read, and the paths that are something else.
func gitAnswer(t *testing.T, dir string) (files []string, others map[string]SkipReason) {
	t.Helper()
	files, others = []string{}, map[string]SkipReason{}
	submodules := map[string]bool{}
	for line := range strings.SplitSeq(run(t, dir, "ls-files", "-s", "-z"), "\x00") {
		if info, name, ok := strings.Cut(line, "\t"); ok && strings.HasPrefix(info, "160000") {
			submodules[name] = true
		}
	}
	seen := map[string]bool{}
	for name := range strings.SplitSeq(run(t, dir, "ls-files", "-co", "--exclude-standard", "-z"), "\x00") {
		if name == "" || seen[name] {
			continue
		}
		seen[name] = true
		st, err := os.Lstat(filepath.Join(dir, name))
		switch {
		case err != nil:
			others[name] = SkipDeleted
		case submodules[name]:
			others[name] = SkipSubmodule
		case strings.HasSuffix(name, "/"):
			others[strings.TrimSuffix(name, "/")] = SkipNestedRepo
		case st.Mode()&os.ModeSymlink != 0:
			others[name] = SkipSymlink
		case st.IsDir():
			others[name] = SkipDeleted
		default:
			files = append(files, name)
		}
	}
	slices.SortFunc(files, cmp.Compare[string])
	return files, others
}

// compareWithGit lists a directory with git's help and without, and holds both against git's own answer. What git
// does not list at all, such as pipes, is in extra.
func compareWithGit(t *testing.T, dir string, extra map[string]SkipReason) {
	t.Helper()
	files, others := gitAnswer(t, dir)
	for name, reason := range extra {
		others[name] = reason
	}
	for _, without := range []bool{false, true} {
		tree := list(t, Options{Path: dir, withoutGit: without})
		if d := gocmp.Diff(files, paths(tree)); d != "" {
			t.Errorf("files of %s (without git: %v), -git +List:\n%s", dir, without, d)
		}
		if d := gocmp.Diff(others, skips(tree)); d != "" {
			t.Errorf("skipped of %s (without git: %v), -git +List:\n%s", dir, without, d)
		}
		if len(tree.Warnings) > 0 {
			t.Errorf("warnings of %s (without git: %v): %q", dir, without, tree.Warnings)
		}
	}
}

// runAnyway is run for a call that is meant to fail.
func runAnyway(dir string, args ...string) error {
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	return cmd.Run()
}
