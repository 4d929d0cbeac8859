package source

import (
	"bytes"
	"strings"
)

// headerLines is how far down a mark of generated code counts in languages that do not say so themselves.
const headerLines = 20

// isGenerated looks for a mark in the file's opening comment. A mark further down is about something else, such as the
// code of a generator.
func (f named) isGenerated(head []byte) bool {
	if lockFiles[f.base] {
		return true
	}
	if f.ext == "go" {
		return hasGoMark(head)
	}
	if !sourceExts[f.ext] && !configExts[f.ext] && !docExts[f.ext] {
		return false
	}
	return hasHeaderMark(head)
}

// hasGoMark follows the Go convention: a line of its own before the first text that is not a comment.
func hasGoMark(head []byte) bool {
	inBlock := false
	for line := range bytes.Lines(head) {
		line = bytes.TrimRight(line, "\r\n")
		if !inBlock && isGoMark(line) {
			return true
		}
		rest := bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
		for {
			rest = bytes.TrimSpace(rest)
			if inBlock {
				_, after, closed := bytes.Cut(rest, []byte("*/"))
				if !closed {
					break
				}
				rest, inBlock = after, false
				continue
			}
			if len(rest) == 0 || bytes.HasPrefix(rest, []byte("//")) {
				break
			}
			if !bytes.HasPrefix(rest, []byte("/*")) {
				return false
			}
			rest, inBlock = rest[2:], true
		}
	}
	return false
}

func isGoMark(line []byte) bool {
	rest, ok := bytes.CutPrefix(line, []byte("// Code generated "))
	return ok && (bytes.Equal(rest, []byte("DO NOT EDIT.")) || bytes.HasSuffix(rest, []byte(" DO NOT EDIT.")))
}

// hasHeaderMark looks through the comment lines at the top of a file in any language.
func hasHeaderMark(head []byte) bool {
	inBlock := ""
	n := 0
	for raw := range bytes.Lines(head) {
		if n++; n > headerLines {
			return false
		}
		line := strings.TrimSpace(strings.TrimPrefix(string(raw), "\ufeff"))
		if line == "" {
			continue
		}
		comment := inBlock != "" || strings.HasPrefix(line, "<?") || strings.HasPrefix(line, "<!DOCTYPE")
		for _, m := range commentMarks {
			if inBlock == "" && strings.HasPrefix(line, m.open) {
				comment = true
				if m.close != "" {
					inBlock = m.close
					line = line[len(m.open):]
				}
				break
			}
		}
		if !comment {
			return false
		}
		if isGeneratedMark(line) {
			return true
		}
		if inBlock != "" && strings.Contains(line, inBlock) {
			inBlock = ""
		}
	}
	return false
}

func isGeneratedMark(line string) bool {
	if i := strings.Index(line, "@generated"); i >= 0 {
		after := line[i+len("@generated"):]
		// @generatedValue is another word.
		return after == "" || !isAlpha(after[0]) && !isDigit(after[0]) && after[0] != '_'
	}
	lower := strings.ToLower(line)
	return strings.Contains(lower, "generated") && (strings.Contains(lower, "do not edit") || strings.Contains(lower, "do not modify"))
}

// commentMarks are how comments begin, the block forms with their end first, since "/" begins both.
var commentMarks = []struct{ open, close string }{
	{"/*", "*/"}, {"<!--", "-->"}, {`"""`, `"""`}, {"'''", "'''"}, {"{-", "-}"}, {"(*", "*)"},
	{"//", ""}, {"#", ""}, {"--", ""}, {";", ""}, {"%", ""}, {"*", ""},
}
