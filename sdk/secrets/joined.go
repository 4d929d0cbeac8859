package secrets

import (
	"strings"
)

// junction is where a string ends and its continuation begins, from the closing quote on: an operator that joins strings, or
// a new line.
var junction = lazy("^[\"'`](?:[ \\t]*(?:\\+|\\.\\.?|&|\\\\)[ \\t]*(?:\\\\?\\r?\\n[ \\t]*(?:\\+|\\.|&)?[ \\t]*)?|[ \\t]*\\\\?\\r?\\n[ \\t]*(?:\\+|\\.|&)?[ \\t]*)[rbfu@]?[\"'`]")

// continued is where a command goes on in the next line.
var continued = lazy(`^[\w/+-]\\\r?\n[\w/+=-]`)

// cuts gives the places where a string is in pieces. Few quotes and backslashes are followed by what goes on, so that most
// texts cost one pass over their bytes.
func cuts(text string) [][]int {
	var out [][]int
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"', '\'', '`':
			if !goesOn(text[i+1:]) {
				continue
			}
			if m := junction.FindStringSubmatchIndex(text[i:]); m != nil {
				out = append(out, []int{i, i + m[1]})
				i += m[1] - 1
			}
		case '\\':
			if i == 0 || i+1 == len(text) || text[i+1] != '\n' && text[i+1] != '\r' {
				continue
			}
			if m := continued.FindStringSubmatchIndex(text[i-1:]); m != nil {
				out = append(out, []int{i, i - 1 + m[1] - 1})
			}
		}
	}
	return out
}

// goesOn tells whether what follows a quote may join another string to it.
func goesOn(text string) bool {
	text = strings.TrimLeft(text, " \t")
	return text != "" && strings.IndexByte("+.&\\\r\n", text[0]) >= 0
}

// joinedSpans finds secrets that are written in pieces: it looks at the lines around junctions with those taken out. What
// lies between the pieces stays as it is.
func joinedSpans(spans []Span, text string) []Span {
	cuts := cuts(text)
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
