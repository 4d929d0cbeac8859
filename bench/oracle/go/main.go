// Command go prints where the go command says that the imports of a tree lead, as JSON Lines:
//
//	{"file":"cmd/main.go","module":"example.com/x/lib","resolved":["lib/a.go","lib/b.go"]}
//
// A package is all of its files but tests, whatever their build constraints. An import that leads out of the tree has
// "resolved":[], one that the go command does not know "failed":true. Every module of the tree is asked, in its workspace if
// it has one. It needs the go command, and modules that the tree depends on only where they lie in the tree.
//
//	go run ./bench/oracle/go ROOT
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go run ./bench/oracle/go ROOT")
		os.Exit(2)
	}
	if err := run(os.Stdout, os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "oracle:", err)
		os.Exit(1)
	}
}

func run(w io.Writer, root string) error {
	root, err := filepath.Abs(root)
	if err != nil {
		return err
	}
	if root, err = filepath.EvalSymlinks(root); err != nil {
		return err
	}
	modules, err := moduleFolders(root)
	if err != nil {
		return err
	}
	out := json.NewEncoder(w)
	done := map[string]bool{} // files
	for _, dir := range modules {
		packages, err := list(dir)
		if err != nil {
			return fmt.Errorf("list %s: %w", dir, err)
		}
		byPath := map[string]*listed{}
		for _, p := range packages {
			byPath[p.ImportPath] = p
		}
		for _, p := range packages {
			if !inside(p.Dir, dir) || !p.Match {
				continue
			}
			for _, name := range p.files() {
				file := filepath.Join(p.Dir, name)
				if done[file] {
					continue
				}
				done[file] = true
				if err := imports(out, root, file, p, byPath); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// moduleFolders gives the folders of a tree that have a go.mod, deepest first, so that each file is told by its own module.
func moduleFolders(root string) ([]string, error) {
	var out []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "vendor" || d.Name() == "testdata" || d.Name() == ".git") {
			return filepath.SkipDir
		}
		if d.Name() == "go.mod" {
			out = append(out, filepath.Dir(path))
		}
		return nil
	})
	slices.SortFunc(out, func(a, b string) int { return len(b) - len(a) })
	return out, err
}

// listed is a package as the go command tells of it.
type listed struct {
	Dir, ImportPath                                              string
	Match                                                        bool `json:"-"`
	DepOnly, Standard                                            bool
	ImportMap                                                    map[string]string
	GoFiles, CgoFiles, IgnoredGoFiles, TestGoFiles, XTestGoFiles []string
	Error                                                        *struct{ Err string }
}

func (p *listed) files() []string {
	return slices.Concat(p.GoFiles, p.CgoFiles, p.IgnoredGoFiles, p.TestGoFiles, p.XTestGoFiles)
}

func list(dir string) ([]*listed, error) {
	cmd := exec.Command("go", "list", "-e", "-deps", "-test",
		"-json=Dir,ImportPath,DepOnly,Standard,ImportMap,GoFiles,CgoFiles,IgnoredGoFiles,TestGoFiles,XTestGoFiles,Error", "./...")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOTOOLCHAIN=local", "GOPROXY=off", "GOFLAGS=")
	cmd.Stderr = os.Stderr
	text, err := cmd.Output()
	if err != nil && len(text) == 0 {
		return nil, err
	}
	var out []*listed
	in := json.NewDecoder(bytes.NewReader(text))
	for {
		p := &listed{}
		if err := in.Decode(p); errors.Is(err, io.EOF) {
			return out, nil
		} else if err != nil {
			return nil, err
		}
		// A variant for tests has the files of the package it stems from.
		if strings.Contains(p.ImportPath, " [") || strings.HasSuffix(p.ImportPath, ".test") {
			continue
		}
		p.Match = !p.DepOnly
		out = append(out, p)
	}
}

// record is a line of output.
type record struct {
	File     string   `json:"file"`
	Module   string   `json:"module"`
	Resolved []string `json:"resolved"`
	Failed   bool     `json:"failed,omitempty"`
}

func imports(out *json.Encoder, root, file string, p *listed, byPath map[string]*listed) error {
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
	if err != nil {
		return nil // nobody can say what a file that does not parse imports
	}
	for _, spec := range f.Imports {
		name, err := strconv.Unquote(spec.Path.Value)
		if err != nil || name == "C" || name == "unsafe" {
			continue
		}
		target := name
		if mapped := p.ImportMap[name]; mapped != "" {
			target = mapped
		}
		r := record{File: slashed(root, file), Module: name, Resolved: []string{}}
		switch t := byPath[target]; {
		case t == nil:
			r.Failed = true
		case inside(t.Dir, root):
			r.Resolved = packageFiles(root, t.Dir)
		}
		if err := out.Encode(r); err != nil {
			return err
		}
	}
	return nil
}

func packageFiles(root, dir string) []string {
	names, _ := filepath.Glob(filepath.Join(dir, "*.go"))
	out := []string{}
	for _, n := range names {
		if !strings.HasSuffix(n, "_test.go") {
			out = append(out, slashed(root, n))
		}
	}
	return out
}

func slashed(root, file string) string {
	rel, err := filepath.Rel(root, file)
	if err != nil {
		return file
	}
	return filepath.ToSlash(rel)
}

func inside(dir, root string) bool {
	return dir == root || strings.HasPrefix(dir, root+string(filepath.Separator))
}
