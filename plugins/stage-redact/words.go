package redact

// wordTable finds in one pass which rules a text may concern. It is indexed by the first two bytes of a word, in lower
// case and seven bits each.
type wordTable [1 << 14][]ruleWord

type ruleWord struct {
	rest string // after the first two bytes
	rule int
}

var words = newWordTable()

func newWordTable() *wordTable {
	t := new(wordTable)
	for i := range rules {
		for _, w := range rules[i].words {
			k := key(w[0], w[1])
			t[k] = append(t[k], ruleWord{w[2:], i})
		}
	}
	return t
}

func key(a, b byte) int { return int(a&0x7f)<<7 | int(b&0x7f) }

// mentioned gives the rules, as bits, of which a word occurs in text. There are fewer than 64 of them.
func mentioned(text string) uint64 {
	var out uint64
	if len(text) < 2 {
		return 0
	}
	last := fold(text[0])
	for i := 1; i < len(text); i++ {
		c := fold(text[i])
		for _, w := range words[key(last, c)] {
			if out&(1<<w.rule) == 0 && follows(text[i+1:], w.rest) {
				out |= 1 << w.rule
			}
		}
		last = c
	}
	return out
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
