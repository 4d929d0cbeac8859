package langts

import (
	"slices"

	"github.com/repox-dev/repox/sdk/tag"
)

// nestedGlobals makes modules of `global { … }` inside a `declare module`. The grammar knows it behind `declare` only, and
// takes the word for an error before a block, or for a statement that lacks its semicolon.
func nestedGlobals(src []byte, f *tag.File) {
	f.Errors = slices.DeleteFunc(f.Errors, func(e tag.Span) bool {
		if e.Start == e.End {
			_, e.Start = wordBefore(src, e.Start)
		}
		if string(src[e.Start:e.End]) != "global" {
			return false
		}
		at := e.End + blank(src[e.End:])
		i := slices.IndexFunc(f.Definitions, func(d tag.Definition) bool { return d.Kind == "block" && d.Start == at })
		if i < 0 {
			return false
		}
		d := tag.Definition{Name: "global", Kind: tag.Module, Signature: "global", Span: e, NameStart: e.Start}
		d.End, d.EndRow = f.Definitions[i].End, f.Definitions[i].EndRow
		f.Definitions = slices.Insert(f.Definitions, i, d)
		return true
	})
}
