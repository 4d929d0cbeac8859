package relevance

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSplit(t *testing.T) {
	for name, want := range map[string]string{
		"":                  "",
		"parse":             "parse",
		"parseHTTPRequest2": "parse http request 2",
		"snake_case_name":   "snake case name",
		"__init__":          "init",
		"MAX_SIZE":          "max size",
		"utf8String":        "utf 8 string",
		"HTTP":              "http",
		"größeÄndern":       "größe ändern",
		"kebab-case":        "kebab case",
	} {
		if got := strings.Join(Split(name), " "); got != want {
			t.Errorf("Split(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestFormsOfAWordHaveOneStem(t *testing.T) {
	for _, forms := range []string{"order orders", "parse parsed parsing parses", "query queries", "lock locks locked locking", "file files", "class classes", "tag tags"} {
		words := strings.Fields(forms)
		for _, w := range words[1:] {
			if Stem(w) != Stem(words[0]) {
				t.Errorf("Stem(%q) = %q, but Stem(%q) = %q", w, Stem(w), words[0], Stem(words[0]))
			}
		}
	}
}

func TestShortAndOddWordsStay(t *testing.T) {
	for _, w := range []string{"", "is", "bus", "status", "this", "ring", "king", "need", "red", "pass", "é"} {
		if got := Stem(w); got != w {
			t.Errorf("Stem(%q) = %q", w, got)
		}
	}
}

func TestTermsJoinNeighbours(t *testing.T) {
	for name, want := range map[string][]string{
		"lockFiles":  {"lock", "fil", "lock+fil"},
		"aLock":      {"lock"},
		"x":          nil,
		"readTheDir": {"read", "the", "dir", "read+the", "the+dir"},
	} {
		got := Terms(name)
		if diff := cmp.Diff(want, got); diff != "" && !(want == nil && got == nil) {
			t.Errorf("Terms(%q) differ (-want +got):\n%s", name, diff)
		}
	}
}
