package pluginhost

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// errorLineLimit bounds, in bytes, what one error takes over from a plugin's words.
const errorLineLimit = 300

// oneLine makes text fit for one line of an error: no control characters, no invalid UTF-8, bounded length.
func oneLine(s string) string {
	clean := strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t' || r == '\r':
			return ' '
		case unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "�"))
	clean = strings.TrimSpace(clean)
	if len(clean) <= errorLineLimit {
		return clean
	}
	cut := errorLineLimit
	for !utf8.RuneStart(clean[cut]) {
		cut--
	}
	return clean[:cut] + "…"
}

func appendPart(b *strings.Builder, sep, part string) {
	if part = oneLine(part); part != "" {
		b.WriteString(sep)
		b.WriteString(part)
	}
}

// telling picks the line that tells most about a failure: the head of the panic, else the last line written.
func telling(panicHead, tail []string) string {
	if len(panicHead) > 0 {
		return panicHead[0]
	}
	for i := len(tail) - 1; i >= 0; i-- {
		if s := oneLine(tail[i]); s != "" {
			return tail[i]
		}
	}
	return ""
}
