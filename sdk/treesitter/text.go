package treesitter

import (
	"bytes"
	"strings"
	"unsafe"
)

// startsLine tells whether only white space stands before at on its line.
func startsLine(src []byte, at uint32) bool {
	line := src[bytes.LastIndexByte(src[:at], '\n')+1 : at]
	return len(bytes.TrimSpace(line)) == 0
}

// text gives the source of a capture without copying it: strings of a file live as long as its source.
func text(src []byte, c *capture) string {
	if c.start >= c.end || int(c.end) > len(src) {
		return ""
	}
	return unsafe.String(&src[c.start], int(c.end-c.start))
}

// lastRow is the row of the last byte of c: nodes that take the line feed in end on the row after.
func lastRow(src []byte, c capture) uint32 {
	_, row := trimmedEnd(src, &c)
	return row
}

// trimmedEnd gives the end of c without white space behind it, and its row.
func trimmedEnd(src []byte, c *capture) (end, row uint32) {
	end, row = min(c.end, uint32(len(src))), c.endRow
	for end > c.start+1 {
		switch src[end-1] {
		case '\n':
			row--
		case ' ', '\t', '\r', '\f':
		default:
			return end, row
		}
		end--
	}
	return end, c.startRow // a single byte is in the row it starts in, a line feed too
}

func unquote(s string) string {
	if len(s) >= 2 && strings.ContainsRune("\"'`", rune(s[0])) && s[len(s)-1] == s[0] {
		return s[1 : len(s)-1]
	}
	return s
}
