package treesitter

import (
	"strings"

	"github.com/repox-dev/repox/sdk/tag"
)

// Notation says how a language writes types and values, as far as it takes to follow a value to its type. Its methods turn
// source text into paths as tag.Member.Type has them; text that leads nowhere gives an empty path.
type Notation struct {
	// Transparent are generic types that act as what they hold: Box of Box<T>.
	Transparent map[string]bool
	// Keyed are generic types of keys and values, whose values count.
	Keyed map[string]bool
	// Holds are the methods that give what a value holds, or the value itself: unwrap, clone.
	Holds map[string]bool
	// Self is the word for the value that a method belongs to, where no parameter is named so; Super the one for it as
	// its base.
	Self, Super string
	// Results: types in parentheses are the results of a function, of which the first counts, and may have names.
	Results bool
	// Tokens: a name may stand among loose tokens, the arguments of a macro. The value that it is a member of is read from
	// the text before it.
	Tokens bool
}

// longestPath bounds the source text of a receiver or type that is looked at, in bytes.
const longestPath = 400

// maxPathNesting bounds types in types and values in values.
const maxPathNesting = 6

// typeWords are the words that may stand before the name of a type.
var typeWords = map[string]bool{
	"mut": true, "const": true, "dyn": true, "impl": true, "chan": true, "readonly": true, "unsafe": true,
}

// noTypes are the words of types without a name.
var noTypes = map[string]bool{
	"func": true, "fn": true, "Fn": true, "FnMut": true, "FnOnce": true, "struct": true, "interface": true,
	"typeof": true, "keyof": true, "for": true,
}

// noBounds are traits that say nothing of what a value can do.
var noBounds = map[string]bool{"Send": true, "Sync": true, "Sized": true, "Unpin": true, "None": true, "null": true, "undefined": true}

// TypePath gives the path that leads to a type as the source writes it.
func (n *Notation) TypePath(text string) string {
	if len(text) > longestPath {
		return ""
	}
	return n.typePath(text, maxPathNesting)
}

func (n *Notation) typePath(t string, depth int) string {
	t = strings.TrimSpace(t)
	if t == "" || depth == 0 {
		return ""
	}
	switch c := t[0]; {
	case c == '&' || c == '*' || c == '.' || c == '?' || c == ':':
		return n.typePath(t[1:], depth)
	case strings.HasPrefix(t, "<-"):
		return n.typePath(t[2:], depth)
	case strings.HasPrefix(t, "->"):
		return n.typePath(t[2:], depth)
	case (c == '\'' || c == '"') && len(t) > 2 && t[len(t)-1] == c:
		return n.typePath(t[1:len(t)-1], depth-1)
	case c == '\'':
		word := nameLength(t[1:])
		return n.typePath(strings.TrimLeft(t[1+word:], " +"), depth)
	case c == '(':
		return n.typeInParentheses(t, depth)
	case c == '[':
		inner, rest := brackets(t)
		if strings.TrimSpace(rest) == "" {
			rest = firstPart(inner, ";,")
		}
		return held(n.typePath(rest, depth-1))
	}
	return n.namedType(t, depth)
}

// held is the path of something without a name that holds a type.
func held(path string) string {
	if path == "" {
		return ""
	}
	return "<" + path + ">"
}

func (n *Notation) typeInParentheses(t string, depth int) string {
	inner, rest := brackets(t)
	first := firstPart(inner, ",")
	switch {
	case strings.HasPrefix(strings.TrimSpace(rest), "=>"): // a function
		return ""
	case len(first) < len(inner) && !n.Results:
		return "" // a tuple
	case strings.HasPrefix(rest, "[]"):
		return held(n.typePath(first, depth-1))
	}
	if n.Results {
		// The result may have a name.
		if word := nameLength(first); word < len(first) && first[word] == ' ' && first[:word] != "chan" {
			first = first[word:]
		}
	}
	return n.typePath(first, depth-1)
}

