package diag

import (
	"fmt"
	"io"
	"strings"
	"unicode"
)

// Widths of a shown line, in characters: a longer one is cut to a window around the underlined piece.
const (
	window = 120
	lead   = 40
)

// Render writes diagnostics for people: place and message in one line, then the line of the file with its piece
// underlined, then notes.
func Render(w io.Writer, l List) error {
	for _, d := range l {
		if err := render(w, d); err != nil {
			return err
		}
	}
	return nil
}

func render(w io.Writer, d Diagnostic) error {
	var b strings.Builder
	if d.Place.File != "" {
		b.WriteString(visible(d.Place.String()) + ": ")
	}
	fmt.Fprintf(&b, "%s: %s", d.Severity, visible(d.Message))
	if d.Suggestion != "" {
		fmt.Fprintf(&b, "; did you mean %q?", d.Suggestion)
	}
	b.WriteByte('\n')
	excerpt(&b, d.Place)
	for _, n := range d.Notes {
		b.WriteString("  ")
		if n.Place.File != "" {
			b.WriteString(visible(n.Place.String()) + ": ")
		}
		fmt.Fprintf(&b, "note: %s\n", visible(n.Message))
		excerpt(&b, n.Place)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// excerpt writes the line of p and marks its piece.
func excerpt(b *strings.Builder, p Place) {
	if p.Line == 0 || p.Column == 0 || strings.TrimSpace(p.Text) == "" {
		return
	}
	line := []rune(p.Text)
	at := min(p.Column-1, len(line))
	width := max(1, min(p.Width, len(line)-at))
	cut, before, after := cutLine(len(line), at)
	shown := line[cut:min(len(line), cut+window)]
	width = min(width, max(1, len(shown)-(at-cut)))
	b.WriteString("    " + before)
	var marks strings.Builder
	marks.WriteString("    " + strings.Repeat(" ", len([]rune(before))))
	for i, r := range shown {
		text, columns := shape(r)
		b.WriteString(text)
		switch {
		case cut+i < at && r == '\t':
			marks.WriteByte('\t')
		case cut+i < at:
			marks.WriteString(strings.Repeat(" ", columns))
		case cut+i == at:
			marks.WriteString("^" + strings.Repeat("~", columns-1))
		case cut+i < at+width:
			marks.WriteString(strings.Repeat("~", columns))
		}
	}
	if at-cut >= len(shown) {
		marks.WriteByte('^')
	}
	b.WriteString(after + "\n" + marks.String() + "\n")
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
	case unicode.IsControl(r) || unicode.In(r, unicode.Cf):
		s := escape(r)
		return s, len(s)
	case wide(r):
		return string(r), 2
	}
	return string(r), 1
}

// wide tells whether terminals give a character two columns.
func wide(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hangul, unicode.Hiragana, unicode.Katakana) || r >= 0x1f300 && r <= 0x1faff || r >= 0xff01 && r <= 0xff60
}

func escape(r rune) string {
	if r < 0x100 {
		return fmt.Sprintf(`\x%02x`, r)
	}
	return fmt.Sprintf(`\u%04x`, r)
}

// visible makes control characters harmless.
func visible(s string) string {
	if strings.IndexFunc(s, unicode.IsControl) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if unicode.IsControl(r) {
			b.WriteString(escape(r))
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}
