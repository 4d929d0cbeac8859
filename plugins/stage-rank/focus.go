package rank

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// focus says how strongly each file and each definition answers the focus text; the columns are nil where there is none.
type focus struct {
	file, definition []float64
	query            *query
}

// What a hit is worth. A rarer word is worth more; see wordWeights.
const (
	pathHit       = 12.0
	fileNameHit   = 6.0
	identifierHit = 10.0
	wordHit       = 1.0
	wholeNameHit  = 3.0
	pathWordHit   = 1.5
	// wordShare: a hit counts in full where it is the whole name and less where the name has more words.
	wordShare = 0.5
)

// query is what a focus text asks for.
type query struct {
	paths       []string            // lower case
	identifiers map[string]struct{} // as written
	words       map[string]struct{} // lower case
}

func newFocus(text string, r *ranker) *focus {
	q := parseQuery(text)
	if len(q.words) == 0 && len(q.paths) == 0 {
		return &focus{}
	}
	f := &focus{query: q, file: make([]float64, len(r.files)), definition: make([]float64, len(r.graph.DefFile))}
	f.matchDefinitions(q, r)
	f.matchPaths(q, r)
	for i := range f.file {
		if r.test[i] {
			f.file[i] *= testVote
		}
		if !r.shown[i] {
			f.file[i] = 0
		}
	}
	sharpen(f.file)
	sharpen(f.definition)
	return f
}

// sharpen squares scores: a few good answers are worth more than many that share a word with the question.
func sharpen(scores []float64) {
	for i, s := range scores {
		scores[i] = s * s
	}
}

var (
	pathLike = regexp.MustCompile(`[\w@.+-]*(?:/[\w@.+-]+)+|[\w-]+\.[a-zA-Z]{1,5}\b`)
	nameLike = regexp.MustCompile(`[\pL_$][\pL\pN_$]*`)
)

// parseQuery pulls paths and identifiers out of prose; every other word counts too, but less.
func parseQuery(text string) *query {
	q := &query{identifiers: map[string]struct{}{}, words: map[string]struct{}{}}
	for _, p := range pathLike.FindAllString(text, -1) {
		if p = strings.ToLower(strings.Trim(p, "./")); p != "" {
			q.paths = append(q.paths, p)
		}
	}
	code := codeSpans(text)
	last := ""
	for _, n := range nameLike.FindAllString(text, -1) {
		if _, quoted := code[n]; quoted || looksLikeCode(n) {
			q.identifiers[n] = struct{}{}
		}
		for _, w := range splitName(n) {
			if stopWords[w] || len(w) < 2 {
				last = ""
				continue
			}
			q.words[stem(w)] = struct{}{}
			if last != "" {
				q.words[stem(last+w)] = struct{}{} // round robin is often one word in names
			}
			last = w
		}
	}
	return q
}

// wordsIn gives the words of the query that some names have, each once.
func (q *query) wordsIn(names []string) []string {
	var out []string
	for _, n := range names {
		for _, w := range splitName(n) {
			if _, ok := q.words[stem(w)]; ok && !slices.Contains(out, w) {
				out = append(out, w)
			}
		}
	}
	return out
}

var backticks = regexp.MustCompile("`[^`\n]+`")

// codeSpans gives the names that stand in backticks.
func codeSpans(text string) map[string]struct{} {
	out := map[string]struct{}{}
	for _, span := range backticks.FindAllString(text, -1) {
		for _, n := range nameLike.FindAllString(span, -1) {
			out[n] = struct{}{}
		}
	}
	return out
}

// looksLikeCode tells an identifier from a word: an underscore or digit inside, or a capital after a small letter.
func looksLikeCode(n string) bool {
	small := false
	for _, c := range n {
		if c == '_' || c == '$' || unicode.IsDigit(c) || small && unicode.IsUpper(c) {
			return true
		}
		small = unicode.IsLower(c)
	}
	return false
}

// splitName splits an identifier at case changes, underscores and digits, in lower case.
func splitName(n string) []string {
	var out []string
	runes := []rune(n)
	start := 0
	cut := func(end int) {
		if end > start {
			out = append(out, strings.ToLower(string(runes[start:end])))
		}
		start = end
	}
	for i, c := range runes {
		switch {
		case !unicode.IsLetter(c):
			cut(i)
			start = i + 1
		case i > start && unicode.IsUpper(c) && !unicode.IsUpper(runes[i-1]):
			cut(i)
		case i > start+1 && unicode.IsLower(c) && unicode.IsUpper(runes[i-1]) && unicode.IsUpper(runes[i-2]):
			cut(i - 1)
		}
	}
	cut(len(runes))
	return out
}

