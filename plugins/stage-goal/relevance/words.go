package relevance

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Split cuts an identifier into its words in lower case, at changes of case, digits, underscores and other marks:
// parseHTTPRequest2 is parse, http, request, 2.
func Split(name string) []string {
	var out []string
	runes := []rune(name)
	start := 0
	cut := func(end int) {
		if end > start {
			out = append(out, strings.ToLower(string(runes[start:end])))
		}
		start = end
	}
	for i, c := range runes {
		if !unicode.IsLetter(c) && !unicode.IsDigit(c) && !unicode.IsMark(c) {
			cut(i)
			start = i + 1
			continue
		}
		if i > start && begins(runes, start, i) {
			cut(i)
			continue
		}
		// The last capital of several belongs to the word after it.
		if i > start+1 && unicode.IsLower(c) && unicode.IsUpper(runes[i-1]) && unicode.IsUpper(runes[i-2]) {
			cut(i - 1)
		}
	}
	cut(len(runes))
	return out
}

// begins tells whether a new word begins at i of one that began at start.
func begins(runes []rune, start, i int) bool {
	c, before := runes[i], runes[i-1]
	if unicode.IsDigit(c) != unicode.IsDigit(before) {
		return true
	}
	return unicode.IsUpper(c) && !unicode.IsUpper(before)
}

// Stem takes plurals, -ing and -ed off English words, so that "orders" meets order and "parsing" meets parse. Both sides
// are stemmed, so that what is left need not be a word.
func Stem(w string) string {
	if len(w) <= 3 {
		return w
	}
	switch {
	case len(w) > 4 && strings.HasSuffix(w, "ies"):
		return w[:len(w)-3] + "y"
	case strings.HasSuffix(w, "sses"):
		return w[:len(w)-2]
	case strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && !strings.HasSuffix(w, "us") && !strings.HasSuffix(w, "is"):
		w = w[:len(w)-1]
	}
	switch {
	case len(w) > 6 && strings.HasSuffix(w, "ing"):
		w = w[:len(w)-3]
	case len(w) > 5 && strings.HasSuffix(w, "ed"):
		w = w[:len(w)-2]
	}
	if len(w) > 3 && strings.HasSuffix(w, "e") {
		w = w[:len(w)-1]
	}
	return w
}

// joint marks a term made of two words that stand beside each other in one name.
const joint = "+"

// Terms gives what an identifier is found by: its stemmed words of two letters and more, and each two neighbours as one
// term, since "lock file" means lockFile rather than a file that has a lock somewhere.
func Terms(name string) []string {
	var words []string
	for _, w := range Split(name) {
		if utf8.RuneCountInString(w) > 1 {
			words = append(words, Stem(w))
		}
	}
	out := words
	for i := 1; i < len(words); i++ {
		out = append(out, words[i-1]+joint+words[i])
	}
	return out
}

// isWordByte tells whether b can be part of an identifier. Bytes of other scripts count as letters.
func isWordByte(b byte) bool {
	return b >= utf8.RuneSelf || b == '_' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || '0' <= b && b <= '9'
}

// eachName calls visit with every identifier of text and its one-based line.
func eachName(text []byte, visit func(name []byte, line int)) {
	line := 1
	for i := 0; i < len(text); {
		switch {
		case text[i] == '\n':
			line++
			i++
		case !isWordByte(text[i]):
			i++
		default:
			start := i
			for i < len(text) && isWordByte(text[i]) {
				i++
			}
			visit(text[start:i], line)
		}
	}
}

// looksLikeCode tells an identifier from a word of prose: an underscore or digit inside, or a capital after a small letter.
func looksLikeCode(name string) bool {
	small := false
	for i, c := range name {
		if i > 0 && (c == '_' || unicode.IsDigit(c)) || small && unicode.IsUpper(c) {
			return true
		}
		small = unicode.IsLower(c)
	}
	return false
}

var stopWords = set(`a about above add added adding adds after again all allow allowed allows also always am an and any are as at
	avoid be because been before being below better between both but by call called calls can cannot case change changed changes
	code correct correctly could currently did didn do does doesn doing don done down during each either else ensure etc even every
	example few file files find fix fixed fixes fixing following for from function functions further get gets getting had happens has have having
	he her here his how however i if implement implemented in instead into is isn issue it its itself just like make makes making
	may me method methods might more most much must my need needed needs new no nor not note now of off on once one only or other otherwise
	our out over own please possible pr previously problem properly provide rather really same see seems set should shouldn show since so
	some something still such support supported supports sure than that the their them then there these they thing this those
	through to too two under until up us use used user users uses using value values very via want was way we well were what when where
	whether which while who why will with within without won work working works would yet you your com http https www link another
	todo true false null none self return returns`)

func set(words string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(words) {
		out[w] = true
	}
	return out
}
