package report

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tiktoken-go/tokenizer"
	"google.golang.org/protobuf/proto"

	"github.com/repox-dev/repox/sdk"
	"github.com/repox-dev/repox/sdk/model"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func TestTheDeclarationsAreSound(t *testing.T) {
	if err := sdk.Validate(New()); err != nil {
		t.Error(err)
	}
}

// document runs the stage.
func document(t testing.TB, options string, s *model.Selection, findings ...*model.Finding) *model.Document {
	t.Helper()
	m, err := sdk.NewModel(map[string]proto.Message{
		model.SectionSelection: s, model.SectionFindings: &model.Findings{Findings: findings},
	})
	if err != nil {
		t.Fatal(err)
	}
	stage := New()
	c, err := sdk.NewConfig(stage.Options, []byte(options))
	if err != nil {
		t.Fatal(err)
	}
	if err := stage.Run(context.Background(), c, m); err != nil {
		t.Fatal(err)
	}
	var out model.Documents
	if err := m.Result(model.SectionDocuments, &out); err != nil {
		t.Fatal(err)
	}
	return out.Documents[0]
}

func sample() *model.Selection {
	return &model.Selection{
		TotalFiles: 12, TotalDefinitions: 90, Hidden: map[string]uint64{"generated": 2, "vendored": 1},
		Resolved: 300, Guessed: 4, Unresolved: 120,
		Files: []*model.SelectedFile{
			{Path: []byte("core/cli/run.go"), Language: "go", Score: 0.123456, TotalDefinitions: 5, Definitions: []*model.SelectedDefinition{
				{Name: "Run", Kind: "function", LineStart: 12, LineEnd: 30, Signature: "func Run(ctx context.Context, args []string) int", Rank: 0},
				{Name: "Options", Kind: "struct", LineStart: 40, LineEnd: 50, Signature: "type Options struct", Rank: 3},
				{Name: "check", Kind: "method", Scope: "Options", LineStart: 52, LineEnd: 60, Signature: "func (o Options) check() error", Rank: 4, Depth: 1},
			}},
			{Path: []byte("odd \xff\n`name`.ts"), Language: "typescript", Score: 0.05, TotalDefinitions: 1, Definitions: []*model.SelectedDefinition{
				{Name: "tpl", Kind: "constant", LineStart: 1, LineEnd: 1, Signature: "const tpl = ```a\tb\x1b[31m```<b>\u202e", Rank: 1},
			}},
			{Path: []byte("数据/模型.py"), Language: "python", Score: 0.04, TotalDefinitions: 1, Definitions: []*model.SelectedDefinition{
				{Name: "加载", Kind: "function", LineStart: 7, LineEnd: 9, Signature: "def 加载(路径: str, " + strings.Repeat("参数, ", 60) + ") -> 数据", Rank: 2},
			}},
		},
	}
}

