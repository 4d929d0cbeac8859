package treesitter

import "strings"

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
			return n.steps(tuple(parts(inner), func(part string) string { return n.valuePath(part, depth-1) }), rest, depth)
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
			if word == 0 {
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