func (n *Notation) namedType(t string, depth int) string {
	end := pathLength(t)
	name, rest := t[:end], t[end:]
	switch {
	case end == 0 || noTypes[name]:
		return ""
	case typeWords[name]:
		return n.typePath(rest, depth)
	case name == "map" && strings.HasPrefix(rest, "["):
		_, rest = brackets(rest)
		return held(n.typePath(rest, depth-1))
	}
	rest = strings.TrimLeft(rest, " ")
	path := dotted(name)
	last := path[strings.LastIndexByte(path, '.')+1:]
	if len(rest) > 1 && (rest[0] == '<' || rest[0] == '[' && rest[1] != ']') {
		inner, after := brackets(rest)
		argument := n.typePath(n.argument(inner, n.Keyed[last]), depth-1)
		rest = after
		switch {
		case n.Transparent[last]:
			if argument == "" {
				return ""
			}
			path = argument
		case argument != "":
			path += "<" + argument + ">"
		}
	}
	if strings.HasPrefix(rest, "[]") {
		path = held(path)
	}
	switch rest = strings.TrimLeft(rest, " \n"); {
	case rest == "":
	case (rest[0] == '|' || rest[0] == '+') && noBounds[last]:
		return n.typePath(rest[1:], depth)
	case rest[0] == '|':
		for part := range strings.SplitSeq(rest[1:], "|") {
			if !noBounds[strings.TrimSpace(part)] {
				return "" // one of several types
			}
		}
	}
	if last == "Self" {
		path = strings.TrimSuffix(path, "Self") + "@"
	}
	return path
}

// argument chooses the type argument that counts. It may have a name: Output = T.
func (n *Notation) argument(arguments string, keyed bool) string {
	first := firstPart(arguments, ",")
	for strings.HasPrefix(strings.TrimSpace(first), "'") && len(first) < len(arguments) && !strings.HasSuffix(first, "'") {
		arguments = arguments[len(first)+1:]
		first = firstPart(arguments, ",")
	}
	if keyed && len(first) < len(arguments) {
		first = firstPart(arguments[len(first)+1:], ",")
	}
	if _, value, named := strings.Cut(first, "="); named && !strings.HasPrefix(value, ">") {
		return value
	}
	return first
}

// noValues are words that a value of unknown type begins with.
var noValues = map[string]bool{
	"if": true, "match": true, "not": true, "lambda": true, "func": true, "fn": true, "function": true, "async": true, "move": true,
	"unsafe": true, "typeof": true, "void": true, "yield": true, "class": true, "struct": true, "interface": true, "loop": true,
	"while": true, "for": true, "return": true, "delete": true, "throw": true, "true": true, "false": true, "nil": true,
	"None": true, "null": true, "undefined": true, "True": true, "False": true, "switch": true, "select": true,
}

// ValuePath gives the path that leads to the type of an expression. Of several, with commas between, the first counts.
func (n *Notation) ValuePath(text string) string {
	if len(text) > longestPath {
		return ""
	}
	return n.valuePath(text, maxPathNesting)
}

func (n *Notation) valuePath(t string, depth int) string {
	t = strings.TrimSpace(t)
	if t == "" || depth == 0 {
		return ""
	}
	switch c := t[0]; {
	case c == '&' || c == '*':
		return n.valuePath(strings.TrimPrefix(t[1:], "mut "), depth)
	case c == '(':
		inner, rest := brackets(t)
		if len(firstPart(inner, ",")) < len(inner) {
			return ""
		}
		return n.steps(n.valuePath(inner, depth-1), rest, depth)
	case c == '[':
		inner, rest := brackets(t)
		if rest = strings.TrimSpace(rest); rest != "" && (isNameByte(rest[0]) || rest[0] == '*' || rest[0] == '[') {
			return held(n.typePath(firstPart(rest, "{("), depth-1))
		}
		return n.steps(held(n.valuePath(inner, depth-1)), rest, depth)
	case c >= '0' && c <= '9':
		return ""
	}
	word := nameLength(t)
	head, rest := t[:word], t[word:]
	switch {
	case word == 0 || noValues[head]:
		return ""
	case head == "await" && strings.HasPrefix(rest, " "):
		if p := n.valuePath(rest, depth-1); p != "" {
			return p + ".!"
		}
		return ""
	case head == "new" && strings.HasPrefix(rest, " "):
		return n.valuePath(rest, depth-1)
	case n.Results && (head == "new" || head == "make") && strings.HasPrefix(rest, "("):
		inner, rest := brackets(rest)
		return n.steps(n.typePath(firstPart(inner, ","), depth-1), rest, depth)
	case n.Results && head == "map" && strings.HasPrefix(rest, "["):
		return n.typePath(firstPart(t, "{"), depth-1)
	case head == n.Self || head == "Self":
		head = "@"
	case head == n.Super && head != "":
		head = "@.^"
	}
	return n.steps(head, rest, depth)
}

