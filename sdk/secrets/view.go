package secrets

import (
	"sort"
	"strings"
)

// invisible are characters that a reader does not see and that would break a secret in two for a pattern.
const invisible = "\u200b\u200c\u200d\u2060\u00ad\ufeff"

// view gives a text without invisible characters, and what leads from an offset in it back to the offset in the text. Most
// texts have none and are their own view.
func view(text string) (string, func(int) int) {
	if !strings.ContainsAny(text, invisible) {
		return text, func(i int) int { return i }
	}
	var b strings.Builder
	var starts, shifts []int // from this offset of the view on, so much more in the text
	shift := 0
	for i, r := range text {
		n := len(string(r))
		if strings.ContainsRune(invisible, r) && r != '\ufffd' {
			shift += n
			starts, shifts = append(starts, b.Len()), append(shifts, shift)
			continue
		}
		if r == '\ufffd' && !strings.HasPrefix(text[i:], "\ufffd") {
			n = 1 // a byte that is no character
		}
		b.WriteString(text[i : i+n])
	}
	return b.String(), func(i int) int {
		n := sort.SearchInts(starts, i+1)
		if n == 0 {
			return i
		}
		return i + shifts[n-1]
	}
}
