package sdk

import (
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
	"google.golang.org/grpc/test/bufconn"

	"github.com/repox-dev/repox/sdk/model"
	pluginv1 "github.com/repox-dev/repox/sdk/proto"
	"github.com/repox-dev/repox/sdk/tag"
)

type ctx = context.Context

// dial serves components in this process and gives a connection to them.
func dial(t *testing.T, components ...Component) *grpc.ClientConn {
	t.Helper()
	g := grpc.NewServer()
	if err := (&server{components: components}).GRPCServer(nil, g); err != nil {
		t.Fatal(err)
	}
	l := bufconn.Listen(1 << 20)
	go g.Serve(l)
	t.Cleanup(g.Stop)
	conn, err := grpc.NewClient("passthrough:test", grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithContextDialer(func(c ctx, _ string) (net.Conn, error) { return l.DialContext(c) }))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

func open(t *testing.T, conn *grpc.ClientConn, component, config string) string {
	t.Helper()
	resp, err := pluginv1.NewPluginClient(conn).Open(context.Background(), &pluginv1.OpenRequest{Component: component, ConfigJson: []byte(config)})
	if err != nil {
		t.Fatal(err)
	}
	if len(resp.Diagnostics) > 0 {
		t.Fatal(resp.Diagnostics)
	}
	return resp.Instance
}

// words is a pack whose definitions are the files' whole texts.
func words() *Pack {
	return &Pack{
		Name: "lang-words", Version: "1", Languages: []Language{{Name: "words", Extensions: []string{".w"}}},
		NewExtractor: func(Config) (Extractor, error) {
			return ExtractFunc(func(_ ctx, src Source) (*tag.File, error) {
				switch string(src.Content) {
				case "skip":
					return nil, &SkipError{Code: "unsupported", Message: "asked to"}
				case "fail":
					return nil, errors.New("broken")
				case "wild":
					return &tag.File{Definitions: []tag.Definition{{Name: "x", Span: tag.Span{End: 99}}}}, nil
				}
				return &tag.File{
					Definitions: []tag.Definition{{Name: string(src.Content), Kind: tag.Type, Span: tag.SpanOf(src.Content, 0, len(src.Content))}},
					Imports:     []tag.Import{{Module: "b.w"}, {Module: "none"}},
				}, nil
			}), nil
		},
		Resolve: func(_ ctx, repo *Repository) (Resolver, error) {
			byPath := map[string][]uint32{}
			for _, f := range repo.Files {
				byPath[f.Path] = []uint32{f.File}
			}
			return func(_ uint32, imp tag.Import) []uint32 { return byPath[imp.Module] }, nil
		},
		Fixtures: fstest.MapFS{"a.w.fixture": {Data: []byte("hello")}},
	}
}

func extract(t *testing.T, conn *grpc.ClientConn, instance string, files ...*pluginv1.SourceFile) map[uint32]*pluginv1.FileResult {
	t.Helper()
	stream, err := pluginv1.NewPackClient(conn).Extract(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range files { // one batch each
		if err := stream.Send(&pluginv1.ExtractRequest{Instance: instance, Seq: uint64(i), Files: []*pluginv1.SourceFile{f}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := stream.CloseSend(); err != nil {
		t.Fatal(err)
	}
	out := map[uint32]*pluginv1.FileResult{}
	for {
		resp, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range resp.Results {
			out[r.File] = r
		}
	}
}

func TestExtractAnswersEveryFile(t *testing.T) {
	conn := dial(t, words())
	in := open(t, conn, "lang-words", "")
	local := filepath.Join(t.TempDir(), "x.w")
	if err := os.WriteFile(local, []byte("from disk"), 0o644); err != nil {
		t.Fatal(err)
	}
	right, wrong := sha256.Sum256([]byte("from disk")), sha256.Sum256([]byte("another"))
	got := extract(t, conn, in,
		&pluginv1.SourceFile{File: 1, Content: []byte("inline")},
		&pluginv1.SourceFile{File: 2, Content: []byte("skip")},
		&pluginv1.SourceFile{File: 3, Content: []byte("fail")},
		&pluginv1.SourceFile{File: 4, Content: []byte("wild")},
		&pluginv1.SourceFile{File: 5, Local: []byte(local), Hash: right[:]},
		&pluginv1.SourceFile{File: 6, Local: []byte(local), Hash: wrong[:]},
		&pluginv1.SourceFile{File: 7, Local: []byte(local + ".gone"), Hash: right[:]},
		&pluginv1.SourceFile{File: 8, Local: []byte(filepath.Dir(local)), Hash: right[:]},
	)
	for file, want := range map[uint32]string{1: "inline", 5: "from disk"} {
		f, err := tag.Decode(got[file].GetTags(), got[file].GetImports())
		if err != nil || len(f.Definitions) != 1 || f.Definitions[0].Name != want {
			t.Errorf("file %d: %v, %v", file, f, err)
		}
	}
	for file, want := range map[uint32]string{2: "unsupported", 3: "failed", 4: "failed", 6: "changed", 7: "unreadable", 8: "unreadable"} {
		if code := got[file].GetSkip().GetCode(); code != want {
			t.Errorf("file %d: skip code %q, want %q", file, code, want)
		}
	}
}

func TestResolveSharesTargetSets(t *testing.T) {
	conn := dial(t, words())
	in := open(t, conn, "lang-words", "")
	facts := extract(t, conn, in, &pluginv1.SourceFile{File: 7, Content: []byte("a")}, &pluginv1.SourceFile{File: 9, Content: []byte("b")})
	stream, err := pluginv1.NewPackClient(conn).Resolve(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, req := range []*pluginv1.ResolveRequest{
		{Instance: in, Files: []*pluginv1.ResolveFile{{File: 7, Path: []byte("a.w")}, {File: 9, Path: []byte("b.w")}}},
		{Instance: in, Imports: []*pluginv1.FileImports{{File: 7, Imports: facts[7].Imports}}},
		{Instance: in, Imports: []*pluginv1.FileImports{{File: 9, Imports: facts[9].Imports}}},
	} {
		if err := stream.Send(req); err != nil {
			t.Fatal(err)
		}
	}
	if err := stream.CloseSend(); err != nil {
		t.Fatal(err)
	}
	sets, edges := 0, 0
	for {
		resp, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		sets += len(resp.Sets)
		for _, e := range resp.Edges {
			edges++
			if len(e.Sets) != 2 || e.Sets[0] != 1 || e.Sets[1] != 0 {
				t.Errorf("file %d has the sets %v, want 1 and none", e.File, e.Sets)
			}
		}
	}
	if sets != 1 || edges != 2 {
		t.Errorf("%d sets and %d edge lists, want 1 and 2", sets, edges)
	}
}

func TestFixturesAreServed(t *testing.T) {
	conn := dial(t, words())
	stream, err := pluginv1.NewPackClient(conn).Fixtures(context.Background(), &pluginv1.FixturesRequest{Component: "lang-words"})
	if err != nil {
		t.Fatal(err)
	}
	f, err := stream.Recv()
	if err != nil || f.Path != "a.w.fixture" || string(f.Content) != "hello" {
		t.Errorf("got %v, %v", f, err)
	}
}

// upper is a stage that adds a finding and checks its option.
func upper() *Stage {
	return &Stage{
		Name: "stage-upper", Version: "1", Consumes: Consume(model.SectionSelection), Produces: []string{model.SectionFindings},
		Options: []Option{{Name: "message", Type: String, Default: "found"}},
		Check: func(c Config) error {
			if c.String("message") == "bad" {
				return &ConfigError{Option: "message", Index: -1, Message: "bad message", Hint: "use another"}
			}
			return nil
		},
		Run: func(_ ctx, c Config, m *Model) error {
			sel, err := m.Selection()
			if err != nil {
				return err
			}
			if c.String("message") == "fail" {
				return errors.New("no luck")
			}
			return m.SetFindings(&model.Findings{Findings: []*model.Finding{{Message: c.String("message"), Line: uint32(sel.TotalFiles)}}})
		},
	}
}

func process(t *testing.T, conn *grpc.ClientConn, reqs ...*pluginv1.ProcessRequest) (map[string][]byte, error) {
	t.Helper()
	stream, err := pluginv1.NewStageClient(conn).Process(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range reqs {
		if err := stream.Send(r); err != nil {
			break
		}
	}
	if err := stream.CloseSend(); err != nil {
		t.Fatal(err)
	}
	out := map[string][]byte{}
	for {
		resp, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		out[resp.Chunk.Section] = append(out[resp.Chunk.Section], resp.Chunk.Data...)
	}
}

func TestAStageReadsAndWritesSections(t *testing.T) {
	conn := dial(t, upper())
	in := open(t, conn, "stage-upper", `{"message":"hello"}`)
	// A section may come in pieces that are no messages by themselves.
	out, err := process(t, conn,
		&pluginv1.ProcessRequest{Header: &pluginv1.ProcessHeader{Instance: in, Sections: []string{"selection"}}},
		&pluginv1.ProcessRequest{Chunk: &pluginv1.Chunk{Section: "selection", Data: []byte{0x10}}},
		&pluginv1.ProcessRequest{Chunk: &pluginv1.Chunk{Section: "selection", Data: []byte{0x07}}},
	)
	if err != nil {
		t.Fatal(err)
	}
	m := &Model{out: out}
	var f model.Findings
	if err := m.Result("findings", &f); err != nil || len(f.Findings) != 1 || f.Findings[0].Message != "hello" || f.Findings[0].Line != 7 {
		t.Errorf("got %v, %v", &f, err)
	}
}

func TestFaultsOfAStageAreErrors(t *testing.T) {
	conn := dial(t, upper(), words())
	fail := open(t, conn, "stage-upper", `{"message":"fail"}`)
	pack := open(t, conn, "lang-words", "")
	for name, tt := range map[string]struct {
		req  *pluginv1.ProcessRequest
		want codes.Code
	}{
		"the stage fails":  {&pluginv1.ProcessRequest{Header: &pluginv1.ProcessHeader{Instance: fail}}, codes.Aborted},
		"unknown instance": {&pluginv1.ProcessRequest{Header: &pluginv1.ProcessHeader{Instance: "99"}}, codes.NotFound},
		"a pack":           {&pluginv1.ProcessRequest{Header: &pluginv1.ProcessHeader{Instance: pack}}, codes.InvalidArgument},
		"no header":        {&pluginv1.ProcessRequest{}, codes.InvalidArgument},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := process(t, conn, tt.req); status.Code(err) != tt.want {
				t.Errorf("got %v, want %v", err, tt.want)
			}
		})
	}
}

func TestOpenTellsFaultsOfTheConfiguration(t *testing.T) {
	conn := dial(t, upper())
	client := pluginv1.NewPluginClient(conn)
	for config, want := range map[string]string{
		`{"message":"bad"}`: "bad message",
		`{"message":1}`:     `option "message" needs a value of type string, got 1`,
		`{"mesage":"x"}`:    `unknown option "mesage"`,
	} {
		resp, err := client.Open(context.Background(), &pluginv1.OpenRequest{Component: "stage-upper", ConfigJson: []byte(config)})
		if err != nil {
			t.Fatal(err)
		}
		if resp.Instance != "" || len(resp.Diagnostics) != 1 || resp.Diagnostics[0].Message != want {
			t.Errorf("%s gives %v", config, resp)
		}
	}
	if _, err := client.Open(context.Background(), &pluginv1.OpenRequest{Component: "other"}); status.Code(err) != codes.NotFound {
		t.Errorf("unknown component: %v", err)
	}
}

func TestClosedInstancesAreGone(t *testing.T) {
	conn := dial(t, words())
	in := open(t, conn, "lang-words", "")
	client := pluginv1.NewPluginClient(conn)
	for range 2 { // closing twice is no error
		if _, err := client.Close(context.Background(), &pluginv1.CloseRequest{Instance: in}); err != nil {
			t.Fatal(err)
		}
	}
	stream, err := pluginv1.NewPackClient(conn).Extract(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if err := stream.Send(&pluginv1.ExtractRequest{Instance: in}); err != nil {
		t.Fatal(err)
	}
	if _, err := stream.Recv(); status.Code(err) != codes.NotFound {
		t.Errorf("got %v", err)
	}
}
