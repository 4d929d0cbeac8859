package relevance

import (
	"math"
	"strings"
)

// rareness finds what each term is worth: its weight in the goal times its inverse document frequency, which is taken
// over what packs read: data and prose would only blur what is rare in code.
func (r *ranker) rareness() {
	n := 0.0
	having := make([]float64, len(r.goal.Terms))
	for i, d := range r.indexed {
		if r.docs[i].Language == "" {
			continue
		}
		n++
		for t := range d.counts {
			if d.counts[t] != ([fields]float64{}) {
				having[t]++
			}
		}
	}
	r.worth = make([]float64, len(having))
	for t, k := range having {
		r.worth[t] = r.goal.Terms[t].Weight * math.Log(1+(n-k+0.5)/(k+0.5))
		if strings.Contains(r.goal.Terms[t].Word, joint) {
			r.worth[t] *= r.weights.joint
		}
	}
}

// scoreFields is BM25F: the counts of all fields are weighted and added before they saturate, so that a word met in two
// fields is no two words. Each field's part is its share of the weighted count.
func (r *ranker) scoreFields(i int) {
	d := r.indexed[i]
	if d.counts == nil {
		return
	}
	norm := r.weights.saturation * (1 - r.weights.lengthNorm + r.weights.lengthNorm*d.length/r.average)
	var value [fields]float64
	var words [fields][]string
	for t := range d.counts {
		total := 0.0
		for f, c := range d.counts[t] {
			total += r.weights.field[f] * c
		}
		if total == 0 {
			continue
		}
		unit := r.worth[t] * (r.weights.saturation + 1) / (total + norm)
		for f, c := range d.counts[t] {
			if c > 0 {
				value[f] += unit * r.weights.field[f] * c
				words[f] = append(words[f], r.goal.Terms[t].Shown())
			}
		}
	}
	for f := range fields {
		r.add(i, Part{Kind: kindOf[f], Value: value[f], Words: words[f]})
	}
}
