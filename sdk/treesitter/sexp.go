package treesitter

import (
	"strings"
	"unicode/utf8"
)

// A query is read into these before it is compiled.
type (
	// queryPattern is one top-level pattern with its predicates.
	queryPattern struct {
		root       *queryNode // nil for a group of siblings
		predicates []predicate
		// special names a feature that only the general engine has; empty if there is none.
		special string
	}
	queryNode struct {
		kind     nodeKind
		name     string // the node type, or the token's text
		field    string
		captures []string
		children []*queryNode
		// choices are the branches of an alternation.
		choices  []*queryNode
		optional bool
		offset   int
	}
	nodeKind int
)

const (
	namedNode nodeKind = iota
	tokenNode
	anyNode
	anyNamedNode
	choiceNode
)

// queryReader reads the S-expressions of a query.
type queryReader struct {
	text    string
	at      int
	special string
	preds   []predicate
}

// readQuery reads the patterns of a query.
func readQuery(text string) ([]queryPattern, error) {
	r := &queryReader{text: text}
	var out []queryPattern
	for {
		r.space()
		if r.at == len(r.text) {
			return out, nil
		}
		r.special, r.preds = "", nil
		n, err := r.pattern(0)
		if err != nil {
			return nil, err
		}
		out = append(out, queryPattern{root: n, predicates: r.preds, special: r.special})
	}
}

// maxNesting bounds the recursion on hostile queries.
const maxNesting = 64

// pattern reads one pattern with what may follow it: quantifier and captures. A group of several siblings gives nil.
func (r *queryReader) pattern(depth int) (*queryNode, error) {
	if depth > maxNesting {
		return nil, r.fail(r.at, "patterns are nested too deeply")
	}
	n, err := r.primary(depth)
	if err != nil {
		return nil, err
	}
	for {
		r.space()
		switch c := r.peek(); {
		case c == '?':
			r.at++
			if n != nil {
				n.optional = true
			}
		case c == '*' || c == '+':
			r.at++
			r.special = "repetition"
		case c == '@':
			r.at++
			name := r.word()
			if name == "" {
				return nil, r.fail(r.at, "a capture needs a name")
			}
			if n != nil {
				n.captures = append(n.captures, name)
			}
		default:
			return n, nil
		}
	}
}

func (r *queryReader) primary(depth int) (*queryNode, error) {
	start := r.at
	switch c := r.peek(); {
	case c == '(':
		r.at++
		return r.parenthesis(start, depth)
	case c == '[':
		r.at++
		return r.choice(start, depth)
	case c == '"':
		text, err := r.quoted()
		return &queryNode{kind: tokenNode, name: text, offset: start}, err
	case c == '_':
		if w := r.word(); w != "_" {
			return nil, r.fail(start, "expected a pattern, found "+w)
		}
		return &queryNode{kind: anyNode, offset: start}, nil
	case c == 0:
		return nil, r.fail(start, "the query ends inside a pattern")
	}
	return nil, r.fail(start, "expected a pattern")
}

// parenthesis reads a node or a group; the opening parenthesis is behind.
func (r *queryReader) parenthesis(start, depth int) (*queryNode, error) {
	r.space()
	if c := r.peek(); c == '(' || c == '[' || c == '"' || c == '#' {
		return r.group(start, depth)
	}
	at := r.at
	name := r.word()
	if name == "" {
		return nil, r.fail(at, "expected the type of a node")
	}
	n := &queryNode{kind: namedNode, name: name, offset: at}
	switch name {
	case "_":
		n.kind = anyNamedNode
	case "MISSING":
		r.special = "MISSING"
	}
	if r.peek() == '/' {
		r.special = "a supertype"
		r.at++
		n.name = r.word()
	}
	err := r.children(start, depth, n)
	return n, err
}

func (r *queryReader) children(start, depth int, n *queryNode) error {
	for {
		r.space()
		switch c := r.peek(); {
		case c == ')':
			r.at++
			return nil
		case c == 0:
			return r.fail(start, "this parenthesis is not closed")
		case c == '.':
			r.at++
			r.special = "an anchor"
		case c == '!':
			r.at++
			r.word()
			r.special = "a negated field"
		case c == '(' && strings.HasPrefix(strings.TrimLeft(r.text[r.at+1:], " \t\r\n"), "#"):
			if err := r.predicate(); err != nil {
				return err
			}
		default:
			child, err := r.child(depth)
			if err != nil {
				return err
			}
			if child != nil {
				n.children = append(n.children, child)
			}
		}
	}
}

// child reads a pattern that may have a field name before it.
func (r *queryReader) child(depth int) (*queryNode, error) {
	at := r.at
	field := ""
	if w := r.word(); w != "" && r.peek() == ':' {
		field = w
		r.at++
		r.space()
	} else {
		r.at = at
	}
	n, err := r.pattern(depth + 1)
	if n != nil {
		n.field = field
	}
	return n, err
}

// group reads patterns in parentheses. One pattern with predicates is that pattern; several are siblings, which only
// the general engine can match.
func (r *queryReader) group(start, depth int) (*queryNode, error) {
	holder := &queryNode{}
	if err := r.children(start, depth, holder); err != nil {
		return nil, err
	}
	if len(holder.children) == 1 {
		return holder.children[0], nil
	}
	r.special = "a group of siblings"
	return nil, nil
}

func (r *queryReader) choice(start, depth int) (*queryNode, error) {
	n := &queryNode{kind: choiceNode, offset: start}
	for {
		r.space()
		switch r.peek() {
		case ']':
			r.at++
			return n, nil
		case 0:
			return nil, r.fail(start, "this bracket is not closed")
		}
		c, err := r.child(depth)
		if err != nil {
			return nil, err
		}
		if c != nil {
			n.choices = append(n.choices, c)
		}
	}
}

// space skips white space and comments.
func (r *queryReader) space() {
	for r.at < len(r.text) {
		switch r.text[r.at] {
		case ' ', '\t', '\r', '\n':
			r.at++
		case ';':
			for r.at < len(r.text) && r.text[r.at] != '\n' {
				r.at++
			}
		default:
			return
		}
	}
}

func (r *queryReader) peek() byte {
	if r.at == len(r.text) {
		return 0
	}
	return r.text[r.at]
}

func (r *queryReader) word() string {
	start := r.at
	for r.at < len(r.text) {
		c := r.text[r.at]
		if c != '_' && c != '-' && c != '.' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && c < utf8.RuneSelf {
			break
		}
		r.at++
	}
	return r.text[start:r.at]
}

func (r *queryReader) quoted() (string, error) {
	start := r.at
	var b strings.Builder
	for r.at++; r.at < len(r.text); r.at++ {
		switch c := r.text[r.at]; c {
		case '"':
			r.at++
			return b.String(), nil
		case '\n':
			return "", r.fail(start, "this string is not closed")
		case '\\':
			r.at++
			b.WriteByte(unescape(r.peek()))
		default:
			b.WriteByte(c)
		}
	}
	return "", r.fail(start, "this string is not closed")
}

func unescape(c byte) byte {
	switch c {
	case 'n':
		return '\n'
	case 't':
		return '\t'
	case 'r':
		return '\r'
	case '0':
		return 0
	}
	return c
}

func (r *queryReader) fail(offset int, message string) error {
	return queryFault(r.text, offset, message)
}

func queryFault(text string, offset int, message string) error {
	before := text[:min(offset, len(text))]
	return &QueryError{
		Line:    1 + strings.Count(before, "\n"),
		Column:  len(before) - strings.LastIndexByte(before, '\n'),
		Message: message,
	}
}
