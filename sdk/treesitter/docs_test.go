package treesitter

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The tables that docs/writing-a-pack.md gives to authors are held against the code.

func TestTheGuideKnowsTheCaptures(t *testing.T) {
	guide := readGuide(t)
	doc, err := os.ReadFile("spec.go")
	if err != nil {
		t.Fatal(err)
	}
	for name := range captureMeanings {
		if !strings.Contains(string(doc), "@"+name) {
			t.Errorf("the comment of Spec does not explain @%s", name)
		}
	}
	for _, name := range []string{"type", "value", "holder", "tuple", "first", "member", "owner", "property", "element", "result", "base", "self"} {
		if captureMeanings[name] == meansNothing {
			t.Errorf("the query language has no capture @%s", name)
		}
		if !strings.Contains(guide, "`@"+name+"`") {
			t.Errorf("docs/writing-a-pack.md does not explain @%s", name)
		}
	}
}

func TestTheGuidesPathsAreRight(t *testing.T) {
	n := &Notation{Transparent: Words("Box"), Keyed: Words("HashMap"), Holds: Words("unwrap"), Self: "this", Super: "super"}
	rows := 0
	for line := range strings.Lines(readGuide(t)) {
		cells := strings.Split(strings.TrimSpace(line), "|")
		if len(cells) != 6 || !strings.HasPrefix(strings.TrimSpace(cells[3]), "`") {
			continue
		}
		text, want := strings.Trim(cells[3], " `"), strings.Trim(cells[4], " `")
		rows++
		if got := n.TypePath(text); got == want {
			continue
		}
		if got := n.ValuePath(text); got != want {
			t.Errorf("the path of %q is %q, the guide says %q", text, got, want)
		}
	}
	if rows < 10 {
		t.Errorf("%d rows read of the guide's table of paths, want 10 at least", rows)
	}
}

func readGuide(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "..", "docs", "writing-a-pack.md"))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
