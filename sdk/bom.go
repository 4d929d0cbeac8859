package sdk

import (
	"bytes"
	"context"

	"github.com/repox-dev/repox/sdk/tag"
)

var byteOrderMark = []byte("\xef\xbb\xbf")

// ExtractText calls an extractor with the text of a file without its byte order mark, which no author should have to think
// of, and gives positions in the whole.
func ExtractText(ctx context.Context, e Extractor, src Source) (*tag.File, error) {
	text, marked := bytes.CutPrefix(src.Content, byteOrderMark)
	src.Content = text
	f, err := e.Extract(ctx, src)
	if err == nil && marked {
		shift(f, uint32(len(byteOrderMark)))
	}
	return f, err
}

// shift moves all positions of a file. Rows stay as they are.
func shift(f *tag.File, by uint32) {
	for i := range f.Definitions {
		d := &f.Definitions[i]
		d.Start += by
		d.End += by
		d.NameStart += by
	}
	for i := range f.References {
		f.References[i].Start += by
	}
	for i := range f.Errors {
		f.Errors[i].Start += by
		f.Errors[i].End += by
	}
}
