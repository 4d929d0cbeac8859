package tags

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"google.golang.org/grpc"

	"github.com/repox-dev/repox/core/cache"
	"github.com/repox-dev/repox/core/inventory"
	"github.com/repox-dev/repox/core/source"
	pluginv1 "github.com/repox-dev/repox/sdk/proto"
	"github.com/repox-dev/repox/sdk/tag"
)

// fakePack answers with one definition for each file, named like its text, and one import of "all".
type fakePack struct {
	mu        sync.Mutex
	starts    int
	extracted []string
	inline    []string
	skip      map[string]string // code by path
	extract   error
	resolve   error
	requests  []*pluginv1.ResolveRequest
	streams   int
	hangs     bool
	breaks    int // how many answers of Resolve fail before one does not
}

func (f *fakePack) pack(identity string) Pack {
	return Pack{
		Name: "lang-fake", Identity: []byte(identity), Languages: []string{"fake"}, Manifests: []string{"manifest.txt"},
		Start: func(context.Context) (Running, error) { f.starts++; return f, nil },
	}
}

func (f *fakePack) Extract(_ context.Context, files []*pluginv1.SourceFile, emit func(*pluginv1.FileResult)) error {
	for _, s := range files {
		f.extracted = append(f.extracted, string(s.Path))
		text := s.Content
		if len(s.Local) > 0 {
			text, _ = os.ReadFile(string(s.Local))
		} else {
			f.inline = append(f.inline, string(s.Path))
		}
		r := &pluginv1.FileResult{File: s.File}
		if code := f.skip[string(s.Path)]; code != "" {
			r.Skip = &pluginv1.Skip{Code: code, Message: "as asked"}
		} else {
			var enc tag.Encoder
			file := &tag.File{
				Definitions: []tag.Definition{{Name: strings.TrimSpace(string(text)), Kind: tag.Type}},
				Imports:     []tag.Import{{Module: "all"}},
			}
			r.Tags, r.Imports, _ = enc.Encode(file)
		}
		emit(r)
	}
	return f.extract
}

func (f *fakePack) Client(context.Context) (pluginv1.PackClient, string, error) {
	return fakeClient{f}, "1", nil
}

type fakeClient struct{ *fakePack }

func (c fakeClient) Extract(context.Context, ...grpc.CallOption) (pluginv1.Pack_ExtractClient, error) {
	return nil, errors.New("not asked for")
}

func (c fakeClient) Fixtures(context.Context, *pluginv1.FixturesRequest, ...grpc.CallOption) (pluginv1.Pack_FixturesClient, error) {
	return nil, errors.New("not asked for")
}

func (c fakeClient) Resolve(ctx context.Context, _ ...grpc.CallOption) (pluginv1.Pack_ResolveClient, error) {
	c.streams++
	return &fakeStream{fakePack: c.fakePack, ctx: ctx, asked: make(chan *pluginv1.ResolveRequest, 1000)}, nil
}

// fakeStream answers that every import leads to every file.
type fakeStream struct {
	grpc.ClientStream
	*fakePack
	ctx   context.Context
	asked chan *pluginv1.ResolveRequest
	all   []uint32
	named bool
}

func (s *fakeStream) Send(r *pluginv1.ResolveRequest) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, r)
	s.asked <- r
	return nil
}

func (s *fakeStream) CloseSend() error { close(s.asked); return nil }

func (s *fakeStream) Recv() (*pluginv1.ResolveResponse, error) {
	for r := range s.asked {
		for _, f := range r.Files {
			s.all = append(s.all, f.File)
		}
		if len(r.Imports) == 0 {
			continue
		}
		if s.resolve != nil {
			return nil, s.resolve
		}
		if s.hangs {
			<-s.ctx.Done()
			return nil, s.ctx.Err()
		}
		if s.breaks > 0 {
			s.breaks--
			return nil, errors.New("out of breath")
		}
		resp := &pluginv1.ResolveResponse{}
		if !s.named {
			s.named = true
			resp.Sets = []*pluginv1.FileSet{{Files: s.all}}
		}
		for _, i := range r.Imports {
			resp.Edges = append(resp.Edges, &pluginv1.FileEdges{File: i.File, Sets: []uint32{1}})
		}
		return resp, nil
	}
	return nil, io.EOF
}

