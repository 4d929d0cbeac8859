package relevance

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func words(g *Goal) string {
	var out []string
	for _, t := range g.Terms {
		out = append(out, t.Word)
	}
	return strings.Join(out, " ")
}

func TestTheWordsOfAGoal(t *testing.T) {
	for name, tt := range map[string]struct{ text, want string }{
		"nothing":                 {"", ""},
		"stop words only":         {"Please fix this in the code", ""},
		"neighbours are joined":   {"the pack-lock of trees", "pack lock pack+lock tre"},
		"a full stop parts words": {"lock. pack", "lock pack"},
		"names are split":         {"parseFile fails", "pars fil pars+fil fail fil+fail"},
		"web addresses are left":  {"see https://example.com/lock/file", ""},
		"other scripts":           {"исправить блокировку", "исправить блокировку исправить+блокировку"},
	} {
		t.Run(name, func(t *testing.T) {
			got := words(ParseGoal(tt.text))
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestTheFirstLineCountsMore(t *testing.T) {
	g := ParseGoal("prune snapshots\n\nThe index is read before snapshots are listed.")
	weight := map[string]float64{}
	for _, term := range g.Terms {
		weight[term.Word] = term.Weight
	}
	if !(weight["snapshot"] > weight["prun"] && weight["prun"] > weight["index"]) {
		t.Errorf("weights: %v", weight)
	}
}

func TestWhatAGoalNames(t *testing.T) {
	g := ParseGoal("Crash in cmd/app/Main.go: `Load` calls read_all(x) and newIndex fails with \"no such snapshot: %v\" in config.yaml")
	for what, tt := range map[string]struct{ want, got []string }{
		"paths":       {[]string{"cmd/app/main.go", "config.yaml"}, g.Paths},
		"identifiers": {[]string{"Load", "read_all", "newIndex"}, g.Identifiers},
		"literals":    {[]string{"no such snapshot: %v"}, g.Literals},
	} {
		if diff := cmp.Diff(tt.want, tt.got); diff != "" {
			t.Errorf("%s differ (-want +got):\n%s", what, diff)
		}
	}
}

func TestWhatAGoalIsAbout(t *testing.T) {
	for text, want := range map[string][2]bool{
		"Fix the flaky test of the lock": {true, false},
		"Fix the lock\n\nAdds a test.":   {false, false},
		"Update generated code":          {false, true},
		"contest latest":                 {false, false},
	} {
		if g := ParseGoal(text); g.AboutTests != want[0] || g.AboutGenerated != want[1] {
			t.Errorf("%q: about tests %t, about generated code %t", text, g.AboutTests, g.AboutGenerated)
		}
	}
}

func TestALongGoalIsBounded(t *testing.T) {
	var b strings.Builder
	for b.Len() < 200_000 {
		b.WriteString("wörd" + strings.Repeat("x", b.Len()%97) + "Name" + strings.Repeat("y", b.Len()%89) + " a/b" + strings.Repeat("z", b.Len()%83) + ".go \"lit eral" + strings.Repeat("q", b.Len()%79) + "\"\n")
	}
	g := ParseGoal(b.String())
	if len(g.Terms) > maxTerms || len(g.Paths) > maxNamed || len(g.Identifiers) > maxNamed || len(g.Literals) > maxNamed {
		t.Errorf("%d terms, %d paths, %d identifiers, %d literals", len(g.Terms), len(g.Paths), len(g.Identifiers), len(g.Literals))
	}
}

func FuzzParseGoal(f *testing.F) {
	f.Add("Crash in `cmd/app/Main.go`: \"no such\" 'thing'")
	f.Add("\xff\xfe(\n\n``")
	f.Fuzz(func(t *testing.T, text string) {
		for _, term := range ParseGoal(text).Terms {
			if term.Word == "" || term.Weight <= 0 || utf8.ValidString(text) && !utf8.ValidString(term.Word) {
				t.Errorf("term %q of weight %g", term.Word, term.Weight)
			}
		}
	})
}
