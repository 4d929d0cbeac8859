package secrets

import (
	"strconv"
	"strings"
)

var (
	keyEnd     = lazy(`-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----`)
	keyBegin   = lazy(`-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----`)
	keyLine    = lazy(`^[\s"'\x60#/*+>|-]*?(?P<value>[A-Za-z0-9+/]{16,}={0,2})(?:\\r)?(?:\\n)?["'\x60]?[\s,+;.\\]*$`)
	ppkPrivate = lazy(`(?m)^Private-Lines:[ \t]*(\d+)[ \t]*\r?\n`)
	ppkMAC     = lazy(`(?m)^Private-MAC:[ \t]*(?P<value>[0-9a-fA-F]+)`)
)

// keySpans finds what the rules for whole private keys don't: the end of one whose beginning is not in the text, and
// PuTTY's form, which has counts instead of borders.
func keySpans(spans []Span, text string) []Span {
	if strings.Contains(text, "PRIVATE KEY") {
		spans = keyTails(spans, text)
	}
	if strings.Contains(text, "Private-Lines:") {
		spans = ppkSpans(spans, text)
	}
	return spans
}

// keyTails takes the lines of key text above an END that has no BEGIN.
func keyTails(spans []Span, text string) []Span {
	from := 0
	for _, end := range keyEnd.FindAllStringIndex(text, -1) {
		if keyBegin.MatchString(text[from:end[0]]) {
			from = end[1]
			continue
		}
		stop := strings.LastIndexByte(text[:end[0]], '\n')
		for stop > from {
			start := max(from, strings.LastIndexByte(text[:stop], '\n')+1)
			m := keyLine.FindStringSubmatchIndex(text[start:stop])
			if m == nil {
				break
			}
			spans = append(spans, Span{start + m[2], start + m[3], "private-key"})
			stop = start - 1
		}
		from = end[1]
	}
	return spans
}

func ppkSpans(spans []Span, text string) []Span {
	for _, m := range ppkPrivate.FindAllStringSubmatchIndex(text, -1) {
		n, err := strconv.Atoi(text[m[2]:m[3]])
		if err != nil {
			continue // more lines than a number holds: no key
		}
		end := m[1]
		for ; n > 0 && end < len(text); n-- {
			i := strings.IndexByte(text[end:], '\n')
			if i < 0 {
				end = len(text)
				break
			}
			end += i + 1
		}
		spans = lineSpans(spans, text, m[1], end, "private-key")
	}
	for _, m := range ppkMAC.FindAllStringSubmatchIndex(text, -1) {
		spans = append(spans, Span{m[2], m[3], "private-key"})
	}
	return spans
}
