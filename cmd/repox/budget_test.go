package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/tiktoken-go/tokenizer"
)

// TestAMapKeepsToItsBudgetAndFillsIt maps the tree that this test lies in and counts with a tokenizer of its own.
// bench/budget does the same with trees from elsewhere.
func TestAMapKeepsToItsBudgetAndFillsIt(t *testing.T) {
	cache := t.TempDir()
	for _, encoding := range []tokenizer.Encoding{tokenizer.O200kBase, tokenizer.Cl100kBase} {
		codec, err := tokenizer.Get(encoding)
		if err != nil {
			t.Fatal(err)
		}
		for n, budget := range []int{64, 72, 90, 128, 255, 400, 1000, 4096, 32768} {
			format := []string{"text", "markdown", "json"}[(n+len(encoding))%3]
			t.Run(fmt.Sprintf("%s %s %d", encoding, format, budget), func(t *testing.T) {
				cmd := exec.Command(filepath.Join(binaries, "repox"), "map", filepath.Join("..", ".."), "--format", format,
					"--budget", strconv.Itoa(budget), "--tokenizer", string(encoding))
				cmd.Env = append(os.Environ(), "REPOX_CACHE_DIR="+cache)
				out, err := cmd.Output()
				if err != nil {
					t.Fatal(err)
				}
				tokens, err := codec.Count(string(out))
				if err != nil {
					t.Fatal(err)
				}
				if tokens > budget {
					t.Errorf("%d tokens", tokens)
				}
				if left := leftOut(t, out, format); left == 0 || 10*tokens < 9*budget {
					t.Errorf("only %d tokens, with %d definitions left out:\n%s", tokens, left, out)
				}
			})
		}
	}
}

// leftOut gives how many definitions a map says that it left out.
func leftOut(t *testing.T, document []byte, format string) int {
	t.Helper()
	if format == "json" {
		var v struct{ Omitted struct{ Definitions int } }
		if err := json.Unmarshal(document, &v); err != nil {
			t.Fatal(err)
		}
		return v.Omitted.Definitions
	}
	last := document[bytes.LastIndexByte(bytes.TrimSpace(document), '\n')+1:]
	m := regexp.MustCompile(`(\d+) of (\d+) definitions`).FindSubmatch(last)
	if m == nil {
		t.Fatalf("the last line is %q", last)
	}
	shown, err := strconv.Atoi(string(m[1]))
	if err != nil {
		t.Fatal(err)
	}
	total, err := strconv.Atoi(string(m[2]))
	if err != nil {
		t.Fatal(err)
	}
	return total - shown
}
