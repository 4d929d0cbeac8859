package langpython

import "bytes"

// block is a class or function as the lines of a file show it.
type block struct {
	start, nameStart, nameEnd uint32
	row                       uint32
	end, endRow               uint32 // of its last statement; comments behind that are no part of it
	headerEnd                 uint32
	reach                     uint32 // its end, with lines that are indented like no statement
	doc, docEnd               uint32 // its doc string, empty if it has none
	column                    int
	isClass                   bool
}

// outline finds the classes and functions of a file by its lines alone. In sound code that is what the grammar finds,
// with exact ends. In broken code it is more: a bracket or colon left out makes the grammar tie statements to what
// follows, while the indentation still says what belongs together.
func outline(src []byte, broken bool) []block {
	var blocks []block
	var open []int   // blocks that the line lies in, by index
	var levels []int // columns that statements stand at
	s := lineScanner{src: src, broken: broken}
	last := 0     // column of the line before
	pending := -1 // the block whose first statement comes next
	for line, ok := s.next(); ok; line, ok = s.next() {
		for len(levels) > 0 && levels[len(levels)-1] > line.column {
			levels = levels[:len(levels)-1]
		}
		// A line that falls back to a column where nothing stood is broken, and ends no block.
		stray := last > line.column && (len(levels) == 0 || levels[len(levels)-1] < line.column)
		if len(levels) == 0 || levels[len(levels)-1] < line.column {
			levels = append(levels, line.column)
		}
		last = line.column
		for len(open) > 0 && blocks[open[len(open)-1]].column >= line.column {
			open = open[:len(open)-1]
		}
		if pending >= 0 && line.literalEnd == line.end && len(open) > 0 && open[len(open)-1] == pending {
			blocks[pending].doc, blocks[pending].docEnd = line.start, line.end
		}
		pending = -1
		if b, ok := header(src, line); ok {
			pending = len(blocks)
			open = append(open, pending)
			blocks = append(blocks, b)
		}
		for _, i := range open {
			blocks[i].reach = line.end
			if !stray {
				blocks[i].end, blocks[i].endRow = line.end, line.endRow
			}
		}
	}
	return blocks
}

// header reads the head of a class or function; false if the line is none.
func header(src []byte, line logicalLine) (block, bool) {
	b := block{start: line.start, row: line.row, end: line.end, endRow: line.endRow, headerEnd: line.end, column: line.column}
	at, word := wordAt(src, line.start)
	if word == "async" {
		at, word = wordAt(src, at)
	}
	if word != "def" && word != "class" {
		return b, false
	}
	b.isClass = word == "class"
	end, name := wordAt(src, at)
	if name == "" || name[0] >= '0' && name[0] <= '9' {
		return b, false
	}
	b.nameStart, b.nameEnd = end-uint32(len(name)), end
	if line.colon != 0 {
		b.headerEnd = line.colon
		body := line.colon + 1 + uint32(len(src[line.colon+1:line.end])-len(bytes.TrimLeft(src[line.colon+1:line.end], " \t")))
		if end, ok := literalEnd(src, body); ok && end == line.end {
			b.doc, b.docEnd = body, end
		}
	} else {
		b.headerEnd = b.nameEnd + uint32(len(firstLine(src[b.nameEnd:line.end])))
	}
	return b, true
}

// wordAt gives the word behind at and the gap that a statement may have there, and where it ends.
func wordAt(src []byte, at uint32) (end uint32, word string) {
	for int(at) < len(src) {
		n := uint32(1)
		if c := src[at]; c == '\\' {
			n = continuation(src, at)
			if n == 1 {
				break
			}
		} else if c != ' ' && c != '\t' && c != '\f' {
			break
		}
		at += n
	}
	end = at
	for int(end) < len(src) && isNameByte(src[end]) {
		end++
	}
	return end, string(src[at:end])
}

// logicalLine is a statement, or the head of one, over as many lines as it takes.
type logicalLine struct {
	start, row, end, endRow uint32
	column                  int
	colon                   uint32 // the first outside of brackets, 0 if there is none
	literalEnd              uint32 // where the string that the line begins with ends, 0 if it begins with another thing
}

// lineScanner splits a file into logical lines.
type lineScanner struct {
	src     []byte
	at, row uint32
	broken  bool // the grammar found errors
}

