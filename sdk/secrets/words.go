package secrets

import (
	"strings"
	"sync"
)

// maxRules bounds the number of rules, those of the library's words among them.
const maxRules = 96

// wordTable finds in one pass which rules a text may concern. It is indexed by the first two bytes of a word, in lower
// case and seven bits each.
type wordTable [1 << 14][]ruleWord

type ruleWord struct {
	rest string // after the first two bytes
	rule int
}

var words = sync.OnceValue(func() *wordTable {
	t := new(wordTable)
	for i := range rules {
		for _, w := range rules[i].words {
			t.add(w, i)
		}
	}
	for reach, list := range vendorWords() {
		for _, w := range list {
			t.add(w, len(rules)+reach)
		}
	}
	return t
})

func (t *wordTable) add(word string, rule int) {
	k := key(word[0], word[1])
	t[k] = append(t[k], ruleWord{word[2:], rule})
}

func key(a, b byte) int { return int(a&0x7f)<<7 | int(b&0x7f) }

// window is a part of a text that begins and ends with lines.
type window struct{ start, end int }

// mentioned gives for each rule the lines of text where a word of it occurs, in order. A rule looks at those and their
// neighbours only, which is what makes the engine fast on source code.
func mentioned(text string) [maxRules][]window {
	var out [maxRules][]window
	if len(text) < 2 {
		return out
	}
	table := words()
	line := window{0, -1}
	last := fold(text[0])
	for i := 1; i < len(text); i++ {
		if text[i-1] == '\n' {
			line = window{i, -1}
		}
		c := fold(text[i])
		for _, w := range table[key(last, c)] {
			at := out[w.rule]
			if n := len(at); n > 0 && at[n-1].end > i || !follows(text[i+1:], w.rest) {
				continue
			}
			if line.end < i {
				line.end = lineEnd(text, i)
			}
			out[w.rule] = append(at, line)
		}
		last = c
	}
	return out
}

// lineEnd gives the offset after the line that holds i.
func lineEnd(text string, i int) int {
	if n := strings.IndexByte(text[i:], '\n'); n >= 0 {
		return i + n + 1
	}
	return len(text)
}

// widen gives the windows with so many lines before and after, joined where they touch.
func widen(text string, at []window, before, after int) []window {
	if before == 0 && after == 0 {
		return at
	}
	out := at[:0:0]
	for _, w := range at {
		for n := before; n > 0 && w.start > 0; n-- {
			w.start = strings.LastIndexByte(text[:w.start-1], '\n') + 1
		}
		for n := after; n > 0 && w.end < len(text); n-- {
			w.end = lineEnd(text, w.end)
		}
		out = appendWindow(out, w)
	}
	return out
}

// appendWindow adds a window that begins no earlier than those before, joined to the last where they touch.
func appendWindow(windows []window, w window) []window {
	if n := len(windows); n > 0 && w.start <= windows[n-1].end {
		windows[n-1].end = max(windows[n-1].end, w.end)
		return windows
	}
	return append(windows, w)
}

// follows tells whether text begins with word, which is in lower case.
func follows(text, word string) bool {
	if len(text) < len(word) {
		return false
	}
	for i := range len(word) {
		if fold(text[i]) != word[i] {
			return false
		}
	}
	return true
}

// fold makes an ASCII letter small.
func fold(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
