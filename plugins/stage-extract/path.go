package extract

import "strings"

// nameEnd gives the length of the name that a path begins with.
func nameEnd(path string) int {
	if i := strings.IndexAny(path, ".<!"); i >= 0 {
		return i
	}
	return len(path)
}

// heldParts splits what angle brackets hold at its commas.
func heldParts(held string) []string {
	var parts []string
	depth, start := 0, 0
	for i := range len(held) {
		switch held[i] {
		case '<':
			depth++
		case '>':
			depth--
		case ',':
			if depth == 0 {
				parts = append(parts, held[start:i])
				start = i + 1
			}
		}
	}
	return append(parts, held[start:])
}

// angles splits a path that begins with an angle bracket behind the one that closes it.
func angles(path string) (inner, rest string, ok bool) {
	depth := 0
	for i := range len(path) {
		switch path[i] {
		case '<':
			depth++
		case '>':
			if depth--; depth == 0 {
				return path[1:i], path[i+1:], true
			}
		}
	}
	return "", "", false
}
