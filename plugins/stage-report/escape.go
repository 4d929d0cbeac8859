package report

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/repox-dev/repox/sdk/model"
)

// showPath gives a path as it is where that is safe to read, else as a quoted Go string: with control characters, quotes,
// backslashes, characters that cannot be seen, space at an end, or bytes that are no UTF-8.
func showPath(path []byte) string {
	s := string(path)
	if s == "" || !utf8.ValidString(s) || s != strings.TrimSpace(s) || strings.ContainsAny(s, "\"\\'`") {
		return strconv.Quote(s)
	}
	for _, r := range s {
		if !strconv.IsPrint(r) {
			return strconv.Quote(s)
		}
	}
	return s
}

// showSignature gives what a definition's line says: its signature or, where there is none, kind and name.
func showSignature(d *model.SelectedDefinition) string {
	if s := printable(d.Signature); s != "" {
		return s
	}
	return printable(d.Kind + " " + d.Name)
}

// shorten gives what showSignature does, cut at max characters, or the name alone at nameOnly.
func shorten(d *model.SelectedDefinition, max int) string {
	if max == nameOnly {
		return cut(printable(d.Name), shortest)
	}
	return cut(showSignature(d), max)
}

// printable makes s one line that a terminal can show: white space becomes a space, and what cannot be seen is escaped.
func printable(s string) string {
	plain := true
	for _, r := range s {
		plain = plain && (r == ' ' || strconv.IsPrint(r))
	}
	if plain && utf8.ValidString(s) {
		return strings.TrimSpace(s)
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case unicode.IsSpace(r):
			b.WriteByte(' ')
		case strconv.IsPrint(r):
			b.WriteRune(r)
		default:
			quoted := strconv.QuoteRuneToASCII(r)
			b.WriteString(quoted[1 : len(quoted)-1])
		}
	}
	return strings.TrimSpace(b.String())
}

// cut shortens s to at most max characters, the last of them an ellipsis. Combining marks stay with their letter.
func cut(s string, max int) string {
	if len(s) <= max || utf8.RuneCountInString(s) <= max {
		return s
	}
	runes := []rune(s)
	end := max - 1
	for end > 1 && unicode.Is(unicode.M, runes[end]) {
		end--
	}
	return strings.TrimRight(string(runes[:end]), " ") + "…"
}

// inlineCode writes s as Markdown code, whatever backticks it has.
func inlineCode(s string) string {
	run := longestRun(s)
	if run == 0 {
		return "`" + s + "`"
	}
	ticks := strings.Repeat("`", run+1)
	return ticks + " " + s + " " + ticks
}

// fenceFor gives a fence that no line of text can close.
func fenceFor(text string) string {
	return strings.Repeat("`", max(3, longestRun(text)+1))
}

// longestRun gives the length of the longest run of backticks.
func longestRun(s string) int {
	longest, run := 0, 0
	for i := range len(s) {
		if s[i] != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}
