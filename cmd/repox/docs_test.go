package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/repox-dev/repox/core/pipeline"
	"github.com/repox-dev/repox/sdk"
	pluginv1 "github.com/repox-dev/repox/sdk/proto"
)

// marker stands in docs/pipeline.md before the generated part.
const marker = "<!-- Generated from the declarations in the code; `go test ./cmd/repox -update` rewrites what follows. -->\n"

// TestReferencesAreCurrent keeps the generated documents true; -update rewrites them.
func TestReferencesAreCurrent(t *testing.T) {
	var components []*pluginv1.Component
	for _, c := range plugins() {
		if err := sdk.Validate(c); err != nil {
			t.Error(err)
		}
		components = append(components, sdk.Describe(c))
	}
	catalog := pipeline.NewCatalog(components, nil)
	schema, err := pipeline.Schema(catalog)
	if err != nil {
		t.Fatal(err)
	}
	docs := filepath.Join("..", "..", "docs")
	current(t, filepath.Join(docs, "pipeline.schema.json"), schema)
	page := filepath.Join(docs, "pipeline.md")
	old, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	head, _, ok := bytes.Cut(old, []byte(marker))
	if !ok {
		t.Fatalf("%s has no line %q", page, marker)
	}
	current(t, page, append(append(head, marker...), append([]byte("\n"), pipeline.Reference(catalog)...)...))
}

func current(t *testing.T, file string, want []byte) {
	t.Helper()
	if *updateScripts {
		if err := os.WriteFile(file, want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not current; run `go test ./cmd/repox -update`", file)
	}
}
