package source

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestMatcherEqualsCheckIgnore makes up ignore files and paths, and asks git which line of which file decides.
func TestMatcherEqualsCheckIgnore(t *testing.T) {
	isolate(t)
	const rounds = 60
	for _, fold := range []bool{false, true} {
		rng := rand.New(rand.NewPCG(1, 2))
		for round := range rounds {
			dir := t.TempDir()
			run(t, dir, "init", "-q")
			run(t, dir, "config", "core.ignorecase", fmt.Sprint(fold))
			top, nested := madeUpIgnore(rng), madeUpIgnore(rng)
			write(t, dir, map[string]string{".gitignore": top, "a/.gitignore": nested})
			names := map[string]bool{}
			for len(names) < 150 {
				names[madeUpPath(rng)] = true
			}
			got := map[string]string{}
			for name := range names {
				got[name] = decide(top, nested, name, fold)
			}
			for name, want := range checkIgnore(t, dir, names) {
				if got[name] != want {
					t.Fatalf("round %d, fold %v, path %q: got %q, git says %q\ntop %q\nnested %q", round, fold, name, got[name], want, top, nested)
				}
			}
		}
	}
}

// decide follows a path from top as a walk does, and gives "file:line" of the rule that decides, with git's rule
// that what an ignored directory holds is decided by that directory's rule.
func decide(top, nested, name string, fold bool) string {
	lists := map[string]*ruleList{"": parseIgnore([]byte(top), "", fold), "a/": parseIgnore([]byte(nested), "a/", fold)}
	parts := strings.Split(name, "/")
	for i := range parts {
		path := strings.Join(parts[:i+1], "/")
		last := i == len(parts)-1
		for _, base := range []string{"a/", ""} {
			if !strings.HasPrefix(path, base) {
				continue
			}
			// The one directory that exists on disk is a.
			r := lists[base].lastMatch(path, !last || path == "a")
			if r == nil {
				continue
			}
			if last || !r.negate {
				return fmt.Sprintf("%s.gitignore %v", base, r.negate)
			}
			break
		}
	}
	return ""
}

func checkIgnore(t *testing.T, dir string, names map[string]bool) map[string]string {
	t.Helper()
	var in bytes.Buffer
	for name := range names {
		in.WriteString(name + "\x00")
	}
	cmd := exec.Command("git", "check-ignore", "--no-index", "-z", "--stdin", "-v", "-n")
	cmd.Dir, cmd.Stdin = dir, &in
	out, err := cmd.Output()
	if err != nil && cmd.ProcessState.ExitCode() != 1 {
		t.Fatal(err)
	}
	answer := map[string]string{}
	fields := strings.Split(string(out), "\x00")
	for i := 0; i+3 < len(fields); i += 4 {
		file, pattern, name := fields[i], fields[i+2], fields[i+3]
		if file != "" {
			file = fmt.Sprintf("%s %v", file, strings.HasPrefix(pattern, "!"))
		}
		answer[name] = file
	}
	if len(answer) != len(names) {
		t.Fatalf("git answered %d of %d paths", len(answer), len(names))
	}
	return answer
}

var patternParts = []string{
	"a", "b", "c", "A", "ab", "abc", "x.c", "*", "*", "**", "**/", "/**", "/", "/", "?", "[ab]", "[!a]", "[^b]", "[a-c]", "[]a]", "[a-", "[",
	"[[:alpha:]]", "[[:upper:]]", "[[:nope:]]", "[[:punct:]]", "[[:x]", "[B-Y]", "\\", "\\*", "\\a", "\\A", "\\/", " ", "\\ ", ".", "-", "\xe9", "***", "*/", "!", "#", "{a,b}",
}

func madeUpIgnore(rng *rand.Rand) string {
	var b strings.Builder
	if rng.IntN(8) == 0 {
		b.WriteString("\xef\xbb\xbf")
	}
	for range rng.IntN(8) {
		if rng.IntN(4) == 0 {
			b.WriteByte('!')
		}
		for range 1 + rng.IntN(5) {
			b.WriteString(patternParts[rng.IntN(len(patternParts))])
		}
		b.WriteString([]string{"\n", "\n", "\n", "\r\n", "  \n", "\\  \n", "/\n", "\t\n", "\n\n"}[rng.IntN(9)])
	}
	return b.String()
}

