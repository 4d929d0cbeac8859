package secrets

import (
	"cmp"
	_ "embed"
	"slices"
	"strings"
)

// The reach of a word of the library: how far from it the secret may be that it announces.
const (
	reachAll   = iota // anywhere in the text
	reachLines        // in the lines around it
	reachRun          // in the lines around it, and it has longRun characters of a token in a row
	reaches
)

// vendorReach is how many lines above and below a word reachLines goes.
const vendorReach = 3

// longRun is the length of what stands in a row in any match of the rules behind reachRun.
const longRun = 16

// vendorList holds the words by which the library decides that a rule is worth trying, each with its reach. It is made of
// the library's rules by the test that compares them, so that a text without any of the words does not cost their reading.
//
//go:embed vendorwords.txt
var vendorList string

// vendorWords gives the words of vendorList by reach.
func vendorWords() [reaches][]string {
	var out [reaches][]string
	for line := range strings.Lines(vendorList) {
		name, word, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if i := slices.Index(reachNames[:], name); ok && i >= 0 {
			out[i] = append(out[i], word)
		}
	}
	return out
}

var reachNames = [reaches]string{"all", "lines", "run"}

// vendorWindows gives the parts of a text that the library has to look at.
func vendorWindows(text string, at [][]window) []window {
	if len(at[reachAll]) > 0 {
		return []window{{0, len(text)}}
	}
	near := widen(text, at[reachLines], vendorReach, vendorReach)
	for _, w := range widen(text, at[reachRun], vendorReach, vendorReach) {
		if hasRun(text[w.start:w.end]) {
			near = append(near, w)
		}
	}
	slices.SortFunc(near, func(a, b window) int { return cmp.Compare(a.start, b.start) })
	out := near[:0:0]
	for _, w := range near {
		out = appendWindow(out, w)
	}
	return out
}

// tokenCharacter tells which bytes stand in tokens, without the dot, which joins names.
var tokenCharacter = func() (t [256]bool) {
	for c := range t {
		t[c] = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("_-+/=", byte(c)) >= 0
	}
	return t
}()

// hasRun tells whether a text has longRun characters of a token in a row.
func hasRun(text string) bool {
	run := 0
	for i := range len(text) {
		if !tokenCharacter[text[i]] {
			run = 0
		} else if run++; run == longRun {
			return true
		}
	}
	return false
}
