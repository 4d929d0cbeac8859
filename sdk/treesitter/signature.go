package treesitter

import (
	"bytes"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/repox-dev/repox/sdk/tag"
)

// Lengths in bytes beyond which a signature or a doc line is cut.
const (
	maxSignature = 300
	maxDoc       = 200
)

// signature gives the declaration of d on one line, without comments: up to its body, or the first line of a value.
func signature(src []byte, d *found, comments []capture) string {
	end := d.End
	if d.body != 0 {
		end = min(end, d.body)
	}
	text := withoutComments(src, d.Start, end, comments)
	callable := d.Kind == tag.Function || d.Kind == tag.Method
	if d.body == 0 && !callable {
		if i := bytes.IndexByte(text, '\n'); i >= 0 {
			text = text[:i]
		}
	}
	line := oneLine(text, maxSignature)
	if callable {
		line = tightList.Replace(line)
	}
	return strings.TrimRight(maskLiterals(line), " {:=;,(")
}

// withoutComments gives a piece of src with a space for each comment in it. Comments stand in the order of their start.
func withoutComments(src []byte, start, end uint32, comments []capture) []byte {
	i := sort.Search(len(comments), func(i int) bool { return comments[i].start >= start })
	if i == len(comments) || comments[i].start >= end {
		return src[start:end]
	}
	var out []byte
	for ; i < len(comments) && comments[i].start < end; i++ {
		if c := comments[i]; c.start >= start {
			out = append(append(out, src[start:c.start]...), ' ')
			start = min(c.end, end)
		}
	}
	return append(out, src[start:end]...)
}

// tightList closes the gaps that a list of parameters leaves when its lines are joined.
var tightList = strings.NewReplacer("( ", "(", ", )", ")", " )", ")", "[ ", "[", " ]", "]")

// maskLiterals puts … for the text of long string literals: a signature says what a thing is, and a long literal is
// either noise or a secret.
func maskLiterals(line string) string {
	const longest = 16
	if !strings.ContainsAny(line, "\"'`") {
		return line
	}
	var b strings.Builder
	for i := 0; i < len(line); {
		c := line[i]
		if c != '"' && c != '\'' && c != '`' {
			b.WriteByte(c)
			i++
			continue
		}
		if c == '\'' && isLifetime(line, i) {
			b.WriteByte(c)
			i++
			continue
		}
		end := literalEnd(line, i)
		if literal := line[i:end]; len(literal) <= longest+2 {
			b.WriteString(literal)
		} else {
			b.WriteByte(c)
			b.WriteString("…")
			b.WriteByte(c)
		}
		i = end
	}
	return b.String()
}

// isLifetime tells a Rust lifetime from a quoted text by what stands around it: &'a, +'static, <'a>, , 'b:.
func isLifetime(line string, i int) bool {
	end := i + 1
	for end < len(line) && (line[end] == '_' || line[end] >= 'a' && line[end] <= 'z') {
		end++
	}
	before := strings.TrimRight(line[:i], " ")
	if end == i+1 || before == "" || end < len(line) && line[end] == '\'' {
		return false
	}
	switch before[len(before)-1] {
	case '&', '+':
		return true
	case '<', ',', ':':
		return end < len(line) && strings.IndexByte(",>:+ ", line[end]) >= 0 && !strings.Contains(line[end:], "'")
	}
	return false
}

// literalEnd gives the offset behind the literal that begins at i. A single quote that is not closed (a lifetime, an
// apostrophe) is a literal of its own.
func literalEnd(line string, i int) int {
	for k := i + 1; k < len(line); k++ {
		switch {
		case line[k] == '\\' && line[i] != '`':
			k++
		case line[k] == line[i]:
			return k + 1
		}
	}
	if line[i] == '\'' {
		return i + 1
	}
	return len(line)
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
			return maskWords(oneLine([]byte(line), maxDoc))
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

// maskWords puts … for long words that mix letters and digits, which in a comment are keys and digests, not language.
func maskWords(line string) string {
	const shortest = 16
	fields := strings.Split(line, " ")
	for i, f := range fields {
		if len(f) >= shortest && strings.ContainsAny(f, "0123456789") && !strings.ContainsAny(f, "/.(") {
			fields[i] = "…"
		}
	}
	return strings.Join(fields, " ")
}
