package source

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestSpan(t *testing.T) {
	dir := t.TempDir()
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []string{"a/x/1.go", "a/y/2.go", "a/xy.go", "b.go"} {
		name := filepath.Join(dir, f)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(dir, "a", "x"), filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		paths []string
		root  string
		below []string
		files []string
	}{
		{[]string{"a"}, "a", nil, []string{"x/1.go", "xy.go", "y/2.go"}},
		{[]string{"a/x", "a/y"}, "a", []string{"x", "y"}, []string{"x/1.go", "y/2.go"}},
		{[]string{"a/x", "b.go"}, "", []string{"a/x", "b.go"}, []string{"a/x/1.go", "b.go"}},
		{[]string{"a/x", "a"}, "a", nil, []string{"x/1.go", "xy.go", "y/2.go"}},
		{[]string{"a/x/1.go"}, "a/x", []string{"1.go"}, []string{"1.go"}},
		{[]string{"link", "a/y/2.go"}, "a", []string{"x", "y/2.go"}, []string{"x/1.go", "y/2.go"}},
	}
	for _, tt := range tests {
		t.Run(strings.Join(tt.paths, " "), func(t *testing.T) {
			var paths []string
			for _, p := range tt.paths {
				paths = append(paths, filepath.Join(dir, p))
			}
			root, below, err := Span(paths)
			if err != nil {
				t.Fatal(err)
			}
			if root != filepath.Join(dir, tt.root) || !slices.Equal(below, tt.below) {
				t.Fatalf("got %s %q, want %s %q", root, below, tt.root, tt.below)
			}
			tree, err := List(context.Background(), Options{Path: root, Within: below})
			if err != nil {
				t.Fatal(err)
			}
			defer tree.Close()
			var files []string
			for _, f := range tree.Files {
				files = append(files, f.Path)
			}
			if !slices.Equal(files, tt.files) || tree.Partial != (below != nil) {
				t.Errorf("listed %q, partial %v, want %q", files, tree.Partial, tt.files)
			}
		})
	}
	if _, _, err := Span([]string{filepath.Join(dir, "missing")}); err == nil || !strings.Contains(err.Error(), "no such file or directory") {
		t.Errorf("error %v", err)
	}
}
