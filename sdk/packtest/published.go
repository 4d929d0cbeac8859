package packtest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/repox-dev/repox/sdk"
	"github.com/repox-dev/repox/sdk/fixture"
)

// Reading says how the expectations of a published test are to be read: grammar projects name kinds in their own way.
type Reading struct {
	// Same gives the kinds that are as good as one of theirs, besides itself.
	Same map[string][]string
	// Except gives the lines of the comments, counted from 1, that do not hold for this pack, each with the reason.
	Except map[int]string
}

// Published runs a file of tag tests that a grammar's project publishes in its module, such as test/tags/main.py of
// tree-sitter-python. It is read where the go command keeps the module: the pack depends on it, so it is there.
func Published(t *testing.T, p *sdk.Pack, module, file string, r Reading) {
	t.Helper()
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	if err != nil {
		t.Fatalf("find module %s: %v", module, err)
	}
	src, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(dir)), filepath.FromSlash(file)))
	if err != nil {
		t.Fatal(err)
	}
	f, err := Extract(p, filepath.Base(file), src)
	if err != nil {
		t.Fatal(err)
	}
	assertions, err := fixture.Assertions(string(src))
	if err != nil {
		t.Fatal(err)
	}
	if len(assertions) == 0 {
		t.Fatalf("%s asserts nothing", file)
	}
	for _, a := range assertions {
		problem := a.Check(f, r.Same[a.Kind]...)
		switch reason, except := r.Except[a.Comment]; {
		case problem != "" && !except:
			t.Errorf("%s:%d:%d: %s", file, a.Line, a.Column, problem)
		case problem == "" && except:
			t.Errorf("%s:%d: holds, although it should not: %s", file, a.Comment, reason)
		}
	}
}