// steps follows what stands behind a value of known path.
func (n *Notation) steps(path, t string, depth int) string {
	for path != "" {
		t = strings.TrimLeft(t, " \t\r\n")
		if t == "" {
			return path
		}
		switch c := t[0]; {
		case strings.HasPrefix(t, "//") && strings.Contains(t, "\n"):
			t = t[strings.IndexByte(t, '\n'):]
		case strings.HasPrefix(t, "::<"), c == '<':
			inner, rest := brackets(strings.TrimPrefix(t, "::"))
			if c == '<' && !strings.HasPrefix(rest, "(") || strings.ContainsAny(inner, ";{}") {
				return ""
			}
			t = rest
		case strings.HasPrefix(t, ".("): // a type assertion
			inner, rest := brackets(t[1:])
			path, t = n.typePath(inner, depth-1), rest
		case c == '.', strings.HasPrefix(t, "?."), strings.HasPrefix(t, "::"), strings.HasPrefix(t, "->"):
			t = strings.TrimLeft(strings.TrimLeft(t, ".?:->"), " \t\r\n")
			word := nameLength(t)
			if word == 0 || t[0] >= '0' && t[0] <= '9' {
				return ""
			}
			switch name := t[:word]; {
			case name == "await" || name == "__class__":
			case n.Holds[name]:
				path += "." + name + "!"
			default:
				path += "." + name
			}
			t = t[word:]
		case c == '(':
			_, t = brackets(t)
		case c == '[':
			_, rest := brackets(t)
			if !strings.HasPrefix(rest, "(") {
				path += ".!"
			}
			t = rest
		case c == '{':
			_, rest := brackets(t)
			if strings.TrimSpace(rest) != "" && rest[0] != '.' {
				return ""
			}
			t = rest
		case c == '?':
			path, t = path+".!", t[1:]
		case c == '!' && !strings.HasPrefix(t, "!=") && !strings.HasPrefix(t, "!(") && !strings.HasPrefix(t, "!["):
			t = t[1:]
		case strings.HasPrefix(t, "as "):
			return n.typePath(t[3:], depth-1)
		case c == ',', c == ';':
			return path
		default:
			return ""
		}
	}
	return ""
}

// brackets splits a text that begins with a bracket behind the bracket that closes it. Brackets in strings do not count.
func brackets(t string) (inner, rest string) {
	depth := 0
	angles := t[0] == '<'
	for i := 0; i < len(t); i++ {
		switch c := t[i]; c {
		case '(', '[', '{':
			depth++
		case '<':
			if angles {
				depth++
			}
		case ')', ']', '}':
			depth--
		case '>':
			if angles && (i == 0 || t[i-1] != '-' && t[i-1] != '=') {
				depth--
			}
		case '"', '`':
			i = quoteEnd(t, i)
			continue
		case '\'':
			// A literal of any length, unless it is a lifetime.
			if end := strings.IndexByte(t[i+1:], '\''); end >= 0 && !strings.ContainsAny(t[i+1:i+1+end], ",>)\n") || end == 1 {
				i = quoteEnd(t, i)
			}
			continue
		}
		if depth == 0 {
			return t[1:i], t[i+1:]
		}
	}
	return t[1:], ""
}

