// Package packtest tests language packs from `go test`. Run checks a pack as `repox verify` does; Cases checks sources
// against answers in JSON; Published runs the tests of tags that a grammar's project publishes; Extract gives the tags of one
// source for tests of a pack's own.
package packtest

import (
	"context"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/repox-dev/repox/sdk"
	"github.com/repox-dev/repox/sdk/fixture"
	pluginv1 "github.com/repox-dev/repox/sdk/proto"
	"github.com/repox-dev/repox/sdk/tag"
)

var update = flag.Bool("update", false, "rewrite the expected tags of fixtures")

// Extract gives the tags of one source, copied, so that they outlive the extractor.
func Extract(p *sdk.Pack, name string, content []byte) (*tag.File, error) {
	l, err := open(p, nil)
	if err != nil {
		return nil, err
	}
	defer l.extractor.Close()
	tags, imports, err := l.one(context.Background(), sdk.Source{Path: name, Language: language(p, name), Content: content})
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

// Run verifies a pack with its fixtures, the kinds it declares and the conformance set; see package fixture. Folder is where
// the fixtures lie on disk; with -update their listings are rewritten there.
func Run(t *testing.T, p *sdk.Pack, folder string) {
	t.Helper()
	if err := sdk.Validate(p); err != nil {
		t.Fatal(err)
	}
	files, err := fixtures(p)
	if err != nil {
		t.Fatal(err)
	}
	l, err := open(p, fixture.Limits())
	if err != nil {
		t.Fatal(err)
	}
	defer l.extractor.Close()
	r, err := fixture.Verify(context.Background(), l, sdk.Describe(p).Pack, files, fixture.Options{FixturesOnly: testing.Short()})
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		for name, listing := range r.Listings {
			if err := os.WriteFile(filepath.Join(folder, filepath.FromSlash(name)+fixture.ListingSuffix), []byte(listing), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		t.Log("listings written; run the test again to check them")
		return
	}
	for _, f := range r.Failures {
		t.Errorf("%s: %s\n%s", f.Place, f.Message, strings.Join(f.Diff, "\n"))
	}
}

func fixtures(p *sdk.Pack) ([]fixture.File, error) {
	if p.Fixtures == nil {
		return nil, nil
	}
	var out []fixture.File
	err := fs.WalkDir(p.Fixtures, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := fs.ReadFile(p.Fixtures, name)
		out = append(out, fixture.File{Path: name, Content: b})
		return err
	})
	return out, err
}

// local is a pack in this process. It implements fixture.Pack.
type local struct {
	extractor sdk.Extractor
	encoder   tag.Encoder
}

func open(p *sdk.Pack, limits *pluginv1.Limits) (*local, error) {
	cfg, err := sdk.NewConfig(p.Options, nil)
	if err != nil {
		return nil, err
	}
	e, err := p.NewExtractor(cfg.WithLimits(limits))
	if err != nil {
		return nil, err
	}
	return &local{extractor: e}, nil
}

// one gives the encoded tags of a source.
func (l *local) one(ctx context.Context, src sdk.Source) (tags, imports []byte, err error) {
	f, err := sdk.ExtractText(ctx, l.extractor, src)
	if err != nil {
		return nil, nil, err
	}
	return l.encoder.Encode(f)
}

// Extract implements fixture.Pack.
func (l *local) Extract(ctx context.Context, files []*pluginv1.SourceFile, emit func(*pluginv1.FileResult)) error {
	for _, f := range files {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		r := &pluginv1.FileResult{File: f.File}
		var err error
		r.Tags, r.Imports, err = l.one(ctx, sdk.Source{Path: string(f.Path), Language: f.Language, Content: f.Content})
		if err != nil {
			r.Skip = sdk.SkipOf(err)
		}
		emit(r)
	}
	return nil
}
