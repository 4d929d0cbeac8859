package secrets

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// Mark stands where a secret was.
const Mark = "[REDACTED]"

// Span is the place of a secret in a text, as byte offsets, and the name of the rule that found it.
type Span struct {
	Start, End int
	Rule       string
}

// Find gives the secrets of a text in order, without overlaps. It takes time linear in the length of the text: the rules
// are regular expressions of package regexp, which never backtrack, and a rule runs only where a word it needs occurs.
func Find(text string) []Span { return (*Policy)(nil).Find("", text) }

// Find is the function Find for the text of a file, or of nothing that has a path: some formats say by their name what is
// secret in them.
func (p *Policy) Find(path, text string) []Span {
	if p.Allows(path) {
		return nil
	}
	seen, back := view(text)
	spans := plainSpans(nil, seen)
	spans = joinedSpans(spans, seen)
	spans = keySpans(spans, seen)
	spans = formatSpans(spans, seen)
	spans = p.filter(p.own(spans, seen), seen)
	spans = merge(splitLines(seen, spans))
	for i := range spans {
		spans[i].Start, spans[i].End = back(spans[i].Start), back(spans[i].End-1)+1
	}
	return spans
}

// plainSpans adds what the library and our rules find in a text as it stands.
func plainSpans(spans []Span, text string) []Span {
	at := mentioned(text)
	spans = vendorSpans(spans, text, at[len(rules):])
	for i := range rules {
		spans = rules[i].search(spans, text, at[i])
	}
	return spans
}

// splitLines makes of a span over several lines one on each of them, so that the lines stay.
func splitLines(text string, spans []Span) []Span {
	var out []Span
	for _, s := range spans {
		if strings.ContainsAny(text[s.Start:s.End], "\r\n") {
			out = lineSpans(out, text, s.Start, s.End, s.Rule)
			continue
		}
		out = append(out, s)
	}
	return out
}

// Redact puts Mark in the place of each secret, and of its repetitions in the same text. The number of lines stays.
func Redact(text string) string { return Apply(text, Find(text)) }

// Redact is the function Redact for the text of a file, or of nothing that has a path.
func (p *Policy) Redact(path, text string) string { return Apply(text, p.Find(path, text)) }

// Apply puts Mark in the place of spans that Find has given, and of repetitions of what they hold.
func Apply(text string, spans []Span) string {
	if len(spans) == 0 {
		return text
	}
	repeated := map[string]bool{}
	var b strings.Builder
	at := 0
	for _, s := range spans {
		if v := text[s.Start:s.End]; Distinctive(v) {
			repeated[v] = true
		}
		b.WriteString(text[at:s.Start])
		b.WriteString(Mark)
		at = s.End
	}
	b.WriteString(text[at:])
	if r := Replacer(repeated); r != nil {
		return r.Replace(b.String())
	}
	return b.String()
}

// merge sorts spans and joins those that overlap.
func merge(spans []Span) []Span {
	slices.SortFunc(spans, func(a, b Span) int { return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End)) })
	out := spans[:0]
	for _, s := range spans {
		if n := len(out); n > 0 && s.Start < out[n-1].End {
			out[n-1].End = max(out[n-1].End, s.End)
			continue
		}
		out = append(out, s)
	}
	return out
}

// longestFirst orders values so that none is cut by one that it contains.
func longestFirst(values map[string]bool) []string {
	return slices.SortedFunc(maps.Keys(values), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b))
	})
}

// Replacer puts Mark in the place of each of the secrets; it is nil if there are none.
func Replacer(secrets map[string]bool) *strings.Replacer {
	if len(secrets) == 0 {
		return nil
	}
	var pairs []string
	for _, v := range longestFirst(secrets) {
		pairs = append(pairs, v, Mark)
	}
	return strings.NewReplacer(pairs...)
}
