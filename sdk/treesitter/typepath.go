package treesitter

import "strings"

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

// tuple is the path of something without a name that holds several things, each under its number: what path gives for each
// of the parts.
func tuple(parts []string, path func(part string) string) string {
	paths := make([]string, len(parts))
	known := false
	for i, part := range parts {
		paths[i] = path(part)
		known = known || paths[i] != ""
	}
	if !known {
		return ""
	}
	return "<" + strings.Join(paths, ",") + ">"
}

func (n *Notation) typeInParentheses(t string, depth int) string {
	inner, rest := brackets(t)
	first := firstPart(inner, ",")
	switch {
	case strings.HasPrefix(strings.TrimSpace(rest), "=>"): // a function
		return ""
	case len(first) < len(inner) && !n.Results:
		return tuple(parts(inner), func(part string) string { return n.typePath(part, depth-1) })
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
