package redact

import (
	"context"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/repox-dev/repox/sdk"
	"github.com/repox-dev/repox/sdk/model"
	"github.com/repox-dev/repox/sdk/secrets"
)

// No secret stands in this file: values are put together here, of characters drawn by a small generator.

// chars gives n characters of an alphabet, always the same for a seed.
func chars(seed uint32, n int, alphabet string) string {
	out := make([]byte, n)
	for i := range out {
		seed = seed*1664525 + 1013904223
		out[i] = alphabet[int(seed>>16)%len(alphabet)]
	}
	return string(out)
}

const (
	lower  = "abcdefghijklmnopqrstuvwxyz"
	upper  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digits = "0123456789"
	mixed  = lower + upper + digits
)

func TestTheDeclarationsAreSound(t *testing.T) {
	if err := sdk.Validate(New()); err != nil {
		t.Error(err)
	}
}

// sections runs the stage.
func sections(t *testing.T, s *model.Selection, f *model.Findings) (*model.Selection, *model.Findings) {
	t.Helper()
	m, err := sdk.NewModel(map[string]proto.Message{model.SectionSelection: s, model.SectionFindings: f})
	if err != nil {
		t.Fatal(err)
	}
	if err := New().Run(context.Background(), sdk.Config{}, m); err != nil {
		t.Fatal(err)
	}
	var selection model.Selection
	var findings model.Findings
	if err := m.Result(model.SectionSelection, &selection); err != nil {
		t.Fatal(err)
	}
	if err := m.Result(model.SectionFindings, &findings); err != nil {
		t.Fatal(err)
	}
	return &selection, &findings
}

// Every string of the sections is given a secret; none may be left, whatever fields there are.
func TestEveryStringIsVisited(t *testing.T) {
	v := "gh" + "p_" + chars(60, 36, mixed)
	s := &model.Selection{Hidden: map[string]uint64{v: 1}, Files: []*model.SelectedFile{{
		Path: []byte("a/" + v + "/b\xff.go"), Language: v, TotalDefinitions: 1,
		Definitions: []*model.SelectedDefinition{{Name: v, Kind: v, Scope: v, Signature: v, Doc: "x " + v, LineStart: 7}},
	}}}
	f := &model.Findings{Findings: []*model.Finding{{Kind: "risk", Code: v, Message: v, Path: []byte(v), Field: v}}}
	selection, findings := sections(t, s, f)
	for _, m := range []proto.Message{selection, findings} {
		b, err := proto.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(b), v[4:12]) {
			t.Error("a secret is left")
		}
	}
	if got, want := string(selection.Files[0].Path), "a/"+secrets.Mark+"/b\xff.go"; got != want {
		t.Errorf("path %q, want %q", got, want)
	}
	if findings.Findings[0].Kind != "risk" {
		t.Errorf("the findings of others are gone: %v", findings)
	}
	for _, x := range findings.Findings[1:] {
		if x.Code != "redacted_secret" || x.Kind != model.FindingRedaction || x.Field == "" || !strings.Contains(x.Message, ": ") {
			t.Errorf("finding %v", x)
		}
		if x.Field == "signature" && (x.Line != 7 || string(x.Path) != "a/"+secrets.Mark+"/b\xff.go") {
			t.Errorf("finding %v", x)
		}
	}
}

func TestASecretIsTakenOutOfOtherStringsToo(t *testing.T) {
	v := chars(61, 24, mixed)
	s := &model.Selection{Files: []*model.SelectedFile{{Path: []byte("a.go"), Definitions: []*model.SelectedDefinition{
		{Signature: `const apiKey = "` + v + `"`}, {Doc: "rotated from " + v},
	}}}}
	selection, findings := sections(t, s, &model.Findings{})
	if d := selection.Files[0].Definitions[1].Doc; d != "rotated from "+secrets.Mark {
		t.Errorf("doc is not clean")
	}
	if len(findings.Findings) != 2 {
		t.Errorf("%d findings, want 2", len(findings.Findings))
	}
}

func TestWithoutSecretsNothingChanges(t *testing.T) {
	s := &model.Selection{TotalFiles: 1, Files: []*model.SelectedFile{{Path: []byte("a.go"), Definitions: []*model.SelectedDefinition{{Name: "Token", Signature: "type Token string"}}}}}
	f := &model.Findings{Findings: []*model.Finding{{Kind: "limitation", Code: "parse_error"}}}
	selection, findings := sections(t, s, f)
	if !proto.Equal(s, selection) || !proto.Equal(f, findings) {
		t.Errorf("got %v, %v", selection, findings)
	}
}
