package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/repox-dev/repox/core/inventory"
	"github.com/repox-dev/repox/core/source"
	"github.com/repox-dev/repox/sdk/model"
)

// TestHistoryNamesListedFiles: files that are gone are counted, and a secret in a message is not kept.
func TestHistoryNamesListedFiles(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	dir := t.TempDir()
	t.Setenv("HOME", t.TempDir())
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=t", "-c", "user.email=t@example.com"}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	put := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	git("init", "-q", "-b", "trunk")
	put("a.go", "package a\n")
	put("gone.go", "package a\n")
	git("add", ".")
	git("commit", "-qm", "begin with password = \"hunter2hunter2-Xq9\"")
	git("rm", "-q", "gone.go")
	put("b.go", "package a\n")
	git("add", ".")
	git("commit", "-qm", "go on")

	tree, err := source.List(t.Context(), source.Options{Path: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	inv, err := inventory.Take(t.Context(), tree, inventory.NewLanguages(nil), nil, nil, func(error) {})
	if err != nil {
		t.Fatal(err)
	}
	h := &hostSections{inv: inv, warn: func(err error) { t.Error(err) }}
	b, err := h.load(t.Context(), model.SectionHistory)
	if err != nil {
		t.Fatal(err)
	}
	var got model.History
	if err := proto.Unmarshal(b, &got); err != nil {
		t.Fatal(err)
	}
	if got.Branch != "trunk" || len(got.Commits) != 2 {
		t.Fatalf("history: %v", &got)
	}
	names := func(c *model.Commit) string {
		var out []string
		for _, f := range c.Files {
			out = append(out, inv.Entries[f].File.Path)
		}
		return strings.Join(out, " ")
	}
	last, first := got.Commits[0], got.Commits[1]
	if names(last) != "b.go" || last.Elsewhere != 1 || names(first) != "a.go" || first.Elsewhere != 1 {
		t.Errorf("files: %v, %v", last, first)
	}
	if strings.Contains(string(b), "hunter2") || !strings.Contains(first.Message, "begin with") {
		t.Errorf("message: %q", first.Message)
	}
}
