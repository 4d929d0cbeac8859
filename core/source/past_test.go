package source

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func commit(t *testing.T, dir, message string, files map[string]string) {
	t.Helper()
	write(t, dir, files)
	run(t, dir, "add", "-A")
	run(t, dir, "commit", "-q", "--allow-empty", "-m", message)
}

func past(t *testing.T, tree *Tree) *Past {
	t.Helper()
	p, err := tree.Past(t.Context())
	check(t, err)
	return p
}

// told gives a past in a form to compare: subject, paths, and how many are outside.
func told(p *Past) []string {
	var out []string
	for _, c := range p.Commits {
		subject, _, _ := strings.Cut(c.Message, "\n")
		out = append(out, strings.Join(append([]string{subject}, c.Paths...), "|")+strings.Repeat(" +", c.Outside))
	}
	return out
}

func someHistory(t *testing.T) string {
	t.Helper()
	isolate(t)
	dir := t.TempDir()
	run(t, dir, "init", "-q", "-b", "trunk")
	commit(t, dir, "one\n\nwhy and\n/not a commit", map[string]string{"a.go": "1", "sub/b.go": "1", "sub/\n é.go": "1"})
	commit(t, dir, "nothing", nil)
	commit(t, dir, "two", map[string]string{"a.go": "2", "sub/b.go": "2"})
	run(t, dir, "checkout", "-q", "-b", "side", "HEAD~1")
	commit(t, dir, "side", map[string]string{"sub/c.go": "1"})
	run(t, dir, "checkout", "-q", "trunk")
	run(t, dir, "merge", "-q", "--no-ff", "-m", "merge", "side")
	return dir
}

func TestPastOfAWorkTree(t *testing.T) {
	dir := someHistory(t)
	p := past(t, list(t, Options{Path: dir}))
	want := map[string]bool{"merge": true, "side|sub/c.go": true, "two|a.go|sub/b.go": true, "nothing": true, "one|a.go|sub/\n é.go|sub/b.go": true}
	got := map[string]bool{}
	for _, s := range told(p) {
		got[s] = true
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("commits differ (-want +got):\n%s", diff)
	}
	last := p.Commits[len(p.Commits)-1]
	if last.Message != "one\n\nwhy and\n/not a commit" || last.Author != "t" || last.Time == 0 || len(last.ID) != pastID {
		t.Errorf("first commit: %+v", last)
	}
	if p.Branch != "trunk" || p.Truncated || !strings.HasPrefix(p.Head, p.Commits[0].ID) {
		t.Errorf("branch %q, head %q, truncated %v", p.Branch, p.Head, p.Truncated)
	}
}

// TestPastOfADirectory: what lies outside is counted and not named, and commits that never touched it are not there.
func TestPastOfADirectory(t *testing.T) {
	dir := someHistory(t)
	commit(t, dir, "far", map[string]string{"far.go": ""})
	p := past(t, list(t, Options{Path: dir + "/sub"}))
	got := strings.Join(told(p), "; ")
	for _, want := range []string{"side|c.go", "two|b.go +", "one|\n é.go|b.go +"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in %q", want, got)
		}
	}
	if strings.Contains(got, "far") || strings.Contains(got, "nothing") {
		t.Errorf("commits of elsewhere: %q", got)
	}
}

func TestPastOfACommit(t *testing.T) {
	dir := someHistory(t)
	p := past(t, list(t, Options{Path: dir, Rev: "side"}))
	if diff := cmp.Diff([]string{"side|sub/c.go", "nothing", "one|a.go|sub/\n é.go|sub/b.go"}, told(p)); diff != "" {
		t.Errorf("commits differ (-want +got):\n%s", diff)
	}
	if p.Branch != "" {
		t.Errorf("branch %q", p.Branch)
	}
}

func TestNoPast(t *testing.T) {
	dir := someHistory(t)
	plain := t.TempDir()
	unborn := t.TempDir()
	run(t, unborn, "init", "-q")
	for name, o := range map[string]Options{
		"a plain directory": {Path: plain}, "no git": {Path: dir, withoutGit: true}, "before the first commit": {Path: unborn},
	} {
		tree := list(t, o)
		if key := tree.PastKey(t.Context()); key != nil {
			t.Errorf("%s: key %q", name, key)
		}
		if p := past(t, tree); len(p.Commits) > 0 || p.Head != "" {
			t.Errorf("%s: %+v", name, p)
		}
	}
}

func TestAShallowCloneSaysSo(t *testing.T) {
	dir := someHistory(t)
	clone := t.TempDir()
	run(t, clone, "clone", "-q", "--depth=1", "file://"+dir, "x")
	tree := list(t, Options{Path: clone + "/x"})
	if p := past(t, tree); len(p.Commits) != 1 || !p.Truncated {
		t.Errorf("%d commits, truncated %v", len(p.Commits), p.Truncated)
	}
	before := string(tree.PastKey(t.Context()))
	run(t, clone+"/x", "fetch", "-q", "--deepen=5")
	if string(tree.PastKey(t.Context())) == before {
		t.Error("the key is the same after there was more history")
	}
}

func TestTheKeyOfAPastFollowsHead(t *testing.T) {
	dir := someHistory(t)
	key := func(path string) string { return string(list(t, Options{Path: path}).PastKey(t.Context())) }
	before := key(dir)
	if before == "" || before != key(dir) || before == key(dir+"/sub") {
		t.Errorf("keys: %q, again %q, below %q", before, key(dir), key(dir+"/sub"))
	}
	commit(t, dir, "next", nil)
	if key(dir) == before {
		t.Error("a commit left the key as it was")
	}
}

func TestMessagesAreCutAtCharacters(t *testing.T) {
	for n := range 4 {
		got := cutMessage(strings.Repeat("x", n) + strings.Repeat("é", pastMessageBytes))
		if len(got) > pastMessageBytes || strings.ContainsRune(got, '\uFFFD') || len(got) < pastMessageBytes-2 {
			t.Errorf("%d bytes, ends with %q", len(got), got[len(got)-4:])
		}
	}
}

func TestOutputIsBounded(t *testing.T) {
	dir := someHistory(t)
	g := findGit(t.TempDir())
	all, more, err := g.outputUpTo(t.Context(), gitTimeout, 1<<20, dir, "log", "--format=%B")
	check(t, err)
	if more {
		t.Error("more than all")
	}
	out, more, err := g.outputUpTo(t.Context(), gitTimeout, 10, dir, "log", "--format=%B")
	check(t, err)
	if !more || string(out) != string(all[:10]) {
		t.Errorf("got %q of %q, more %v", out, all, more)
	}
}

func FuzzParsePast(f *testing.F) {
	f.Add("/abc\x001700000000\x00me\x00subject\n\nbody\x00\x00\na.go\x00sub/b.go\x00/def\x001\x00x\x00y\x00", "sub/")
	f.Add("\x00\n\x00/\x00", "")
	f.Fuzz(func(t *testing.T, text, prefix string) {
		paths := 0
		for _, c := range parsePast([]byte(text), prefix) {
			paths += len(c.Paths) + c.Outside
		}
		if paths > strings.Count(text, "\x00")+1 {
			t.Errorf("%d paths in %q", paths, text)
		}
	})
}
