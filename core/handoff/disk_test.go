package handoff

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestFilesAreHeldAgainstTheDisk moves the good handoff to a folder whose files differ from what it says.
func TestFilesAreHeldAgainstTheDisk(t *testing.T) {
	dir := t.TempDir()
	app := filepath.Join(dir, "app")
	write := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(app, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(app, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	upload := "package app\r\n\r\n// Send uploads.\r\nfunc Send() error {\r\n\treturn retry()\r\n}\r\n\n\n\n\nfunc retry() error { return nil }\n// end"
	quoted, err := json.Marshal(dir)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(string(good(t)), `"/repo`, strings.TrimSuffix(string(quoted), `"`))
	check := func() []string {
		var out []string
		for _, v := range Validate([]byte(text), Options{Disk: LocalDisk{}}) {
			out = append(out, v.String())
		}
		return out
	}
	write("upload.go", upload)
	write("queue.go", "type Queue struct {\n\tn int\n}\n\n// end\n")
	write("main.go", "package main\n\n// end\n")
	if got := check(); len(got) > 0 {
		t.Errorf("nothing is wrong, but: %v", got)
	}
	write("upload.go", strings.Replace(upload, "return retry()", "return nil", 1)+"\n// more")
	write("queue.go", "type Deque struct {\n")
	if err := os.Remove(filepath.Join(app, "main.go")); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"/key_files/0/lines: 12 lines, and the file has 13",
		"/key_files/1/lines: 5 lines, and the file has 1",
		"/key_files/2/path: no such file",
		"/relevant_symbols/2/line_end: line 5 is beyond the file's 1 lines",
		"/evidence/0/snippet: the lines 3-5 of the file are not these",
	}
	if diff := cmp.Diff(want, check()); diff != "" {
		t.Errorf("differs (-want +got):\n%s", diff)
	}
	write("upload.go", strings.ReplaceAll(upload, "Send", "Put"))
	write("queue.go", "\x00\x01")
	if err := os.Mkdir(filepath.Join(app, "main.go"), 0o755); err != nil {
		t.Fatal(err)
	}
	want = []string{
		"/key_files/1/path: it cannot be read: it is no text (binary)",
		"/key_files/2/path: it is no file",
		`/relevant_symbols/0: "Send" does not occur in the lines 3-9`,
		"/evidence/0/snippet: the lines 3-5 of the file are not these",
	}
	if diff := cmp.Diff(want, check()); diff != "" {
		t.Errorf("differs (-want +got):\n%s", diff)
	}
}

func TestASnippetIsHeldAgainstTheRedactedFile(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "k.go"), []byte("package k\n\nvar key = \""+token+"\"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	c := &checker{disk: LocalDisk{}, lines: map[string]int{}}
	p, err := json.Marshal(filepath.Join(dir, "k.go"))
	if err != nil {
		t.Fatal(err)
	}
	root, _, _ := parse([]byte(`{"evidence":[{"file":` + string(p) + `,"line_start":3,"line_end":3,"snippet":"var key = \"[REDACTED]\""}]}`))
	c.files(node{value: root})
	if len(c.found) > 0 {
		t.Errorf("the snippet is what is left of the file, but: %v", c.found)
	}
}
