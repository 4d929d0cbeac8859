package treesitter

import "strings"

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

// parts splits a list of the source at its commas.
func parts(list string) []string {
	var out []string
	for {
		part := firstPart(list, ",")
		out = append(out, part)
		if len(part) == len(list) {
			return out
		}
		list = list[len(part)+1:]
	}
}

// pathParts splits what the angle brackets of a path hold at its commas.
func pathParts(held string) []string {
	var out []string
	depth, start := 0, 0
	for i := range len(held) {
		switch held[i] {
		case '<':
			depth++
		case '>':
			depth--
		case ',':
			if depth == 0 {
				out = append(out, held[start:i])
				start = i + 1
			}
		}
	}
	return append(out, held[start:])
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
