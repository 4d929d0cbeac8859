// Command lang-liar is a language pack whose fixtures say what is not so: every line of a file is a function to it.
package main

import (
	"bytes"
	"context"
	"embed"
	"strings"

	"github.com/repox-dev/repox/sdk"
	"github.com/repox-dev/repox/sdk/tag"
)

//go:embed fixtures
var fixtures embed.FS

func main() {
	sdk.Main(&sdk.Pack{
		Name: "lang-liar", Version: "0.2.0", Doc: "Takes every line for a function.",
		Languages:    []sdk.Language{{Name: "liar", Extensions: []string{".liar"}, Grammar: "none"}},
		Kinds:        []string{"definition.function", "definition.class"},
		NewExtractor: func(sdk.Config) (sdk.Extractor, error) { return sdk.ExtractFunc(extract), nil },
		Fixtures:     sdk.Folder(fixtures, "fixtures"),
	})
}

func extract(_ context.Context, src sdk.Source) (*tag.File, error) {
	f := &tag.File{}
	at := 0
	for line := range bytes.SplitSeq(src.Content, []byte("\n")) {
		if name := strings.TrimSpace(string(line)); name != "" && !strings.HasPrefix(name, "#") {
			span := tag.SpanOf(src.Content, at, at+len(line))
			f.Definitions = append(f.Definitions, tag.Definition{Name: name, Kind: tag.Function, Span: span, NameStart: span.Start})
		}
		at += len(line) + 1
	}
	return f, nil
}
