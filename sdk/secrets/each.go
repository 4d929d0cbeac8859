package secrets

import (
	"slices"
	"strings"
)

// Change is what Each did to one text.
type Change struct {
	// Index is the text's in the list.
	Index int
	// Kinds are the rules that found something in it; none if it repeats a secret of another text.
	Kinds []string
}

// apart separates texts that have nothing to do with each other, by more lines than the rules for values below their names
// look at.
const apart = "\n\n\n\n"

// Each is the function Each without what users add to the rules.
func Each(texts []string) []Change { return (*Policy)(nil).Each("", texts) }

// Each redacts many short texts in place, of which hardly any has a secret: names, paths, signatures. They are looked at as
// one text first, and one by one only if there is something in it. A secret that is found in one of them is taken out of all. The
// texts are of the file that path names, which is empty for others.
func (p *Policy) Each(path string, texts []string) []Change {
	if p.Allows(path) {
		return nil
	}
	var b strings.Builder
	for _, t := range texts {
		if suspicious(t) || p != nil && p.rules != nil {
			b.WriteString(t)
			b.WriteString(apart)
		}
	}
	if b.Len() == 0 || len(p.Find("", b.String())) == 0 {
		return nil
	}
	found := map[string]bool{}
	kinds := map[int][]string{}
	for i, t := range texts {
		spans := p.Find("", t)
		for _, s := range spans {
			if v := t[s.Start:s.End]; Distinctive(v) {
				found[v] = true
			}
			if !slices.Contains(kinds[i], s.Rule) {
				kinds[i] = append(kinds[i], s.Rule)
			}
		}
		texts[i] = Apply(t, spans)
	}
	var out []Change
	replacer := Replacer(found)
	for i, t := range texts {
		if replacer != nil {
			texts[i] = replacer.Replace(t)
		}
		if kinds[i] != nil || texts[i] != t {
			out = append(out, Change{Index: i, Kinds: kinds[i]})
		}
	}
	return out
}

// shortToken is the length in bytes below which a text without context is no token.
const shortToken = 12

// suspicious tells whether a text could hold a secret at all. Names and paths, which most texts are, hardly ever can: they
// have nothing that ties a value to a name, and no token in them.
func suspicious(text string) bool {
	run, digit := 0, false
	for i := range len(text) {
		c := text[i]
		switch {
		case !tokenCharacter[c]:
			if c != '.' && c != '/' && c != '$' {
				return true
			}
			run, digit = 0, false
		case c == '=':
			return true
		case c == '/':
			run, digit = 0, false
		default:
			run++
			digit = digit || c >= '0' && c <= '9'
			if run >= shortToken && digit {
				return true
			}
		}
	}
	return false
}
