package langts

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/repox-dev/repox/sdk/tag"
)

// tight closes the gaps that a list of parameters leaves when its lines are joined.
var tight = strings.NewReplacer("( ", "(", ", )", ")", " )", ")")

// Words that belong to the declaration after them, although they stand outside of its node: those of every declaration,
// and those that say what a declarator or an enum is.
var (
	modifiers = map[string]bool{"export": true, "default": true, "declare": true}
	keywords  = map[string]bool{"const": true, "let": true, "var": true, "using": true, "await": true}
)

// place moves the start of a declaration before its keywords. One of several declarators keeps its own lines.
func (z *finisher) place(d *tag.Definition) {
	start := d.Start
	declarator := d.Kind == tag.Constant || d.Kind == tag.Variable || isDeclarator(*d)
	if declarator {
		next := d.End + blank(z.src[d.End:])
		if int(next) < len(z.src) && z.src[next] == ',' {
			return
		}
	}
	for {
		word, at := wordBefore(z.src, start)
		if !modifiers[word] && !(keywords[word] && (declarator || d.Kind == tag.Enum)) || at > 0 && (z.src[at-1] == '.' || z.src[at-1] == '#') {
			break
		}
		// In "x as const" the word ends the statement before.
		if before, _ := wordBefore(z.src, at); word == "const" && before == "as" {
			break
		}
		start = at
	}
	if start == d.Start {
		return
	}
	d.Signature = oneLine(z.src[start:d.Start]) + " " + d.Signature
	d.StartRow -= uint32(bytes.Count(z.src[start:d.Start], []byte("\n")))
	d.Start = start
}

// isDeclarator tells a variable that holds a function or class: its name stands first.
func isDeclarator(d tag.Definition) bool {
	return d.Start == d.NameStart && d.Name != "default"
}

// wordBefore gives the word before an offset, comments between them left out.
func wordBefore(src []byte, at uint32) (string, uint32) {
	end := codeBefore(src, int(at))
	start := end
	for start > 0 && isWord(src[start-1]) {
		start--
	}
	return string(src[start:end]), uint32(start)
}

// codeBefore gives the end of what stands before an offset, white space and comments left out.
func codeBefore(src []byte, end int) int {
	for {
		end = len(bytes.TrimRight(src[:end], " \t\r\n\f"))
		if bytes.HasSuffix(src[:end], []byte("*/")) {
			if i := bytes.LastIndex(src[:end], []byte("/*")); i >= 0 {
				end = i
				continue
			}
		}
		line := bytes.LastIndexByte(src[:end], '\n') + 1
		if text := bytes.TrimLeft(src[line:end], " \t"); bytes.HasPrefix(text, []byte("//")) {
			end = line
			continue
		}
		return end
	}
}

func isWord(c byte) bool {
	return c == '_' || c == '$' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// blank counts the white space and comments at the start of src.
func blank(src []byte) uint32 {
	rest := src
	for {
		rest = bytes.TrimLeft(rest, " \t\r\n\f")
		end := -1
		switch {
		case bytes.HasPrefix(rest, []byte("//")):
			end = bytes.IndexByte(rest, '\n')
		case bytes.HasPrefix(rest, []byte("/*")):
			if end = bytes.Index(rest, []byte("*/")); end >= 0 {
				end += 2
			}
		}
		if end < 0 {
			return uint32(len(src) - len(rest))
		}
		rest = rest[end:]
	}
}

func startsWithWord(src []byte, word string) bool {
	return bytes.HasPrefix(src, []byte(word)) && (len(src) == len(word) || !isWord(src[len(word)]))
}

func oneLine(src []byte) string { return strings.Join(strings.Fields(string(src)), " ") }

var accessorField = regexp.MustCompile(`^(?:static\s+)?(?:get|set)\s*\n\s*\*`)

// placeMethod sets right what the grammars make of line ends in a class: a generator after a field named get is none of
// its accessors, and static on a line of its own belongs to the method after it.
func (z *finisher) placeMethod(d *tag.Definition) {
	start := d.Start
	if m := accessorField.Find(z.src[start:d.NameStart]); m != nil {
		d.Start += uint32(len(m)) - 1
		d.StartRow += uint32(bytes.Count(z.src[start:d.Start], []byte("\n")))
		d.Signature = strings.TrimPrefix(d.Signature, oneLine(z.src[start:d.Start])+" ")
	}
	if word, at := wordBefore(z.src, start); word == "static" && at > 0 && !bytes.ContainsAny(z.src[at-1:at], ".#=") {
		d.Start = at
		d.StartRow -= uint32(bytes.Count(z.src[at:start], []byte("\n")))
		d.Signature = "static " + d.Signature
	}
}