// quoteEnd gives the index of the quote that ends the literal at i, or of the last byte.
func quoteEnd(t string, i int) int {
	quote := t[i]
	for i++; i < len(t); i++ {
		switch t[i] {
		case '\\':
			i++
		case quote:
			return i
		}
	}
	return len(t) - 1
}

// firstPart gives t up to the first of the separators outside of brackets.
func firstPart(t, separators string) string {
	for i := 0; i < len(t); i++ {
		c := t[i]
		if strings.IndexByte(separators, c) >= 0 {
			return t[:i]
		}
		switch c {
		case '(', '[', '{', '<':
			if c == '<' && (i == 0 || !isNameByte(t[i-1])) {
				continue
			}
			inner, _ := brackets(t[i:])
			i += len(inner) + 1
		case '"', '`':
			i = quoteEnd(t, i)
		}
	}
	return t
}

func isNameByte(c byte) bool {
	return c == '_' || c == '$' || c >= 0x80 || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func nameLength(t string) int {
	i := 0
	for i < len(t) && isNameByte(t[i]) {
		i++
	}
	return i
}

// pathLength is nameLength for names with dots or colons between.
func pathLength(t string) int {
	i := nameLength(t)
	for i > 0 && i < len(t) {
		sep := 1
		switch {
		case strings.HasPrefix(t[i:], "::"):
			sep = 2
		case t[i] != '.':
			return i
		}
		n := nameLength(t[i+sep:])
		if n == 0 {
			return i
		}
		i += sep + n
	}
	return i
}

// dotted writes a path of the source with dots.
func dotted(path string) string { return strings.ReplaceAll(path, "::", ".") }

// headOf gives the first name of a path.
func headOf(path string) string {
	if i := strings.IndexAny(path, ".<!"); i >= 0 {
		return path[:i]
	}
	return path
}

// placeReceivers writes the type that a method belongs to in the place of @ at the start of a receiver.
func placeReceivers(f *tag.File) {
	next, open := 0, -1
	var written map[[2]string]string
	for i := range f.References {
		r := &f.References[i]
		for next < len(f.Definitions) && f.Definitions[next].Start <= r.Start {
			if d := &f.Definitions[next]; declaresLocals(d.Kind) && (open < 0 || f.Definitions[open].End <= d.Start) {
				open = next
			}
			next++
		}
		switch {
		case r.Receiver == "":
		case r.Qualifier != tag.UnknownQualifier:
			r.Receiver = ""
		case r.Receiver[0] == '@':
			if open < 0 || f.Definitions[open].End <= r.Start || f.Definitions[open].Scope == "" {
				r.Receiver = ""
				continue
			}
			key := [2]string{f.Definitions[open].Scope, r.Receiver}
			path, ok := written[key]
			if !ok {
				path = key[0] + r.Receiver[1:]
				if written == nil {
					written = map[[2]string]string{}
				}
				written[key] = path
			}
			r.Receiver = path
		}
	}
}

// valueBefore gives the text of the value that ends at a place: names with dots between, calls and indexes.
func valueBefore(src []byte, end int) string {
	const longest = 200
	at := end
	for at > 0 && end-at < longest {
		switch c := src[at-1]; {
		case isNameByte(c), c == '.', c == '?':
			at--
			continue
		case c == ':' && at > 1 && src[at-2] == ':':
			at -= 2
			continue
		case c == ')' || c == ']':
			if open := openingBefore(src, at-1, longest); open >= 0 && open != at-1 {
				at = open
				continue
			}
			return ""
		}
		break
	}
	return string(src[at:end])
}

// openingBefore gives the index of the bracket that the one at close belongs to, -1 if it is too far away.
func openingBefore(src []byte, close, longest int) int {
	depth := 0
	for i := close; i >= 0 && close-i < longest; i-- {
		switch src[i] {
		case ')', ']', '}':
			depth++
		case '(', '[', '{':
			if depth--; depth == 0 {
				return i
			}
		case '"', '\'':
			return -1
		}
	}
	return -1
}
