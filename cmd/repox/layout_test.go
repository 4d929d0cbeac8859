package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

const modulePath = "github.com/repox-dev/repox/"

// rule says that what lies in one room may not import what lies in another.
type rule struct {
	from, to string
	except   string // a room that may
	why      string
}

var rules = []rule{
	{from: "core/", to: modulePath + "plugins/", why: "the host knows plugins by their wire contract only"},
	{from: "core/", to: modulePath + "cmd/", why: "the program is made of core, not the other way round"},
	{from: "core/", to: "github.com/hashicorp/go-plugin", except: "core/pluginhost", why: "one package speaks to processes"},
	{from: "plugins/", to: modulePath + "core/", why: "built-in plugins get no more than those of strangers"},
	{from: "sdk/", to: modulePath + "core/", why: "authors import the sdk without the host"},
	{from: "sdk/", to: modulePath + "plugins/", why: "the sdk serves every plugin alike"},
	{from: "sdk/", to: "github.com/spf13/cobra", why: "the sdk stays light"},
	{from: "sdk/", to: "gopkg.in/yaml", why: "configuration reaches plugins as JSON"},
	{from: "sdk/", to: "github.com/mattn/go-sqlite3", why: "the sdk stays light"},
	{from: "examples/", to: modulePath + "core/", why: "examples show what an author needs"},
}

func TestImportsFollowTheArrows(t *testing.T) {
	root := filepath.Join("..", "..")
	seen := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || d.Name() == ".git" || d.Name() == "tools") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") {
			return nil
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		seen++
		return checkFile(t, root, filepath.ToSlash(rel))
	})
	if err != nil {
		t.Fatal(err)
	}
	if seen < 50 {
		t.Errorf("only %d files were looked at", seen)
	}
}

func checkFile(t *testing.T, root, rel string) error {
	f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, rel), nil, parser.ImportsOnly)
	if err != nil {
		return err
	}
	for _, spec := range f.Imports {
		imp, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return err
		}
		for _, r := range rules {
			if strings.HasPrefix(rel, r.from) && strings.HasPrefix(imp, r.to) && (r.except == "" || !strings.HasPrefix(rel, r.except)) {
				t.Errorf("%s imports %s: %s", rel, imp, r.why)
			}
		}
		// A plugin imports nothing of another plugin.
		if room, ok := plugin(rel); ok && strings.HasPrefix(imp, modulePath+"plugins/") && !strings.HasPrefix(imp, modulePath+room) {
			t.Errorf("%s imports %s: plugins meet in the model that flows between them", rel, imp)
		}
	}
	return nil
}

// plugin gives the folder of the plugin that a file belongs to.
func plugin(rel string) (string, bool) {
	parts := strings.SplitN(rel, "/", 3)
	if len(parts) < 3 || parts[0] != "plugins" {
		return "", false
	}
	return parts[0] + "/" + parts[1], true
}

func TestEveryPackageSaysWhatItIs(t *testing.T) {
	documented := map[string]bool{}
	err := filepath.WalkDir(filepath.Join("..", ".."), func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || d.Name() == ".git") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, src, parser.ParseComments|parser.PackageClauseOnly)
		if err != nil {
			return err
		}
		dir := filepath.Dir(path)
		documented[dir] = documented[dir] || f.Doc != nil
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for dir, ok := range documented {
		if !ok {
			t.Errorf("package in %s has no package comment", dir)
		}
	}
}
