package relevance

import "sort"

// scorePassages scores each definition by the words inside of it, and gives the file a share of its best one: words that
// stand close together say more than the same words all over a long file.
func (r *ranker) scorePassages(i int) {
	d, doc := r.indexed[i], &r.docs[i]
	if d.counts == nil {
		return
	}
	count := make([]float64, len(r.goal.Terms))
	named := make([]float64, len(r.goal.Terms))
	best := -1
	for n := range doc.Definitions {
		s := r.passage(d, &doc.Definitions[n], count, named)
		if s.Score == 0 {
			continue
		}
		s.Definition = n
		r.results[i].Symbols = append(r.results[i].Symbols, s)
		if all := r.results[i].Symbols; best < 0 || s.Score > all[best].Score {
			best = len(all) - 1
		}
	}
	if best < 0 {
		return
	}
	s := r.results[i].Symbols[best]
	def := &doc.Definitions[s.Definition]
	var words []string
	for _, p := range s.Parts {
		words = appendWords(words, p.Words)
	}
	r.add(i, Part{Kind: KindBody, Value: r.weights.passage * s.Score, Words: words, Detail: def.fullName(), Line: def.LineStart})
}

func (d *Definition) fullName() string {
	if d.Scope == "" {
		return d.Name
	}
	return d.Scope + "." + d.Name
}

// passage scores one definition; count and named are room for counts by term, all zero before and after.
func (r *ranker) passage(d *indexed, def *Definition, count, named []float64) SymbolResult {
	var met []int32
	note := func(t int32) {
		if count[t] == 0 && named[t] == 0 {
			met = append(met, t)
		}
	}
	for _, t := range r.indexer.name([]byte(def.Name)).terms {
		note(t)
		named[t] += r.weights.nameInPassage
	}
	from := sort.Search(len(d.met), func(k int) bool { return int(d.met[k].line) >= def.LineStart })
	for _, m := range d.met[from:] {
		if int(m.line) > def.LineEnd {
			break
		}
		note(m.term)
		count[m.term]++
	}
	lines := float64(def.LineEnd - def.LineStart + 1)
	norm := r.weights.saturation * (1 - r.weights.lengthNorm + r.weights.lengthNorm*lines/r.averageLines)
	inName, inBody := Part{Kind: KindSymbol, Line: def.LineStart}, Part{Kind: KindBody, Line: def.LineStart}
	for _, t := range met {
		unit := r.worth[t] * (r.weights.saturation + 1) / (count[t] + named[t] + norm)
		if named[t] > 0 {
			inName.Value += unit * named[t]
			inName.Words = append(inName.Words, r.goal.Terms[t].Shown())
		}
		if count[t] > 0 {
			inBody.Value += unit * count[t]
			inBody.Words = append(inBody.Words, r.goal.Terms[t].Shown())
		}
		count[t], named[t] = 0, 0
	}
	out := SymbolResult{}
	for _, p := range []Part{inName, inBody} {
		if p.Value > 0 {
			out.Parts = append(out.Parts, p)
			out.Score += p.Value
		}
	}
	return out
}

func appendWords(to, words []string) []string {
	for _, w := range words {
		to = appendNew(to, w)
	}
	return to
}
