package langts

import (
	"bytes"
	"regexp"

	"github.com/repox-dev/repox/sdk/treesitter"
)

// What the languages have and their grammars do not. The first group of each is written over with blanks.
var newer = []*regexp.Regexp{
	// variance of type parameters (TypeScript 4.7): interface Box<in out T>
	regexp.MustCompile(`[<,]\s*(?:const\s+)?((?:in\s+|out\s+)+)[A-Z_$]`),
	regexp.MustCompile(`\b(accessor)\s+[#\w$\["']`),
	regexp.MustCompile(`\bexport\s+(type)\s*\*`),
	regexp.MustCompile(`\b(export)\s+import\s+(?:type\s+)?[\w$]+\s*=\s*require\b`),
	regexp.MustCompile(`\bimport\s+(defer|source)\s+(?:\*|[\w$]+\s+from)`),
	// the grammar reads no escapes in types that are template literals
	regexp.MustCompile("(\\\\`)"),
}

// Members of a type that begin with what is an operator elsewhere: without a semicolon before them, the grammar ties them to
// the member before. The first group is the place for one.
var memberStarts = []*regexp.Regexp{
	regexp.MustCompile(`\n[ \t]*([ \t])<(?:\s|//[^\n]*\n)*[A-Za-z_$]`), // a call signature
	regexp.MustCompile(`\n[ \t]*([ \t])(?:in|of|as|is|instanceof|satisfies)\??:`),
}

// Type arguments that the grammar does not expect: behind the tag of a template, and behind an imported type. They end, or
// begin, where the expression does.
var (
	taggedEnd   = regexp.MustCompile(">`")
	importedTop = regexp.MustCompile(`\bimport\(\s*["'][^"'\n]*["']\s*\)(?:\.[\w$]+)+<`)
)

// mask writes over what the grammar does not know, so that the rest of the file can be read.
func mask(src []byte) []byte {
	o := treesitter.NewOverlay(src)
	o.Blank(newer)
	for _, pattern := range memberStarts {
		for _, m := range pattern.FindAllSubmatchIndex(src, -1) {
			if endsMember(src[:m[0]]) {
				o.Fill(m[2], m[3], ';')
			}
		}
	}
	for _, m := range taggedEnd.FindAllIndex(src, -1) {
		if start := opening(src, m[0]+1); start > 0 && (isWord(src[start-1]) || src[start-1] == ')') {
			o.Fill(start, m[0]+1, ' ')
		}
	}
	for _, m := range importedTop.FindAllIndex(src, -1) {
		if end := closing(src, m[1]-1); end > 0 {
			o.Fill(m[1]-1, end, ' ')
		}
	}
	return o.Text()
}

// endsMember tells whether the code up to an offset may end a member of a type, so that the next line begins another.
func endsMember(src []byte) bool {
	end := codeBefore(src, len(src))
	return end > 0 && !bytes.HasSuffix(src[:end], []byte("=>")) &&
		(isWord(src[end-1]) || bytes.IndexByte([]byte(")]}>'\"`"), src[end-1]) >= 0)
}

// longestArguments bounds how far opening and closing look.
const longestArguments = 2000

// opening gives the place of the angle bracket that the one before an offset closes, 0 if there is none near.
func opening(src []byte, end int) int {
	depth := 0
	for i := end - 1; i > 0 && i > end-longestArguments; i-- {
		switch src[i] {
		case '>':
			if src[i-1] != '=' {
				depth++
			}
		case '<':
			if depth--; depth == 0 {
				return i
			}
		case '`':
			return 0
		}
	}
	return 0
}

// closing gives the end of what the angle bracket at an offset opens, 0 if there is none near.
func closing(src []byte, start int) int {
	depth := 0
	for i := start; i < len(src) && i < start+longestArguments; i++ {
		switch src[i] {
		case '<':
			depth++
		case '>':
			if src[i-1] == '=' {
				continue
			}
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}
