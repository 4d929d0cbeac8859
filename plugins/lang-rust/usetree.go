package langrust

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/repox-dev/repox/sdk/tag"
)

// useTree reads the text behind the word use. The grammar nests it as deep as the source does, so no pattern of the
// query could name all leaves with their full path.
type useTree struct {
	text    string
	at      int
	row     uint32
	imports []tag.Import
}

// readUse gives one import for each leaf of a use tree.
func readUse(into []tag.Import, text string, row uint32) []tag.Import {
	u := &useTree{text: text, row: row, imports: into}
	u.branch(nil)
	return u.imports
}

// branch reads a tree below a path, up to the comma or brace that ends it.
func (u *useTree) branch(prefix []string) {
	path := append([]string(nil), prefix...)
	for {
		start := u.at
		switch word := u.next(); word {
		case "":
			u.leaf(path, len(prefix), "")
			return
		case ",", "}":
			u.at = start
			u.leaf(path, len(prefix), "")
			return
		case "{":
			u.list(path)
			return
		case "*":
			u.imports = append(u.imports, tag.Import{Module: strings.Join(path, "::"), Names: []string{"*"}, Row: u.row})
			return
		case "as":
			u.leaf(path, len(prefix), u.next())
			return
		default:
			path = append(path, word)
		}
	}
}

func (u *useTree) list(path []string) {
	for {
		u.branch(path)
		switch u.next() {
		case ",":
		default:
			return
		}
	}
}

// leaf adds the import of one name. A path that has not grown is an empty place in a list.
func (u *useTree) leaf(path []string, grownFrom int, as string) {
	if len(path) == grownFrom {
		return
	}
	name := path[len(path)-1]
	imp := tag.Import{Module: strings.Join(path[:len(path)-1], "::"), Row: u.row}
	switch {
	case imp.Module != "" && as != "":
		imp.Names = []string{name + " as " + as}
	case imp.Module != "":
		imp.Names = []string{name}
	case as != "":
		imp.Module, imp.Names = name, []string{"* as " + as}
	default:
		imp.Module = name
	}
	u.imports = append(u.imports, imp)
}

// next gives the next name or sign, empty at the end. The colons between names say nothing and are skipped like space.
func (u *useTree) next() string {
	for u.at < len(u.text) {
		rest := u.text[u.at:]
		c := rest[0]
		switch {
		case strings.HasPrefix(rest, "//"):
			u.at += lineLength(rest)
		case strings.HasPrefix(rest, "/*"):
			u.at += blockLength(rest)
		case strings.IndexByte("{},*", c) >= 0:
			u.at++
			return rest[:1]
		default:
			n := wordLength(rest)
			if n == 0 {
				u.at++
				continue
			}
			u.at += n
			return strings.TrimPrefix(rest[:n], "r#")
		}
	}
	return ""
}

func lineLength(s string) int {
	if i := strings.IndexByte(s, '\n'); i >= 0 {
		return i
	}
	return len(s)
}

func blockLength(s string) int {
	depth := 0
	for i := 0; i+1 < len(s); i++ {
		switch s[i : i+2] {
		case "/*":
			depth++
			i++
		case "*/":
			depth--
			i++
			if depth == 0 {
				return i + 1
			}
		}
	}
	return len(s)
}

// wordLength is the length of the name at the start of s, with the mark of a raw one.
func wordLength(s string) int {
	n := 0
	if strings.HasPrefix(s, "r#") {
		n = 2
	}
	for n < len(s) {
		r, size := utf8.DecodeRuneInString(s[n:])
		if !isWord(r) {
			break
		}
		n += size
	}
	return n
}

func isWord(r rune) bool {
	return r == '_' || r == '$' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r)
}
