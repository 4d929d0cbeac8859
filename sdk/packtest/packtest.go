// Package packtest tests language packs from `go test`. Run checks a pack's fixtures; Cases checks sources against
// answers in JSON; Extract gives the tags of one source for tests of a pack's own.
package packtest

import (
	"context"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/repox-dev/repox/sdk"
	"github.com/repox-dev/repox/sdk/tag"
)

var update = flag.Bool("update", false, "rewrite the expected tags of fixtures")

// Suffixes of the files in a fixtures folder: sources carry one of their own, so that no tool of their language takes
// them for code of the project.
const (
	sourceSuffix = ".fixture"
	goldenSuffix = ".tags"
)

// Extract gives the tags of one source, copied, so that they outlive the extractor.
func Extract(p *sdk.Pack, name string, content []byte) (*tag.File, error) {
	cfg, err := sdk.NewConfig(p.Options, nil)
	if err != nil {
		return nil, err
	}
	e, err := p.NewExtractor(cfg)
	if err != nil {
		return nil, err
	}
	defer e.Close()
	f, err := e.Extract(context.Background(), sdk.Source{Path: name, Language: language(p, name), Content: content})
	if err != nil {
		return nil, err
	}
	var enc tag.Encoder
	tags, imports, err := enc.Encode(f)
	if err != nil {
		return nil, err
	}
	return tag.Decode(tags, imports)
}

func language(p *sdk.Pack, name string) string {
	for _, l := range p.Languages {
		for _, ext := range l.Extensions {
			if strings.HasSuffix(strings.ToLower(name), ext) {
				return l.Name
			}
		}
	}
	return p.Languages[0].Name
}

// Run checks every fixture of a pack: NAME.fixture is a source file called NAME, and NAME.tags lists the tags expected
// of it, one a line. With -update, the listings in folder (the fixtures on disk) are rewritten.
func Run(t *testing.T, p *sdk.Pack, folder string) {
	t.Helper()
	if err := sdk.Validate(p); err != nil {
		t.Fatal(err)
	}
	sources := 0
	err := fs.WalkDir(p.Fixtures, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, sourceSuffix) {
			return err
		}
		sources++
		t.Run(strings.TrimSuffix(name, sourceSuffix), func(t *testing.T) { fixture(t, p, name, folder) })
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if sources == 0 {
		t.Error("the pack has no fixtures")
	}
}

func fixture(t *testing.T, p *sdk.Pack, name, folder string) {
	src, err := fs.ReadFile(p.Fixtures, name)
	if err != nil {
		t.Fatal(err)
	}
	base := strings.TrimSuffix(name, sourceSuffix)
	f, err := Extract(p, path.Base(base), src)
	if err != nil {
		t.Fatal(err)
	}
	got := List(f)
	if *update {
		if err := os.WriteFile(filepath.Join(folder, base+goldenSuffix), []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := fs.ReadFile(p.Fixtures, base+goldenSuffix)
	if err != nil {
		t.Fatalf("%v; run the test with -update to write it", err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("tags of %s differ (-want +got):\n%s", name, diff)
	}
}

// List writes the tags of a file for people to read and compare, one a line, with one-based lines.
func List(f *tag.File) string {
	var b strings.Builder
	if f.Package != "" {
		fmt.Fprintf(&b, "package %s\n", f.Package)
	}
	for _, i := range f.Imports {
		fmt.Fprintf(&b, "import %d %s %q\n", i.Row+1, i.Module, i.Names)
	}
	for _, d := range f.Definitions {
		name := d.Name
		if d.Scope != "" {
			name = d.Scope + "." + name
		}
		fmt.Fprintf(&b, "definition %d-%d %s %s | %s", d.StartRow+1, d.EndRow+1, d.Kind, name, d.Signature)
		if d.Doc != "" {
			fmt.Fprintf(&b, " | %s", d.Doc)
		}
		b.WriteByte('\n')
	}
	for _, r := range f.References {
		name := r.Name
		if r.Qualifier != "" {
			name = r.Qualifier + " . " + name
		}
		fmt.Fprintf(&b, "reference %d %s %s\n", r.Row+1, r.Role, name)
	}
	for _, e := range f.Errors {
		fmt.Fprintf(&b, "error %d-%d\n", e.StartRow+1, e.EndRow+1)
	}
	return b.String()
}
