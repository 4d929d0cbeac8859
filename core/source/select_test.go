package source

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestSelector(t *testing.T) {
	const all = "a.go a.py b/a.py b/c/d.go b/c/x.min.js [a]/e.go node_modules/m/i.js src/deep/n.go src/o.go"
	tests := []struct {
		name             string
		include, exclude string
		want             string
	}{
		{"nothing asked means everything", "", "", all},
		{"a pattern without a slash matches names at any depth", "*.py", "", "a.py b/a.py"},
		{"two stars cross directories, none included", "**/*.py", "", "a.py b/a.py"},
		{"one star does not", "src/*.go", "", "src/o.go"},
		{"a question mark is one byte", "?.go", "", "a.go b/c/d.go [a]/e.go src/deep/n.go src/o.go"},
		{"a directory takes in what is below", "src", "", "src/deep/n.go src/o.go"},
		{"a trailing slash says the same", "src/", "", "src/deep/n.go src/o.go"},
		{"exclude wins", "*.js", "node_modules", "b/c/x.min.js"},
		{"excluding a subtree", "", "b/**", "a.go a.py [a]/e.go node_modules/m/i.js src/deep/n.go src/o.go"},
		{"braces", "{a,src/o}.go", "", "a.go src/o.go"},
		{"an escaped bracket is a name", `\[a\]/**`, "", "[a]/e.go"},
		{"a leading dot slash", "./a.go", "", "a.go"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var include, exclude []string
			if tt.include != "" {
				include = []string{tt.include}
			}
			if tt.exclude != "" {
				exclude = []string{tt.exclude}
			}
			sel, err := newSelector(include, exclude)
			check(t, err)
			var got []string
			for p := range strings.FieldsSeq(all) {
				if sel.selects(p) {
					got = append(got, p)
				}
			}
			if g := strings.Join(got, " "); g != tt.want {
				t.Errorf("got %s, want %s", g, tt.want)
			}
		})
	}
}

func TestRefusedPatterns(t *testing.T) {
	for pattern, problem := range map[string]string{
		"": "empty", "{": "malformed", "{a,{b}": "malformed", "[a": "malformed", `a\`: "malformed", "/etc/**": "absolute",
		"{/etc/**,x}": "absolute", "{x,/etc/**}": "absolute", "{x,{y,/z}}": "absolute", `\/etc`: "absolute", `C:/x`: "absolute",
		"../x": "climbs", "a/../../x": "climbs", "{..,a}/x": "climbs", `\.\./x`: "climbs", "a\x00b": "NUL",
	} {
		_, err := List(context.Background(), Options{Path: ".", Include: []string{pattern}})
		var pe *PatternError
		if !errors.As(err, &pe) || pe.Pattern != pattern || !strings.Contains(err.Error(), problem) {
			t.Errorf("%q: got %v, want %s", pattern, err, problem)
		}
	}
	for _, pattern := range []string{"src{/a,/b}", "a..b", "...", "{a,b}/*.go", "x,/y"} {
		if _, err := newSelector([]string{pattern}, nil); err != nil {
			t.Errorf("%q: %v", pattern, err)
		}
	}
}

func TestPathErrors(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"file": "x"})
	check(t, os.Symlink("self", filepath.Join(dir, "self")))
	for name, want := range map[string]string{"none": "no such directory: ", "file": "not a directory: ", "file/x": "not a directory: ", "self": "cannot use directory"} {
		path := filepath.Join(dir, name)
		_, err := List(context.Background(), Options{Path: path})
		var pe *PathError
		if !errors.As(err, &pe) || !strings.HasPrefix(err.Error(), want) || !strings.HasSuffix(err.Error(), path) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestCancelledList(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := List(ctx, Options{Path: t.TempDir()}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestPlainDirectory(t *testing.T) {
	home := isolate(t)
	write(t, home, map[string]string{"xdg/git/ignore": "*.swp\n"})
	dir := t.TempDir()
	write(t, dir, map[string]string{
		".gitignore": "*.o\n!keep.o\nout/\n", "a.c": "", "a.o": "", "keep.o": "", "out/x": "", "x.swp": "", "in/.gitignore": "b\n", "in/b": "", "in/c": "",
		"repo/f": "", "repo/.git/HEAD": "ref: refs/heads/main\n", "repo/.git/refs/": "", "repo/.git/objects/": "",
	})
	tree := list(t, Options{Path: dir})
	if got := strings.Join(paths(tree), " "); got != ".gitignore a.c in/.gitignore in/c keep.o repo/f" {
		t.Errorf("got %s", got)
	}
	if tree.GitRoot != "" || len(tree.Skipped) != 0 || len(tree.Warnings) != 0 {
		t.Errorf("git root %q, skipped %v, warnings %q", tree.GitRoot, tree.Skipped, tree.Warnings)
	}
	if f := tree.Files[0]; f.Size == 0 || f.ModTime.IsZero() || f.Inode == 0 || f.Ctime == 0 {
		t.Errorf("file has no identity: %+v", f)
	}
}
