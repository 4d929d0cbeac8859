package treesitter

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/repox-dev/repox/sdk/tag"
)

// Lengths in bytes beyond which a signature or a doc line is cut.
const (
	maxSignature = 300
	maxDoc       = 200
)

// signature gives the declaration of d on one line: up to its body, or the first line of a value.
func signature(src []byte, d *found) string {
	end := d.End
	if d.body != 0 {
		end = min(end, d.body)
	}
	text := src[d.Start:end]
	callable := d.Kind == tag.Function || d.Kind == tag.Method
	if d.body == 0 && !callable {
		if i := bytes.IndexByte(text, '\n'); i >= 0 {
			text = text[:i]
		}
	}
	return strings.TrimRight(oneLine(text, maxSignature), " {:=;,(")
}

// oneLine folds white space and cuts at a whole character.
func oneLine(text []byte, limit int) string {
	var b strings.Builder
	space := false
	for i, c := range text {
		switch c {
		case ' ', '\t', '\n', '\r', '\f':
			space = true
			continue
		}
		if space && b.Len() > 0 {
			b.WriteByte(' ')
		}
		space = false
		if b.Len() >= limit && utf8.RuneStart(text[i]) {
			b.WriteString("…")
			break
		}
		b.WriteByte(c)
	}
	return b.String()
}

// docLine gives the first line of a comment or doc string that says something, without its marks.
func docLine(text string) string {
	text = stringPrefix(text)
	for line := range strings.Lines(text) {
		line = strings.Trim(line, "/*#-!\"'` \t\r\n")
		if line != "" {
			return oneLine([]byte(line), maxDoc)
		}
	}
	return ""
}

// stringPrefix cuts the letters before the quotes of a doc string, such as r in r"""…""".
func stringPrefix(text string) string {
	i := strings.IndexAny(text, "\"'")
	if i > 0 && i <= 2 && strings.Trim(text[:i], "rRuUbBfF") == "" {
		return text[i:]
	}
	return text
}
