package tags

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	pluginv1 "github.com/repox-dev/repox/sdk/proto"
	"github.com/repox-dev/repox/sdk/tag"
)

// planted are secrets as no scanner of this file knows them.
func planted(n int) string {
	return "AKIA" + "Z7QKJ2M4N6P8R3T" + string(rune('A'+n))
}

func TestCleanTakesSecretsOutOfEveryField(t *testing.T) {
	n := 0
	secret := func() string { n++; return "x_" + planted(n) }
	f := &tag.File{
		Package: secret(),
		Imports: []tag.Import{{Module: secret(), Names: []string{"ok", secret()}, Local: secret(), Row: 1}},
		Definitions: []tag.Definition{{
			Name: secret(), Scope: secret(), Signature: "const a = " + secret(), Doc: "key " + secret(), Span: tag.Span{StartRow: 4, EndRow: 4, End: 9},
		}},
		References: []tag.Reference{{Name: secret(), Qualifier: secret(), Receiver: secret(), Row: 6, Start: 3}, {Name: "plain", Row: 7, Start: 8}},
		Members:    []tag.Member{{Scope: secret(), Name: secret(), Type: secret()}},
	}
	var e tag.Encoder
	tags, imports, err := e.Encode(f)
	if err != nil {
		t.Fatal(err)
	}
	r := &pluginv1.FileResult{Tags: tags, Imports: imports}
	if err := clean(nil, "a.go", r); err != nil {
		t.Fatal(err)
	}
	got, err := tag.Decode(r.Tags, r.Imports)
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		if p := planted(i + 1); strings.Contains(fmt.Sprintf("%q %q %+v", r.Tags, r.Imports, got), p) {
			t.Errorf("secret %d is left", i+1)
		}
	}
	if got.References[1].Name != "plain" || got.Imports[0].Names[0] != "ok" {
		t.Errorf("a clean name changed: %+v", got)
	}
	var told []string
	for _, x := range r.Redacted {
		told = append(told, fmt.Sprintf("%d %s", x.Line, x.Field))
		if x.Kind == "" || strings.Contains(x.Kind, "AKIA") {
			t.Errorf("kind %q", x.Kind)
		}
	}
	for _, want := range []string{"2 import", "5 name", "5 scope", "5 signature", "5 doc", "7 name", "7 qualifier", "0 tags"} {
		if !slices.Contains(told, want) {
			t.Errorf("nothing is told of %q: %q", want, told)
		}
	}
}

func TestCleanLeavesCleanBytes(t *testing.T) {
	f := &tag.File{
		Imports:     []tag.Import{{Module: "net/http"}},
		Definitions: []tag.Definition{{Name: "Serve", Signature: "func Serve(password string) error", Doc: "Serve serves.", Span: tag.Span{End: 3}}},
	}
	var e tag.Encoder
	tags, imports, err := e.Encode(f)
	if err != nil {
		t.Fatal(err)
	}
	r := &pluginv1.FileResult{Tags: tags, Imports: imports}
	if err := clean(nil, "a.go", r); err != nil || string(r.Tags) != string(tags) || string(r.Imports) != string(imports) || r.Redacted != nil {
		t.Errorf("changed: %v %v", r, err)
	}
	skip := &pluginv1.FileResult{Skip: &pluginv1.Skip{Code: "crashed", Message: "panic: bad key " + planted(1)}}
	if err := clean(nil, "a.go", skip); err != nil || strings.Contains(skip.Skip.Message, planted(1)) {
		t.Errorf("the reason of a skip keeps a secret: %v %v", skip, err)
	}
}

func FuzzClean(f *testing.F) {
	f.Add([]byte("\n\x00\n\x03abc"), []byte("\n\x05\n\x03abc"))
	f.Fuzz(func(_ *testing.T, tags, imports []byte) {
		r := &pluginv1.FileResult{Tags: tags, Imports: imports}
		_ = clean(nil, "a.go", r)
	})
}