func (s *lineScanner) next() (logicalLine, bool) {
	column, ok := s.indent()
	if !ok {
		return logicalLine{}, false
	}
	line := logicalLine{start: s.at, row: s.row, column: column}
	if end, ok := literalEnd(s.src, s.at); ok {
		line.literalEnd = end
	}
	depth := 0
	for int(s.at) < len(s.src) {
		c := s.src[s.at]
		step := uint32(1)
		switch c {
		case '\n':
			s.at++
			s.row++
			if depth == 0 || s.restarts(column) {
				return line, true
			}
			continue
		case ' ', '\t', '\r', '\f':
			s.at++
			continue
		case '#':
			s.skipComment()
			continue
		case '"', '\'':
			step = stringEnd(s.src, s.at) - s.at
		case '\\':
			step = continuation(s.src, s.at)
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth = max(0, depth-1)
		case ':':
			if depth == 0 && line.colon == 0 {
				line.colon = s.at
			}
		}
		s.row += uint32(bytes.Count(s.src[s.at:s.at+step], []byte("\n")))
		s.at += step
		if c != '\\' {
			line.end, line.endRow = s.at, s.row
		}
	}
	// A string without an end takes in the line feeds at the end of the file.
	for line.end > line.start+1 && s.src[line.end-1] == '\n' {
		line.end--
		line.endRow--
	}
	return line, true
}

// indent goes to the next statement and gives the column it stands at.
func (s *lineScanner) indent() (column int, ok bool) {
	for ; int(s.at) < len(s.src); s.at++ {
		switch s.src[s.at] {
		case '\n':
			s.row++
			column = 0
		case '\f':
			column = 0
		case ' ':
			column++
		case '\t':
			column = column/8*8 + 8
		case '\r':
		case '#':
			s.skipComment()
			s.at--
		case '\\':
			n := continuation(s.src, s.at)
			if n == 1 {
				return column, true
			}
			s.row++
			s.at += n - 1
		default:
			return column, true
		}
	}
	return 0, false
}

func (s *lineScanner) skipComment() {
	if i := bytes.IndexByte(s.src[s.at:], '\n'); i >= 0 {
		s.at += uint32(i)
	} else {
		s.at = uint32(len(s.src))
	}
}

// restarts tells whether the line at hand cannot stand inside a bracket, so that one was not closed: no expression has a
// class or def, and where the grammar found errors, a word that is not indented is more likely a statement. Otherwise it
// goes on to what the line holds, so that blank lines are looked at once.
func (s *lineScanner) restarts(column int) bool {
	probe := *s
	at, ok := probe.indent()
	if !ok {
		return false
	}
	end, word := wordAt(s.src, probe.at)
	next := word
	if word == "async" {
		_, next = wordAt(s.src, end)
	}
	if s.src[probe.at] == '@' {
		_, word = wordAt(s.src, probe.at+1)
	}
	if next == "def" || next == "class" || s.broken && at <= column && word != "" && !inExpression[word] {
		return true
	}
	s.at, s.row = probe.at, probe.row
	return false
}

// inExpression are the words that a line inside a bracket may well begin with.
var inExpression = map[string]bool{
	"if": true, "else": true, "for": true, "in": true, "and": true, "or": true, "not": true, "is": true, "lambda": true, "await": true,
}

// continuation gives the length of a backslash with what it takes away: a line end, or itself alone.
func continuation(src []byte, at uint32) uint32 {
	rest := src[at+1:]
	switch {
	case bytes.HasPrefix(rest, []byte("\n")):
		return 2
	case bytes.HasPrefix(rest, []byte("\r\n")):
		return 3
	}
	return 1
}

// literalEnd gives the end of the string literal at an offset, prefix and all; false if none begins there.
func literalEnd(src []byte, at uint32) (uint32, bool) {
	for i := at; int(i) < len(src) && i < at+3; i++ {
		switch c := src[i]; {
		case c == '"' || c == '\'':
			return stringEnd(src, i), true
		case bytes.IndexByte([]byte("rRuUbB"), c) < 0:
			return 0, false
		}
	}
	return 0, false
}

// stringEnd gives the end of the string whose quote stands at an offset. One in single quotes ends with its line.
func stringEnd(src []byte, at uint32) uint32 {
	quote := src[at : at+1]
	triple := int(at)+3 <= len(src) && src[at+1] == src[at] && src[at+2] == src[at]
	if triple {
		quote = src[at : at+3]
	}
	for i := int(at) + len(quote); i < len(src); i++ {
		switch c := src[i]; {
		case c == '\\':
			i += max(1, int(continuation(src, uint32(i)))-1) // up to what the backslash takes away
		case c == '\n' && !triple:
			return uint32(i)
		case c == quote[0] && bytes.HasPrefix(src[i:], quote):
			return uint32(i + len(quote))
		}
	}
	return uint32(len(src))
}