func TestGolden(t *testing.T) {
	findings := []*model.Finding{
		{Kind: model.FindingRedaction, Code: "redacted_secret", Message: "a secret was taken out", Path: []byte("a.go"), Line: 3, Field: "signature"},
		{Kind: model.FindingLimitation, Code: "parse_error", Message: "partly parsed: lines 3-4", Path: []byte("b.go"), Line: 3},
	}
	for name, options := range map[string]string{
		"text.golden": `{}`, "markdown.golden": `{"format":"markdown"}`, "json.golden": `{"format":"json"}`,
		"text-small.golden": `{"budget":64}`, "json-small.golden": `{"budget":128,"format":"json"}`, "markdown-small.golden": `{"format":"markdown","budget":90}`,
	} {
		t.Run(name, func(t *testing.T) {
			got := document(t, options, sample(), findings...).Content
			file := filepath.Join("testdata", name)
			if *update {
				if err := os.WriteFile(file, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), string(got)); diff != "" {
				t.Errorf("document differs (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAnEmptySelectionSaysSo(t *testing.T) {
	s := &model.Selection{Hidden: map[string]uint64{"generated": 1}}
	if got, want := string(document(t, `{}`, s).Content), "no source files with definitions; 1 generated file left out\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	var v struct{ Message string }
	if err := json.Unmarshal(document(t, `{"format":"json","budget":64}`, s).Content, &v); err != nil || v.Message != nothing {
		t.Errorf("got %q, error %v", v.Message, err)
	}
}

func TestTheDocumentBearsNameAndType(t *testing.T) {
	d := document(t, `{"name":"map.json","format":"json"}`, sample())
	if d.Name != "map.json" || d.MediaType != "application/json" {
		t.Errorf("got %q, %q", d.Name, d.MediaType)
	}
}

// TestTheBudgetHolds counts documents over generated selections with a tokenizer of its own.
func TestTheBudgetHolds(t *testing.T) {
	encodings := map[string]tokenizer.Encoding{"o200k_base": tokenizer.O200kBase, "cl100k_base": tokenizer.Cl100kBase}
	budgets := []int{64, 65, 80, 100, 128, 200, 255, 256, 300, 400, 512, 777, 1024, 2048, 4096, 8192, 32768}
	for name, encoding := range encodings {
		stride := 4
		if name == "cl100k_base" {
			stride = 8
		}
		codec, err := tokenizer.Get(encoding)
		if err != nil {
			t.Fatal(err)
		}
		for seed := range uint64(6) {
			s := generated(seed)
			for _, format := range []string{"text", "markdown", "json"} {
				for n, budget := range budgets {
					if (n+int(seed))%stride != 0 || testing.Short() && budget > 1024 {
						continue // each budget meets one or two of the selections
					}
					checkBudget(t, codec, s, format, name, budget, seed)
				}
			}
		}
	}
}

func checkBudget(t *testing.T, codec tokenizer.Codec, s *model.Selection, format, encoding string, budget int, seed uint64) {
	t.Helper()
	options := fmt.Sprintf(`{"format":%q,"budget":%d,"tokenizer":%q}`, format, budget, encoding)
	content := document(t, options, s, generatedFindings(int(seed)*7)...).Content
	tokens, err := codec.Count(string(content))
	if err != nil {
		t.Fatal(err)
	}
	shown := strings.Count(string(content), "item")
	if tokens > budget {
		t.Errorf("seed %d %s: %d tokens", seed, options, tokens)
	}
	if float64(tokens) < 0.9*float64(budget) && shown < int(s.TotalDefinitions) {
		t.Errorf("seed %d %s: only %d tokens, with %d of %d definitions", seed, options, tokens, shown, s.TotalDefinitions)
	}
	if format == "json" {
		var v struct{ Tokens int }
		if err := json.Unmarshal(content, &v); err != nil || v.Tokens != tokens {
			t.Errorf("seed %d %s: says %d tokens, has %d (%v)", seed, options, v.Tokens, tokens, err)
		}
	}
}

// generated makes a selection of up to thousands of files; every signature holds the word item once.
func generated(seed uint64) *model.Selection {
	rng := rand.New(rand.NewPCG(seed, 1))
	alphabets := []string{"abcdefgh", "データ模型加载路径", "😀🚀👩‍👩‍👧", "ÄÖÜßéè", "xyz_ABC09"}
	word := func(n int) string {
		a := []rune(alphabets[rng.IntN(len(alphabets))])
		out := make([]rune, n)
		for i := range out {
			out[i] = a[rng.IntN(len(a))]
		}
		return string(out)
	}
	s := &model.Selection{Hidden: map[string]uint64{"generated": uint64(rng.IntN(2000)), "vendored": uint64(rng.IntN(9))}}
	var all []*model.SelectedDefinition
	for f := range []int{3, 40, 400, 3000, 1500, 800}[seed%6] {
		file := &model.SelectedFile{Path: []byte(fmt.Sprintf("%s/%s/f%d.go", word(1+rng.IntN(8)), word(1+rng.IntN(12)), f)), Language: "go", Score: rng.Float64() / 100}
		line := uint32(1)
		for range 1 + rng.IntN(20) {
			line += uint32(1 + rng.IntN(300))
			length := []int{3, 20, 60, 300}[rng.IntN(4)]
			d := &model.SelectedDefinition{
				Name: word(4), Kind: "function", LineStart: line, LineEnd: line + 3, Depth: uint32(rng.IntN(3)),
				Signature: "func item" + word(4) + "(" + strings.Repeat(word(4)+" "+word(3)+", ", 1+length/8) + ") error",
			}
			file.Definitions = append(file.Definitions, d)
			all = append(all, d)
		}
		file.TotalDefinitions = uint32(len(file.Definitions))
		s.Files = append(s.Files, file)
	}
	for rank, i := range rng.Perm(len(all)) {
		all[i].Rank = uint32(rank)
	}
	s.TotalFiles, s.TotalDefinitions = uint64(len(s.Files)), uint64(len(all))
	return s
}

func generatedFindings(n int) []*model.Finding {
	var out []*model.Finding
	for i := range n {
		out = append(out, &model.Finding{Kind: model.FindingLimitation, Code: "parse_error", Message: "partly parsed: lines 1-2", Path: []byte(fmt.Sprintf("dir/f%d.go", i)), Line: 1})
	}
	return out
}

func TestFilesStandByTheirBestDefinition(t *testing.T) {
	content := string(document(t, `{}`, sample()).Content)
	order := []string{"core/cli/run.go (+2 more)", `"odd \xff\n`, "数据/模型.py\n"}
	at := -1
	for _, want := range order {
		i := strings.Index(content, want)
		if i <= at {
			t.Errorf("%q at %d, after %d in\n%s", want, i, at, content)
		}
		at = i
	}
}

func BenchmarkReport(b *testing.B) {
	s := generated(3)
	for _, budget := range []int{1024, 4096, 32768} {
		b.Run(fmt.Sprint(budget), func(b *testing.B) {
			for b.Loop() {
				document(b, fmt.Sprintf(`{"budget":%d}`, budget), s)
			}
		})
	}
}
