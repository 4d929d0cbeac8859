package relevance

import (
	"math"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Goal is what a text in plain words asks for.
type Goal struct {
	// Terms are the words looked for, in the order of the text.
	Terms []Term
	// Paths, Identifiers and Literals are what the text names outright: files and folders, names of definitions, and
	// quoted texts such as error messages.
	Paths, Identifiers, Literals []string
	// AboutTests and AboutGenerated: the text is about tests, or about generated code.
	AboutTests, AboutGenerated bool

	index map[string]int
}

// Term is one word of a goal.
type Term struct {
	// Word is stemmed; two words that belong together are joined.
	Word string
	// Weight is 1 for a word said once; the first line counts more, and what is said again counts a little more.
	Weight float64

	seen float64
}

// Shown gives the term for people to read.
func (t Term) Shown() string { return strings.ReplaceAll(t.Word, joint, " ") }

// A goal can be a whole issue thread; what comes after so much says nothing new.
const (
	maxGoalBytes = 1 << 16
	maxTerms     = 256
	maxNamed     = 64
)

var (
	pathLike    = regexp.MustCompile(`[\w@.+-]*(?:/[\w@.+\[\]-]+)+|[\w-]+(?:\.[\w-]+)*\.[a-zA-Z]{1,5}\b`)
	nameLike    = regexp.MustCompile(`[\pL_][\pL\pM\pN_]*`)
	callLike    = regexp.MustCompile(`([\pL_][\pL\pN_]*)\(`)
	backticks   = regexp.MustCompile("`[^`\n]+`")
	quoted      = regexp.MustCompile(`"([^"\n]{4,200})"|“([^”\n]{4,200})”|'([^'\n]{8,200})'(?:\W|$)` + "|`([^`\n]{4,200})`")
	webAddress  = regexp.MustCompile(`https?://\S+`)
	aboutTests  = regexp.MustCompile(`(?i)\b(?:tests?|flaky|specs?|benchmarks?|fixtures?)\b`)
	aboutOutput = regexp.MustCompile(`(?i)\bgenerated\b`)
)

// ParseGoal reads a goal. Words of prose that say nothing are left out; an empty goal has no terms.
func ParseGoal(text string) *Goal {
	text = webAddress.ReplaceAllString(cutText(text, maxGoalBytes), " ")
	subject, body, _ := strings.Cut(strings.TrimSpace(text), "\n")
	g := &Goal{
		index:      map[string]int{},
		AboutTests: aboutTests.MatchString(subject), AboutGenerated: aboutOutput.MatchString(subject),
	}
	g.addWords(subject, tuned.subject)
	g.addWords(body, 1)
	for i := range g.Terms {
		g.Terms[i].Weight = 1 + math.Log(g.Terms[i].seen)
	}
	g.addPaths(text)
	g.addIdentifiers(text)
	g.addLiterals(text)
	return g
}

// cutText cuts at a border of characters.
func cutText(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit]
}

// addWords takes the words of prose; neighbours are joined as far as nothing but a space, a hyphen or a change of case
// stands between them.
func (g *Goal) addWords(text string, weight float64) {
	last, end := "", -1
	for _, at := range nameLike.FindAllStringIndex(text, -1) {
		name := text[at[0]:at[1]]
		if end >= 0 && strings.Trim(text[end:at[0]], " -") != "" {
			last = ""
		}
		end = at[1]
		words := Split(name)
		for _, w := range words {
			// In a name of several words each says something, even those that say nothing in prose.
			if utf8.RuneCountInString(w) < 2 || len(words) == 1 && stopWords[w] {
				last = ""
				continue
			}
			s := Stem(w)
			g.add(s, weight)
			if last != "" {
				g.add(last+joint+s, weight)
			}
			last = s
		}
	}
}

func (g *Goal) add(word string, weight float64) {
	i, ok := g.index[word]
	if !ok {
		if len(g.Terms) == maxTerms {
			return
		}
		i = len(g.Terms)
		g.index[word] = i
		g.Terms = append(g.Terms, Term{Word: word})
	}
	g.Terms[i].seen += weight
}

func (g *Goal) addPaths(text string) {
	for _, p := range pathLike.FindAllString(text, -1) {
		g.Paths = appendNew(g.Paths, strings.ToLower(strings.Trim(p, "./")))
	}
}

func (g *Goal) addIdentifiers(text string) {
	for _, span := range backticks.FindAllString(text, -1) {
		for _, n := range nameLike.FindAllString(span, -1) {
			if !stopWords[n] {
				g.Identifiers = appendNew(g.Identifiers, n)
			}
		}
	}
	for _, m := range callLike.FindAllStringSubmatch(text, -1) {
		g.Identifiers = appendNew(g.Identifiers, m[1])
	}
	for _, n := range nameLike.FindAllString(text, -1) {
		if looksLikeCode(n) {
			g.Identifiers = appendNew(g.Identifiers, n)
		}
	}
}

// addLiterals takes quoted texts of two words and more, and those that can be no identifier.
func (g *Goal) addLiterals(text string) {
	for _, m := range quoted.FindAllStringSubmatch(text, -1) {
		for _, s := range m[1:] {
			if s = strings.TrimSpace(s); s != "" && nameLike.FindString(s) != s {
				g.Literals = appendNew(g.Literals, s)
			}
		}
	}
}

func appendNew(list []string, s string) []string {
	if len(s) < 2 || len(list) == maxNamed {
		return list
	}
	for _, l := range list {
		if l == s {
			return list
		}
	}
	return append(list, s)
}
