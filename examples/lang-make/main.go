// Command lang-make is a language pack in thirty lines: the targets of a Makefile are its definitions.
package main

import (
	"context"
	"embed"
	"regexp"

	"github.com/repox-dev/repox/sdk"
	"github.com/repox-dev/repox/sdk/tag"
)

//go:embed Makefile.fixture Makefile.tags
var fixtures embed.FS

var target = regexp.MustCompile(`(?m)^([\w.-]+):.*$`)

func main() {
	sdk.Main(&sdk.Pack{
		Name: "lang-make", Version: "0.1.0", Doc: "Targets of Makefiles.",
		Languages:    []sdk.Language{{Name: "make", Filenames: []string{"Makefile"}, Extensions: []string{".mk"}}},
		Kinds:        []string{"definition.function"},
		Fixtures:     fixtures,
		NewExtractor: func(sdk.Config) (sdk.Extractor, error) { return sdk.ExtractFunc(extract), nil },
	})
}

func extract(_ context.Context, src sdk.Source) (*tag.File, error) {
	f := &tag.File{}
	for _, m := range target.FindAllSubmatchIndex(src.Content, -1) {
		span := tag.SpanOf(src.Content, m[0], m[1])
		f.Definitions = append(f.Definitions, tag.Definition{
			Name: string(src.Content[m[2]:m[3]]), Kind: tag.Function, Exported: true,
			Signature: string(src.Content[m[0]:m[1]]), Span: span, NameStart: span.Start,
		})
	}
	return f, nil
}