// stem takes common English endings off, so that "orders" finds order and "parsing" finds parse.
func stem(w string) string {
	for _, end := range []string{"ing", "ies", "ers", "ed", "er", "es", "s", "e"} {
		if strings.HasSuffix(w, end) && len(w)-len(end) >= 3 && !strings.HasSuffix(w, "ss") {
			return w[:len(w)-len(end)]
		}
	}
	return w
}

var stopWords = set(`a an and are as at be but by can do does for from has have how i if in into is it its me my not of on or
	our should so that the their then there these this to up us was we what when where which who why will with would you your
	all any code file files function functions method methods class need please make want find show work works use used using`)

func set(words string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(words) {
		out[w] = true
	}
	return out
}

// matchDefinitions scores the names of definitions. Names are split once, however many definitions share them.
func (f *focus) matchDefinitions(q *query, r *ranker) {
	g := r.graph
	words := make(map[uint32][]string)
	frequency := map[string]float64{}
	for _, n := range g.DefName {
		if _, done := words[n]; done {
			continue
		}
		var hits []string
		parts := splitName(g.Strings[n])
		for _, w := range parts {
			if _, ok := q.words[stem(w)]; ok {
				hits = append(hits, stem(w))
			}
		}
		for _, h := range hits {
			frequency[h]++
		}
		words[n] = hits
	}
	score := make(map[uint32]float64)
	for n, hits := range words {
		if s := nameScore(g.Strings[n], hits, q, frequency, float64(len(words))); s > 0 {
			score[n] = s
		}
	}
	for d, n := range g.DefName {
		s := score[n]
		if s == 0 {
			continue
		}
		f.definition[d] = s
		// A file is worth its best hits; the thousandth of a kind adds nothing.
		file := g.DefFile[d]
		f.file[file] = math.Max(f.file[file], s) + 0.05*math.Min(f.file[file], s)
	}
}

func nameScore(name string, hits []string, q *query, frequency map[string]float64, names float64) float64 {
	score := 0.0
	if _, ok := q.identifiers[name]; ok {
		score += identifierHit
	}
	if len(hits) == 0 {
		return score
	}
	for _, h := range hits {
		score += wordHit * rareness(frequency[h], names)
	}
	parts := len(splitName(name))
	score *= math.Pow(float64(len(hits))/float64(max(parts, len(hits))), wordShare)
	if len(hits) == parts {
		score += wholeNameHit * rareness(frequency[hits[0]], names)
	}
	return score
}

// rareness is between 0 and 1: how much a word tells that n of so many names have.
func rareness(n, names float64) float64 {
	return math.Log1p(names/math.Max(n, 1)) / math.Log1p(names)
}

// matchPaths scores paths: those spelled out, file names, and words of the focus that are words of the path.
func (f *focus) matchPaths(q *query, r *ranker) {
	hits := make([][]string, len(r.files))
	frequency := map[string]float64{}
	for i, file := range r.files {
		seen := map[string]bool{}
		for _, n := range nameLike.FindAllString(string(file.Path), -1) {
			for _, w := range splitName(n) {
				w = stem(w)
				if _, ok := q.words[w]; ok && !seen[w] {
					seen[w] = true
					hits[i] = append(hits[i], w)
					frequency[w]++
				}
			}
		}
	}
	for i, file := range r.files {
		for _, w := range hits[i] {
			f.file[i] += pathWordHit * rareness(frequency[w], float64(len(r.files)))
		}
		f.file[i] += spelledOut(strings.ToLower(string(file.Path)), q.paths)
	}
}

// spelledOut scores a path against the paths of the query: a whole path or its end, a folder, or a file's name.
func spelledOut(path string, asked []string) float64 {
	best := 0.0
	for _, p := range asked {
		switch {
		case path == p, strings.HasSuffix(path, "/"+p):
			best = math.Max(best, pathHit)
		case strings.Contains(p, "/") && (strings.HasPrefix(path, p+"/") || strings.Contains(path, "/"+p+"/")):
			best = math.Max(best, fileNameHit)
		}
	}
	return best
}
