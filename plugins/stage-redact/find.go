package redact

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
func Find(text string) []Span {
	wanted := mentioned(text)
	if wanted == 0 {
		return nil
	}
	var spans []Span
	for i := range rules {
		if r := &rules[i]; wanted&(1<<i) != 0 && (r.needs == "" || strings.ContainsAny(text, r.needs)) {
			spans = r.find(spans, text)
		}
	}
	return merge(spans)
}

// Redact puts Mark in the place of each secret, and of its repetitions in the same text. The number of lines stays.
func Redact(text string) string {
	spans := Find(text)
	if len(spans) == 0 {
		return text
	}
	repeated := map[string]bool{}
	var b strings.Builder
	at := 0
	for _, s := range spans {
		if v := text[s.Start:s.End]; distinctive(v) {
			repeated[v] = true
		}
		b.WriteString(text[at:s.Start])
		b.WriteString(Mark)
		at = s.End
	}
	b.WriteString(text[at:])
	if r := replacerOf(repeated); r != nil {
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
