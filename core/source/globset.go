package source

import "strings"

// classes are the named sets that a bracket may hold. They know ASCII only, and as in git a space is none of the
// rarer vertical ones.
var classes = map[string]func(c byte) bool{
	"alnum":  func(c byte) bool { return isAlpha(c) || isDigit(c) },
	"alpha":  isAlpha,
	"blank":  func(c byte) bool { return c == ' ' || c == '\t' },
	"cntrl":  func(c byte) bool { return c < 0x20 || c == 0x7f },
	"digit":  isDigit,
	"graph":  isGraph,
	"lower":  isLower,
	"print":  func(c byte) bool { return 0x20 <= c && c < 0x7f },
	"punct":  func(c byte) bool { return isGraph(c) && !isAlpha(c) && !isDigit(c) },
	"space":  func(c byte) bool { return strings.IndexByte(" \t\n\r", c) >= 0 },
	"upper":  isUpper,
	"xdigit": func(c byte) bool { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' },
}

func isLower(c byte) bool { return 'a' <= c && c <= 'z' }
func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }
func isAlpha(c byte) bool { return isLower(c) || isUpper(c) }
func isDigit(c byte) bool { return '0' <= c && c <= '9' }
func isGraph(c byte) bool { return 0x20 < c && c < 0x7f }

// setReader reads what stands between brackets.
type setReader struct {
	text string
	pos  int
	set  byteSet
	fold bool
}

// parseSet reads a bracket expression; pos is the place after the opening bracket. It gives the set and the place
// after the closing bracket, or false for an expression that matches nothing.
func parseSet(text string, pos int, fold bool) (*byteSet, int, bool) {
	r := &setReader{text: text, pos: pos, fold: fold}
	negate := r.pos < len(text) && (text[r.pos] == '!' || text[r.pos] == '^')
	if negate {
		r.pos++
	}
	// low is the byte that a following dash makes a range of, -1 for none.
	low := -1
	for first := true; ; first = false {
		if r.pos >= len(text) {
			return nil, 0, false
		}
		c := text[r.pos]
		if c == ']' && !first {
			break
		}
		var ok bool
		if low, ok = r.item(c, low); !ok {
			return nil, 0, false
		}
	}
	if negate {
		for i := range r.set {
			r.set[i] = ^r.set[i]
		}
	}
	return &r.set, r.pos + 1, true
}

// item reads one member: a byte, a range or a class. It gives the byte that may start a range.
func (r *setReader) item(c byte, low int) (int, bool) {
	switch {
	case c == '\\':
		if r.pos+1 >= len(r.text) {
			return 0, false
		}
		c = r.text[r.pos+1]
		r.pos += 2
		r.addByte(c)
		return int(c), true
	case c == '-' && low > 0 && r.pos+1 < len(r.text) && r.text[r.pos+1] != ']':
		return -1, r.span(byte(low))
	case c == '[' && strings.HasPrefix(r.text[r.pos+1:], ":"):
		if done, ok := r.class(); done {
			return -1, ok
		}
	}
	r.pos++
	r.addByte(c)
	return int(c), true
}

func (r *setReader) span(low byte) bool {
	r.pos++
	if r.text[r.pos] == '\\' {
		r.pos++
	}
	if r.pos >= len(r.text) {
		return false
	}
	high := r.text[r.pos]
	r.pos++
	within := func(c byte) bool { return low <= c && c <= high }
	r.addMatching(func(c byte) bool {
		return within(c) || r.fold && isLower(c) && within(c-'a'+'A')
	})
	return true
}

// class reads [:name:]. It is not done where the end is missing: then the bracket is an ordinary byte.
func (r *setReader) class() (done, ok bool) {
	start := r.pos + 2
	length := strings.IndexByte(r.text[start:], ']')
	if length < 0 {
		return true, false
	}
	if length == 0 || r.text[start+length-1] != ':' {
		return false, false
	}
	name := r.text[start : start+length-1]
	in, known := classes[name]
	if !known {
		return true, false
	}
	r.pos = start + length + 1
	r.addMatching(func(c byte) bool { return in(c) || r.fold && name == "upper" && isLower(c) })
	return true, true
}

func (r *setReader) addByte(c byte) {
	r.addMatching(func(t byte) bool { return t == c })
}

// addMatching adds the bytes that satisfy a condition on the byte of the text, which is folded first.
func (r *setReader) addMatching(cond func(c byte) bool) {
	for i := range 256 {
		if cond(foldByte(byte(i), r.fold)) {
			r.set.add(byte(i))
		}
	}
}
