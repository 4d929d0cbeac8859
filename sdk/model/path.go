package model

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// PathText gives a path as text. A path that is no UTF-8 has its bad bytes written as \xff and its backslashes
// doubled, and is said to be escaped.
func PathText(path []byte) (text string, escaped bool) {
	if utf8.Valid(path) {
		return string(path), false
	}
	var b strings.Builder
	for len(path) > 0 {
		r, n := utf8.DecodeRune(path)
		switch {
		case r == utf8.RuneError && n == 1:
			b.WriteString(`\x` + strconv.FormatUint(uint64(path[0])|0x100, 16)[1:])
		case r == '\\':
			b.WriteString(`\\`)
		default:
			b.Write(path[:n])
		}
		path = path[n:]
	}
	return b.String(), true
}
