package secrets

import (
	"flag"
	"maps"
	"os"
	"regexp/syntax"
	"slices"
	"strings"
	"testing"

	"github.com/betterleaks/betterleaks/config"
)

var update = flag.Bool("update", false, "write the list of the library's words")

// farther are rules whose match may go over more lines than vendorReach.
var farther = []string{"curl-auth-header", "curl-auth-user", "gcp-application-default-credentials"}

// nearer are rules whose keyword is in the match although it is not written out in the pattern.
var nearer = []string{"lob-api-key", "lob-pub-api-key", "box-api-access-token", "harness-api-key"}

// TestVendorWords: the list is made of the library's rules. After an update of the library: go test ./sdk/secrets -update.
func TestVendorWords(t *testing.T) {
	cfg, err := config.Default()
	if err != nil {
		t.Fatal(err)
	}
	reach := map[string]int{}
	for id, r := range cfg.Rules {
		if r.Regex == nil || slices.Contains(replaced, id) || r.SkipReport && !slices.Contains(components, id) {
			continue
		}
		if len(r.Keywords) == 0 {
			t.Errorf("rule %s has no keyword, and would never be tried", id)
		}
		for _, w := range r.Keywords {
			w = strings.ToLower(w)
			if old, ok := reach[w]; !ok || reachOf(t, &r, w) < old {
				reach[w] = reachOf(t, &r, w)
			}
		}
	}
	names := slices.Sorted(maps.Keys(cfg.Rules))
	wantKinds := strings.Join(names, "\n") + "\n"
	var lines []string
	for w, n := range reach {
		if len(w) < 2 || strings.Contains(w, "\n") {
			t.Errorf("the word %q cannot be looked for", w)
		}
		lines = append(lines, reachNames[n]+" "+w+"\n")
	}
	slices.Sort(lines)
	want := strings.Join(lines, "")
	if *update {
		if err := os.WriteFile("vendorwords.txt", []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile("vendorkinds.txt", []byte(wantKinds), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if vendorList != want || vendorKinds != wantKinds {
		t.Error("vendorwords.txt or vendorkinds.txt is not that of the library's rules; run go test ./sdk/secrets -update")
	}
}

func reachOf(t *testing.T, r *config.Rule, word string) int {
	t.Helper()
	expr := r.Regex.String()
	literal := strings.ToLower(strings.NewReplacer(`\`, "", `[_-]?`, "").Replace(expr))
	tree, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		t.Fatalf("%s: %v", r.RuleID, err)
	}
	switch run, _, _ := tokenRun(tree.Simplify()); {
	case slices.Contains(farther, r.RuleID), !strings.Contains(literal, word) && !slices.Contains(nearer, r.RuleID):
		return reachAll
	case run < longRun:
		return reachLines
	}
	return reachRun
}

// tokenRun gives the length of the run of token characters that every match has at least; how long it is at the beginning
// and the end of the match; each is that of the worst match. A match that is all one run has the same three.
func tokenRun(re *syntax.Regexp) (longest, first, last int) {
	switch re.Op {
	case syntax.OpLiteral:
		run := 0
		whole := true
		for _, r := range re.Rune {
			if r < 256 && tokenCharacter[r] {
				run++
				longest = max(longest, run)
			} else {
				run, whole = 0, false
			}
		}
		if whole {
			return longest, longest, longest
		}
		return longest, 0, run
	case syntax.OpCharClass:
		for i := 0; i < len(re.Rune); i += 2 {
			for r := re.Rune[i]; r <= re.Rune[i+1]; r++ {
				folded := r == '\u017f' || r == '\u212a' // what s and k are folded with
				if !folded && (r >= 256 || !tokenCharacter[r]) {
					return 0, 0, 0
				}
			}
		}
		return 1, 1, 1
	case syntax.OpCapture, syntax.OpPlus:
		return tokenRun(re.Sub[0])
	case syntax.OpConcat:
		run := 0
		for _, s := range re.Sub {
			l, f, e := tokenRun(s)
			longest = max(longest, l, run+f)
			if l > 0 && l == f && l == e {
				run += l
			} else if !empty(s) {
				run = e
			}
		}
		return longest, 0, run
	case syntax.OpAlternate:
		longest = -1
		for _, s := range re.Sub {
			l, _, _ := tokenRun(s)
			if longest < 0 || l < longest {
				longest = l
			}
		}
		return longest, 0, 0
	}
	return 0, 0, 0
}

// empty tells whether a part matches no text, only a place.
func empty(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpWordBoundary, syntax.OpNoWordBoundary, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText, syntax.OpEmptyMatch:
		return true
	}
	return false
}

func TestPatternsCompile(t *testing.T) {
	for _, p := range patterns {
		p.compile()
	}
	if len(patterns) < 50 {
		t.Errorf("only %d patterns were made lazily", len(patterns))
	}
}
