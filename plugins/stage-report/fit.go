package report

import (
	"context"
)

// layout turns plans into text.
type layout interface {
	// levels is how many levels of detail there are; 0 says most. leanest is the one whose frame says least.
	levels() int
	leanest() int
	// around counts the lines that stand whatever is chosen, and the closing ones, at their longest.
	around(level int) int
	// heading counts what a file costs beside its definitions when so many of them are shown.
	heading(level, file, shown int) int
	// line counts one definition; its signature is cut at max characters, or left out at nameOnly.
	line(level int, i item, max int) int
	// render gives the document.
	render(p *plan) string
}

// Filling.
const (
	// enough is the part of the budget that a report fills when there is more to show.
	enough = 0.9
	// shortest is how far signatures are cut to fill a small budget better.
	shortest = 24
	// nameOnly is where a signature is cut of which only the name is left.
	nameOnly = 0
	// patience is how many definitions that do not fit are passed over in search of smaller ones.
	patience = 400
)

// fit makes the document: the most definitions in the order of their rank that the budget holds. Where long lines leave
// much of a small budget free, it cuts them, and then tries other levels of detail; the fullest document counts.
func fit(ctx context.Context, j *job, l layout) (string, error) {
	var best draft
	for _, level := range levelsToTry(j, l) {
		for max := j.maxSignature; ; max = shorter(max) {
			d, err := attempt(ctx, j, l, level, max)
			if err != nil {
				return "", err
			}
			if best.text == "" || d.betterThan(best) {
				best = d
			}
			if d.complete || d.definitions > 0 && float64(d.tokens) >= enough*float64(j.budget) {
				return best.text, nil
			}
			if max <= shortest {
				break
			}
		}
	}
	return best.text, nil
}

// draft is a rendered plan. It is complete when nothing is left out.
type draft struct {
	text                string
	tokens, definitions int
	complete            bool
}

// betterThan prefers what shows something, and then what is fuller.
func (d draft) betterThan(other draft) bool {
	if (d.definitions > 0) != (other.definitions > 0) {
		return d.definitions > 0
	}
	return d.tokens > other.tokens
}

// shorter gives the next length to cut signatures at, when the lines are too long to fill what is left.
func shorter(max int) int {
	if max > 400 {
		return 400
	}
	return min(max-1, max*7/8)
}

// levelsToTry lists the levels of detail: from the first whose frame takes at most a third of the budget to the last, and
// then those before it, whose longer frame may fill what the others leave free.
func levelsToTry(j *job, l layout) []int {
	first := l.leanest()
	for level := range first {
		if l.around(level) <= j.budget/3 {
			first = level
			break
		}
	}
	var out []int
	for level := first; level < l.levels(); level++ {
		out = append(out, level)
	}
	for level := first - 1; level >= 0; level-- {
		out = append(out, level)
	}
	return out
}

// attempt fills one document and counts it.
func attempt(ctx context.Context, j *job, l layout, level, max int) (draft, error) {
	for allowance := j.budget; ; {
		p, err := fill(ctx, j, l, level, max, allowance)
		if err != nil {
			return draft{}, err
		}
		d := draft{text: l.render(p), definitions: p.definitions, complete: p.definitions == len(j.order)}
		d.tokens = j.counter.exact(d.text)
		if d.tokens > j.budget && p.definitions == 0 {
			p.level = l.leanest()
			d.text = l.render(p)
			d.tokens = j.counter.exact(d.text)
		}
		if d.tokens <= j.budget || p.definitions == 0 {
			return d, nil
		}
		// The counts of the lines did not add up: they do for these tokenizers, but nothing depends on it.
		allowance -= d.tokens - j.budget
	}
}

// fill chooses definitions worth at most allowance tokens: the longest beginning of the rank order that fits and then,
// if much is left free, smaller ones further down and, last, any whose signature can be cut to what is left.
func fill(ctx context.Context, j *job, l layout, level, max, allowance int) (*plan, error) {
	f := &filling{job: j, layout: l, plan: newPlan(max), left: allowance - l.around(level)}
	f.plan.level = level
	f.free = int((1 - enough) * float64(allowance))
	passed, err := f.take(ctx, j.order, func(i item, room int) (int, int) { return max, l.line(level, i, max) })
	if err != nil || f.left <= f.free {
		return f.plan, err
	}
	_, err = f.take(ctx, passed, func(i item, room int) (int, int) { return squeeze(l, level, i, max, room) })
	return f.plan, err
}

// filling is a plan and the tokens that are left for it; down to free, they may stay so.
type filling struct {
	*job
	layout layout
	plan   *plan
	left   int
	free   int
}

// add puts an item in, whose line costs so many tokens.
func (f *filling) add(i item, cut, tokens int) {
	f.left -= f.headingOf(i) + tokens
	f.plan.add(i, cut)
}

// headingOf is what the heading of an item's file costs more when the item is added.
func (f *filling) headingOf(i item) int {
	shown := len(f.plan.chosen[i.file])
	return f.layout.heading(f.plan.level, i.file, shown+1) - f.layout.heading(f.plan.level, i.file, shown)
}

// take goes through items and adds what fits. The function cost says where to cut a signature and what the line costs
// then. It stops at the first that does not fit and finds little left free; the answer is what it passed over.
func (f *filling) take(ctx context.Context, items []item, cost func(i item, room int) (at, tokens int)) ([]item, error) {
	var passed []item
	for n, i := range items {
		if n%256 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if room := f.left - f.headingOf(i); room > 0 {
			if at, tokens := cost(i, room); tokens <= room {
				f.add(i, at, tokens)
				continue
			}
		}
		passed = append(passed, i)
		if f.left <= f.free || len(passed) > patience {
			break
		}
	}
	return passed, nil
}

// squeeze cuts a signature further, as little as makes its line fit into the room that is left, and at last leaves but the
// name; it gives where, and the cost. The cost is above room if nothing helps.
func squeeze(l layout, level int, i item, max, room int) (at, cost int) {
	if cost = l.line(level, i, min(shortest, max)); cost > room {
		return nameOnly, l.line(level, i, nameOnly)
	}
	for at = max; at > shortest; {
		at = at * 7 / 8
		if cost := l.line(level, i, at); cost <= room {
			return at, cost
		}
	}
	return min(shortest, max), cost
}
