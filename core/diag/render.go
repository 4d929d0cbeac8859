package diag

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
)

// Widths of a shown line, in characters: a longer one is cut to a window around the underlined piece.
const (
	window = 120
	lead   = 40
)

// Renderer turns diagnostics into text. The zero value writes without colour.
type Renderer struct {
	// Color adds ANSI colours. The text between them is the same.
	Color bool
	// Redact, if given, takes secrets out of messages and lines. It sees them whole, before a long line is cut: half a
	// secret would not be recognised.
	Redact func(string) string
}

// Render writes diagnostics for people, without colour.
func Render(w io.Writer, l List) error {
	return Renderer{}.Render(w, l)
}

// Render writes diagnostics for people: place and message in one line, then the line of the file with its piece
// underlined, then notes.
func (r Renderer) Render(w io.Writer, l List) error {
	for _, d := range l {
		if _, err := io.WriteString(w, r.text(d)); err != nil {
			return err
		}
	}
	return nil
}

// The ANSI styles.
const (
	bold    = "\x1b[1m"
	red     = "\x1b[1;31m"
	magenta = "\x1b[1;35m"
	cyan    = "\x1b[1;36m"
	green   = "\x1b[1;32m"
	plain   = "\x1b[0m"
)

// style wraps a text that is not empty.
func (r Renderer) style(style, text string) string {
	if !r.Color || text == "" {
		return text
	}
	return style + text + plain
}

func (r Renderer) text(d Diagnostic) string {
	var b strings.Builder
	severity := red
	if d.Severity == Warning {
		severity = magenta
	}
	b.WriteString(r.head("", d.Place, severity, d.Severity.String()))
	message := visible(r.redact(d.Message))
	if d.Suggestion != "" {
		message += fmt.Sprintf("; did you mean %q?", d.Suggestion)
	}
	b.WriteString(r.style(bold, message) + "\n" + r.excerpt(d.Place))
	for _, n := range d.Notes {
		b.WriteString(r.head("  ", n.Place, cyan, "note") + visible(r.redact(n.Message)) + "\n" + r.excerpt(n.Place))
	}
	return b.String()
}

// head gives what stands before a message.
func (r Renderer) head(indent string, p Place, style, word string) string {
	out := indent
	if p.File != "" {
		out += r.style(bold, visible(r.redact(p.String()))+":") + " "
	}
	return out + r.style(style, word+":") + " "
}

// excerpt gives the line of p with its piece underlined, empty if there is nothing to show.
func (r Renderer) excerpt(p Place) string {
	if p.Line == 0 || p.Column == 0 || strings.TrimSpace(p.Text) == "" {
		return ""
	}
	line := []rune(p.Text)
	at := max(0, min(p.Column-1, len(line)))
	span := max(1, p.Width)
	if redacted := []rune(r.redact(p.Text)); !slices.Equal(line, redacted) {
		at, span = moved(line, redacted, at, span)
		line = redacted
	}
	cut, before, after := cutLine(len(line), at)
	shown := line[cut:min(len(line), cut+window)]
	at -= cut
	end := min(at+span, len(shown))
	var text, space, marks strings.Builder
	for i, c := range shown {
		s, columns := shape(c)
		text.WriteString(s)
		switch {
		case i < at && c == '\t':
			space.WriteByte('\t')
		case i < at:
			space.WriteString(strings.Repeat(" ", columns))
		case i < end:
			marks.WriteString(strings.Repeat("~", columns))
		}
	}
	underline := "^"
	if marks.Len() > 1 {
		underline += marks.String()[1:]
	}
	indent := "    " + strings.Repeat(" ", len([]rune(before)))
	return "    " + before + text.String() + after + "\n" + indent + space.String() + r.style(green, underline) + "\n"
}

func (r Renderer) redact(s string) string {
	if r.Redact == nil {
		return s
	}
	return r.Redact(s)
}

// moved finds a piece of a line again after something in the line was replaced. A piece that touches what was replaced
// becomes the whole of it.
func moved(before, after []rune, at, width int) (int, int) {
	same := 0
	for same < min(len(before), len(after)) && before[same] == after[same] {
		same++
	}
	tail := 0
	for tail < min(len(before), len(after))-same && before[len(before)-1-tail] == after[len(after)-1-tail] {
		tail++
	}
	switch {
	case at+width <= same:
		return at, width
	case at >= len(before)-tail:
		return at + len(after) - len(before), width
	}
	return min(at, same), max(1, len(after)-tail-min(at, same))
}

// cutLine says where to begin in a line of n characters whose piece is at, and what stands for the rest.
func cutLine(n, at int) (cut int, before, after string) {
	if n <= window {
		return 0, "", ""
	}
	cut = max(0, min(at-lead, n-window))
	if cut > 0 {
		before = "…"
	}
	if cut+window < n {
		after = "…"
	}
	return cut, before, after
}

// shape gives a character as it is shown and how many columns it takes.
func shape(r rune) (string, int) {
	switch {
	case r == '\t':
		return "\t", 1
	case hidden(r):
		s := escape(r)
		return s, len(s)
	case unicode.In(r, unicode.Mn, unicode.Me):
		return string(r), 0
	case wide(r):
		return string(r), 2
	}
	return string(r), 1
}

// wideRanges are the blocks whose characters terminals give two columns.
var wideRanges = [][2]rune{
	{0x1100, 0x115f},   // Hangul jamo
	{0x2e80, 0x303e},   // radicals, punctuation
	{0x3041, 0xa4cf},   // kana, ideographs, Yi
	{0xa960, 0xa97f},   // Hangul jamo
	{0xac00, 0xd7a3},   // Hangul
	{0xf900, 0xfaff},   // ideographs
	{0xfe30, 0xfe6f},   // forms
	{0xff01, 0xff60},   // full width
	{0xffe0, 0xffe6},   // full width
	{0x1f300, 0x1f64f}, // pictures
	{0x1f680, 0x1f6ff}, // pictures
	{0x1f900, 0x1faff}, // pictures
	{0x20000, 0x3fffd}, // ideographs
}

func wide(r rune) bool {
	for _, w := range wideRanges {
		if r >= w[0] && r <= w[1] {
			return true
		}
	}
	return false
}

// hidden tells whether a character would do something to the terminal, or to the order of what is read, instead of
// being seen.
func hidden(r rune) bool {
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}

func escape(r rune) string {
	switch {
	case r < 0x100:
		return fmt.Sprintf(`\x%02x`, r)
	case r < 0x10000:
		return fmt.Sprintf(`\u%04x`, r)
	}
	return fmt.Sprintf(`\U%08x`, r)
}

// visible makes hidden characters harmless.
func visible(s string) string {
	if strings.IndexFunc(s, hidden) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if hidden(r) {
			b.WriteString(escape(r))
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}
