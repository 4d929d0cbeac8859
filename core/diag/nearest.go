package diag

import (
	"slices"
	"strings"
)

// Nearest gives the candidate that name is most likely a misspelling of, empty if none is close. Distance is counted in
// edits without regard to case, with exchanged neighbours as one (optimal string alignment); at most a third of the
// longer word may differ. Of equally close candidates it is the first in the alphabet.
func Nearest(name string, candidates []string) string {
	best, bestDistance := "", -1
	sorted := slices.Clone(candidates)
	slices.Sort(sorted)
	for _, c := range sorted {
		limit := max(1, max(len(name), len(c))/3)
		if len(name) > 64 || abs(len(name)-len(c)) > limit {
			continue
		}
		if d := distance(strings.ToLower(name), strings.ToLower(c)); d <= limit && (bestDistance < 0 || d < bestDistance) {
			best, bestDistance = c, d
		}
	}
	return best
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}

// distance is the optimal string alignment distance of a and b, in bytes.
func distance(a, b string) int {
	before, row, next := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		next[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			next[j] = min(row[j]+1, next[j-1]+1, row[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				next[j] = min(next[j], before[j-2]+1)
			}
		}
		before, row, next = row, next, before
	}
	return row[len(b)]
}