func stock(t *testing.T, files map[string]string) *inventory.Inventory {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	tree, err := source.List(context.Background(), source.Options{Path: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tree.Close() })
	languages := inventory.NewLanguages([]*pluginv1.Language{{Name: "fake", Extensions: []string{".f"}}})
	inv, err := inventory.Take(context.Background(), tree, languages, nil, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return inv
}

func names(t *testing.T, r *Result) string {
	t.Helper()
	var out []string
	for _, f := range r.Set.Files {
		file, err := tag.Decode(f.Tags, f.Imports)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, fmt.Sprintf("%d:%s%v", f.File, file.Definitions[0].Name, f.Targets))
	}
	return strings.Join(out, " ")
}

func collect(t *testing.T, inv *inventory.Inventory, store *cache.Store, packs ...Pack) *Result {
	t.Helper()
	r, err := Collect(context.Background(), inv, packs, store, func(error) {})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func openStore(t *testing.T) *cache.Store {
	t.Helper()
	s, err := cache.Open(context.Background(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

var threeFiles = map[string]string{"a.f": "A", "b.f": "B", "c.txt": "no language", "wide.f": "\xff\xfeW\x00", "manifest.txt": "M"}

func TestCollectGivesTagsAndTargets(t *testing.T) {
	f := &fakePack{}
	r := collect(t, stock(t, threeFiles), nil, f.pack("1"))
	if got, want := names(t, r), "0:A[1] 1:B[1] 4:W[1]"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := strings.Join(f.inline, " "); got != "wide.f" {
		t.Errorf("sent with their text: %s; only what is decoded should be", got)
	}
	var manifest []byte
	for _, req := range f.requests {
		for _, m := range req.Manifests {
			manifest = m.Content
		}
	}
	if !bytes.Equal(manifest, []byte("M")) {
		t.Errorf("the manifest reached the pack as %q", manifest)
	}
}

func TestCollectRemembersByContentAndPack(t *testing.T) {
	store := openStore(t)
	first := &fakePack{}
	collect(t, stock(t, threeFiles), store, first.pack("1"))
	second := &fakePack{}
	r := collect(t, stock(t, map[string]string{"a.f": "A", "b.f": "changed", "moved.f": "B"}), store, second.pack("1"))
	if got := strings.Join(second.extracted, " "); got != "b.f" {
		t.Errorf("extracted again: %s", got)
	}
	if got, want := names(t, r), "0:A[1] 1:changed[1] 2:B[1]"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	other := &fakePack{}
	collect(t, stock(t, threeFiles), store, other.pack("2"))
	if len(other.extracted) != 3 {
		t.Errorf("another pack got %v: tags of one pack must not be served to another", other.extracted)
	}
}

func TestASkipIsAFindingAndIsNotRemembered(t *testing.T) {
	store := openStore(t)
	for range 2 {
		f := &fakePack{skip: map[string]string{"b.f": "timeout"}}
		r := collect(t, stock(t, threeFiles), store, f.pack("1"))
		if len(f.extracted) == 0 || !r.Unsettled {
			t.Error("the skip was remembered")
		}
		if len(r.Findings) != 1 || string(r.Findings[0].Path) != "b.f" || r.Findings[0].Code != "skipped_timeout" {
			t.Errorf("findings are %v", r.Findings)
		}
	}
}

func TestABrokenPackCostsItsFilesOnly(t *testing.T) {
	for name, f := range map[string]*fakePack{
		"while extracting": {extract: &PackError{Pack: "lang-fake", Err: errors.New("gone")}},
		"while resolving":  {resolve: errors.New("gone")},
	} {
		t.Run(name, func(t *testing.T) {
			r := collect(t, stock(t, threeFiles), nil, f.pack("1"))
			if len(r.Set.Files) != 3 || !r.Unsettled || len(r.Findings) != 1 || r.Findings[0].Code != "pack_failed" {
				t.Errorf("%d files, findings %v", len(r.Set.Files), r.Findings)
			}
		})
	}
}

func TestAPackWithoutWorkIsNotStarted(t *testing.T) {
	f := &fakePack{}
	collect(t, stock(t, map[string]string{"x.txt": "x"}), nil, f.pack("1"))
	if f.starts != 0 {
		t.Error("the pack was started")
	}
}

func TestManifestsAreGlobs(t *testing.T) {
	globs := []string{"go.mod", "tsconfig*.json", "vendor/modules.txt"}
	for path, want := range map[string]bool{
		"go.mod": true, "a/go.mod": true, "a/xgo.mod": false, "go.mod/a": false,
		"tsconfig.json": true, "a/b/tsconfig.base.json": true, "a/tsconfig.json/b": false,
		"vendor/modules.txt": true, "a/vendor/modules.txt": true, "modules.txt": false, "xvendor/modules.txt": false,
	} {
		if got := isManifest(path, globs); got != want {
			t.Errorf("%s: got %t", path, got)
		}
	}
}
