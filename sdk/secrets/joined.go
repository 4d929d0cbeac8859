package secrets

import (
	"regexp"
	"strings"
)

// junction is where a string ends and its continuation begins: an operator that joins strings, or a new line.
var junction = regexp.MustCompile("[\"'`](?:[ \\t]*(?:\\+|\\.\\.?|&|\\\\)[ \\t]*(?:\\\\?\\r?\\n[ \\t]*(?:\\+|\\.|&)?[ \\t]*)?|[ \\t]*\\\\?\\r?\\n[ \\t]*(?:\\+|\\.|&)?[ \\t]*)[rbfu@]?[\"'`]")

// continued is where a command goes on in the next line.
var continued = regexp.MustCompile(`[\w/+-]\\\r?\n[\w/+=-]`)

// joinedSpans finds secrets that are written in pieces: it looks at the lines around junctions with those taken out. What
// lies between the pieces stays as it is.
func joinedSpans(spans []Span, text string) []Span {
	cuts := junction.FindAllStringIndex(text, -1)
	for _, m := range continued.FindAllStringIndex(text, -1) {
		cuts = append(cuts, []int{m[0] + 1, m[1] - 1})
	}
	for i := 0; i < len(cuts); {
		start := strings.LastIndexByte(text[:cuts[i][0]], '\n') + 1
		end := lineEnd(text, cuts[i][1])
		j := i + 1
		for j < len(cuts) && cuts[j][0] >= cuts[j-1][1] && cuts[j][0] < end {
			end = lineEnd(text, cuts[j][1])
			j++
		}
		spans = regionSpans(spans, text, window{start, end}, cuts[i:j])
		i = j
	}
	return spans
}

// regionSpans adds the spans of the text in w that go over one of the cuts, piece by piece.
func regionSpans(spans []Span, text string, w window, cuts [][]int) []Span {
	var b strings.Builder
	at := w.start
	borders := make([]int, 0, len(cuts)) // of the pieces, in the joined text
	for _, c := range cuts {
		b.WriteString(text[at:c[0]])
		borders = append(borders, b.Len())
		at = c[1]
	}
	b.WriteString(text[at:w.end])
	for _, s := range plainSpans(nil, b.String()) {
		shift, from := w.start, s.Start
		for i, border := range borders {
			if from < border && s.End > border {
				spans = append(spans, Span{from + shift, border + shift, s.Rule})
				from = border
			}
			if from >= border {
				shift += cuts[i][1] - cuts[i][0]
			}
		}
		if from > s.Start {
			spans = append(spans, Span{from + shift, s.End + shift, s.Rule})
		}
	}
	return spans
}
