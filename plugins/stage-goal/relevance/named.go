package relevance

import (
	"math"
	"strings"
)

// addNamedPaths rewards what the goal spells out: a whole path or its end, a file's name, or a folder. What names many
// files says less about each.
func (r *ranker) addNamedPaths() {
	for _, p := range r.goal.Paths {
		var whole, under []int
		for i := range r.docs {
			path := strings.ToLower(r.docs[i].Path)
			switch {
			case path == p, strings.HasSuffix(path, "/"+p):
				whole = append(whole, i)
			case strings.Contains(p, "/") && strings.Contains("/"+path, "/"+p+"/"):
				under = append(under, i)
			}
		}
		r.addEach(whole, r.weights.namedPath, Part{Kind: KindNamedPath, Words: []string{p}})
		r.addEach(under, r.weights.namedFolder, Part{Kind: KindNamedPath, Words: []string{p}})
	}
}

// addEach shares a reward among documents.
func (r *ranker) addEach(docs []int, share float64, p Part) {
	p.Value = share * r.best / math.Sqrt(float64(max(1, len(docs))))
	for _, i := range docs {
		r.add(i, p)
	}
}

// addNamedSymbols rewards files for definitions that the goal names as code, however rare their words are.
func (r *ranker) addNamedSymbols() {
	type place struct{ doc, def int }
	wanted := make(map[string][]place, len(r.goal.Identifiers))
	for _, n := range r.goal.Identifiers {
		wanted[n] = nil
	}
	for i := range r.docs {
		for k := range r.docs[i].Definitions {
			name := r.docs[i].Definitions[k].Name
			if at, ok := wanted[name]; ok && (len(at) == 0 || at[len(at)-1].doc != i) {
				wanted[name] = append(at, place{i, k})
			}
		}
	}
	left := make(map[int]float64)
	for _, n := range r.goal.Identifiers {
		for _, at := range wanted[n] {
			if _, ok := left[at.doc]; !ok {
				left[at.doc] = r.weights.namedSymbols
			}
			share := min(left[at.doc], r.weights.namedSymbol/math.Sqrt(float64(len(wanted[n]))))
			left[at.doc] -= share
			def := &r.docs[at.doc].Definitions[at.def]
			r.add(at.doc, Part{Kind: KindNamedSymbol, Value: share * r.best, Words: []string{n}, Detail: def.fullName(), Line: def.LineStart})
			r.nameSymbol(at.doc, at.def, n, share)
		}
	}
}

// nameSymbol rewards the definition itself.
func (r *ranker) nameSymbol(doc, def int, name string, share float64) {
	p := Part{Kind: KindNamedSymbol, Value: share * r.best, Words: []string{name}, Line: r.docs[doc].Definitions[def].LineStart}
	symbols := r.results[doc].Symbols
	for i := range symbols {
		if symbols[i].Definition == def {
			symbols[i].Score += p.Value
			symbols[i].Parts = append(symbols[i].Parts, p)
			return
		}
	}
	r.results[doc].Symbols = append(symbols, SymbolResult{Definition: def, Score: p.Value, Parts: []Part{p}})
}

// addLiterals rewards files that hold a text which the goal quotes.
func (r *ranker) addLiterals() {
	holders := make([]int, len(r.goal.Literals))
	for _, d := range r.indexed {
		for _, l := range d.literals {
			holders[l.literal]++
		}
	}
	for i, d := range r.indexed {
		left := r.weights.literals
		for _, l := range d.literals {
			share := min(left, r.weights.literal/math.Sqrt(float64(holders[l.literal])))
			left -= share
			r.add(i, Part{Kind: KindLiteral, Value: share * r.best, Words: []string{r.goal.Literals[l.literal]}, Line: l.line})
		}
	}
}
