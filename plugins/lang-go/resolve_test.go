package langgo

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/repox-dev/repox/sdk"
	"github.com/repox-dev/repox/sdk/packtest"
	"github.com/repox-dev/repox/sdk/tag"
	"github.com/repox-dev/repox/sdk/treepath"
)

func TestImportsLeadToPackages(t *testing.T) {
	repo, numbers := packtest.Repository(New(), map[string]string{
		"go.mod":                         "module example.com/app\n\ngo 1.26\n\nreplace example.com/lib => ./third/lib\n",
		"main.go":                        "",
		"store/store.go":                 "",
		"store/store_test.go":            "",
		"third/lib/go.mod":               "module example.com/lib\n",
		"third/lib/lib.go":               "",
		"third/lib/deep/deep.go":         "",
		"vendor/modules.txt":             "# github.com/x/y v1.0.0\n",
		"vendor/github.com/x/y/y.go":     "",
		"nested/go.mod":                  "module example.com/app/nested\n",
		"nested/nested.go":               "",
		"nested/inner/inner.go":          "",
		"broken/go.mod":                  "modul what",
		"broken/broken.go":               "",
		"work/go.work":                   "go 1.26\n\nuse (\n\t./a\n\t./b\n)\n\nreplace example.com/r => ./r\n",
		"work/a/go.mod":                  "module example.com/a\n",
		"work/a/a.go":                    "",
		"work/b/go.mod":                  "module example.com/b\n",
		"work/b/sub/sub.go":              "",
		"work/r/go.mod":                  "module example.com/r\n",
		"work/r/r.go":                    "",
		"work/outsider/go.mod":           "module example.com/outsider\n",
		"work/outsider/outsider.go":      "",
		"third/lib/internal/x/x_test.go": "",
	})
	resolve, err := resolve(context.Background(), repo)
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct{ name, from, imp, want string }{
		{"a package of the module", "main.go", "example.com/app/store", "store/store.go"},
		{"tests cannot be imported", "main.go", "example.com/lib/internal/x", ""},
		{"the module's own root", "store/store.go", "example.com/app", "main.go"},
		{"a replacement", "main.go", "example.com/lib", "third/lib/lib.go"},
		{"below a replacement", "main.go", "example.com/lib/deep", "third/lib/deep/deep.go"},
		{"the vendor folder", "store/store.go", "github.com/x/y", "vendor/github.com/x/y/y.go"},
		{"another module that no go.work joins", "main.go", "example.com/app/nested", ""},
		{"inside of a nested module", "nested/nested.go", "example.com/app/nested/inner", "nested/inner/inner.go"},
		{"a nested module has no vendor folder of the outer one", "nested/nested.go", "github.com/x/y", ""},
		{"a member of the workspace", "work/a/a.go", "example.com/b/sub", "work/b/sub/sub.go"},
		{"a replacement of the workspace", "work/a/a.go", "example.com/r", "work/r/r.go"},
		{"no member of the workspace", "work/outsider/outsider.go", "example.com/b/sub", ""},
		{"a relative path", "main.go", "./store", "store/store.go"},
		{"the standard library", "main.go", "fmt", ""},
		{"a prefix that is no path element", "main.go", "example.com/application", ""},
		{"cgo", "main.go", "C", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := resolve(numbers[tt.from], tag.Import{Module: tt.imp})
			var want []uint32
			if tt.want != "" {
				want = []uint32{numbers[tt.want]}
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s in %s leads to %v, want %v (%s)", tt.imp, tt.from, got, want, tt.want)
			}
		})
	}
}

// TestResolveAgreesWithTheGoCommand holds the resolver against `go list` on Go's own tree.
func TestResolveAgreesWithTheGoCommand(t *testing.T) {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	root := filepath.Join(strings.TrimSpace(string(out)), "src")
	repo, numbers := readTree(t, root)
	resolve, err := resolve(context.Background(), repo)
	if err != nil {
		t.Fatal(err)
	}
	dirs := map[uint32]string{}
	for p, n := range numbers {
		dirs[n] = filepath.Join(root, filepath.FromSlash(treepath.Dir(p)))
	}
	checked, wrong := 0, 0
	for _, p := range listPackages(t, root) {
		from, ok := numbers[relative(root, p.Dir, p.GoFiles)]
		if !ok {
			continue
		}
		for _, imp := range p.Imports {
			if imp == "C" || imp == "unsafe" {
				continue
			}
			checked++
			target := imp
			if mapped := p.ImportMap[imp]; mapped != "" {
				target = mapped
			}
			files := resolve(from, tag.Import{Module: imp})
			if len(files) == 0 || relativeDir(root, dirs[files[0]]) != target {
				wrong++
				t.Errorf("%s imports %s: got %v, want the folder of %s", p.ImportPath, imp, files, target)
			}
		}
	}
	if checked < 1000 {
		t.Errorf("only %d imports were checked", checked)
	}
}

type listed struct {
	Dir, ImportPath string
	GoFiles         []string
	Imports         []string
	ImportMap       map[string]string
}

func listPackages(t *testing.T, root string) []listed {
	t.Helper()
	cmd := exec.Command("go", "list", "-e", "-json=Dir,ImportPath,GoFiles,Imports,ImportMap", "std")
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var all []listed
	dec := json.NewDecoder(strings.NewReader(string(out)))
	for {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
}

func readTree(t *testing.T, root string) (*sdk.Repository, map[string]uint32) {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		switch {
		case strings.HasSuffix(rel, ".go"):
			files[rel] = ""
		case d.Name() == "go.mod" || strings.HasSuffix(rel, "vendor/modules.txt"):
			b, err := os.ReadFile(path)
			files[rel] = string(b)
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return packtest.Repository(New(), files)
}

func relative(root, dir string, files []string) string {
	if len(files) == 0 {
		return ""
	}
	rel, err := filepath.Rel(root, filepath.Join(dir, files[0]))
	if err != nil {
		return ""
	}
	return filepath.ToSlash(rel)
}

func relativeDir(root, dir string) string {
	rel, err := filepath.Rel(root, dir)
	if err != nil {
		return ""
	}
	return filepath.ToSlash(rel)
}