func madeUpPath(rng *rand.Rand) string {
	pieces := []string{"a", "b", "c", "A", "B", "ab", "abc", "x.c", "-", "*", "[", " ", "\xe9", "a ", "\\", "#", "!", "a*", "{a,b}", "]a", ":"}
	var parts []string
	for range 1 + rng.IntN(4) {
		part := pieces[rng.IntN(len(pieces))]
		if rng.IntN(3) == 0 {
			part += pieces[rng.IntN(len(pieces))]
		}
		parts = append(parts, part)
	}
	name := strings.Join(parts, "/")
	if strings.Contains("/"+name, "/:") || strings.HasPrefix(name, "!") {
		// Git would read a colon at the start as a kind of pathspec.
		return "a/" + strings.ReplaceAll(name, ":", "z")
	}
	return name
}

func TestMatchingStaysLinear(t *testing.T) {
	for name, pattern := range map[string]string{
		"stars":         strings.Repeat("*a", 60) + "b",
		"double stars":  strings.Repeat("**/a/", 60) + "b",
		"deep stars":    "x/" + strings.Repeat("**a", 60) + "b",
		"open brackets": strings.Repeat("[", 10_000),
		"long":          strings.Repeat("?", 5000) + "*" + strings.Repeat("*x", 500),
	} {
		list := parseIgnore([]byte(pattern+"\n"), "", false)
		// Matching that backtracks would not come back from these before the test binary's own limit.
		(&chain{list: list}).ignores(strings.Repeat("a/", 500)+strings.Repeat("a", 2000), false)
		t.Log(name)
	}
}

func FuzzIgnore(f *testing.F) {
	f.Add([]byte("*.o\n!a.o\n/b/\n"), "dir/a.o")
	f.Add([]byte("\xef\xbb\xbf[[:alpha:]-z]\\ \r\n**/x/**\n"), "x/y")
	f.Add([]byte("[a-\\\n[[:\n\\"), "[")
	f.Add([]byte(strings.Repeat("*a", 40)+"\n"), strings.Repeat("a", 60))
	f.Fuzz(func(t *testing.T, data []byte, path string) {
		if len(data) > 1<<12 || len(path) > 1<<12 {
			return
		}
		for _, fold := range []bool{false, true} {
			list := parseIgnore(data, "", fold)
			c := &chain{list: list}
			c.ignores(path, false)
			c.ignores(path, true)
			(&attrSet{macros: map[string][]assignment{}}).parse(data, "")
		}
	})
}

func TestOwnIgnoreFile(t *testing.T) {
	isolate(t)
	for _, inGit := range []bool{true, false} {
		dir := t.TempDir()
		write(t, dir, map[string]string{
			".repoxignore": "secret.txt\n/only\ndata/\n!kept.log\n", "secret.txt": "", "src/secret.txt": "", "src/.repoxignore": "*.gen\n!secret.txt\n",
			"src/a.gen": "", "only": "", "src/only": "", "data/x": "", "src/data/y": "", ".gitignore": "*.log\n", "kept.log": "", "tracked/data/z": "",
		})
		if inGit {
			run(t, dir, "init", "-q")
			run(t, dir, "add", "-f", "tracked", "src", "kept.log")
			write(t, dir, map[string]string{".gitignore": "*.log\ntracked\n"})
			check(t, os.RemoveAll(filepath.Join(dir, "src/data")))
		}
		tree := list(t, Options{Path: dir})
		want := ".gitignore .repoxignore src/.repoxignore src/only src/secret.txt"
		if inGit {
			want = ".gitignore .repoxignore kept.log src/.repoxignore src/only src/secret.txt"
		}
		if got := strings.Join(paths(tree), " "); got != want || len(tree.Skipped) != 0 {
			t.Errorf("in git %v: got %q, want %q; skipped %v", inGit, got, want, tree.Skipped)
		}
		sub := list(t, Options{Path: filepath.Join(dir, "src")})
		if got := strings.Join(paths(sub), " "); got != map[bool]string{true: ".repoxignore only secret.txt", false: ".repoxignore data/y only secret.txt"}[inGit] {
			t.Errorf("src, in git %v: got %q", inGit, got)
		}
	}
}
