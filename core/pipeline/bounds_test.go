package pipeline

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestHostileFilesAreRefusedQuickly feeds what costs a careless reader minutes or all memory.
func TestHostileFilesAreRefusedQuickly(t *testing.T) {
	const head = "version: 1\nextends: map\n"
	for name, text := range map[string]string{
		"ten megabytes":          strings.Repeat("a: b\n", 2_000_000),
		"brackets":               head + "a: " + strings.Repeat("[", 10_000),
		"a million brackets":     head + "a: " + strings.Repeat("[", 1_000_000),
		"braces":                 head + "a: " + strings.Repeat("{", 1_000_000),
		"dashes":                 head + "a:\n  " + strings.Repeat("- ", 500_000),
		"question marks":         strings.Repeat("? ", 500_000),
		"colons":                 strings.Repeat("a: ", 50_000),
		"mistakes in one line":   head + "source: {include: [" + strings.Repeat("1,", 19_000) + "]}",
		"unknown keys":           head + "source: {" + unknownKeys(3_000) + "}",
		"one key many times":     head + strings.Repeat("verify: off\n", 5_000),
		"anchors":                head + "a: [" + strings.Repeat("&a b,*a,", 25_000) + "]",
		"an anchor in itself":    head + "source: &a {path: *a}\n",
		"aliases of aliases":     head + aliases(),
		"documents":              strings.Repeat("---\na: 1\n", 10_000),
		"a key of a megabyte":    head + strings.Repeat("k", 1_000_000) + ": 1\n",
		"a value of a megabyte":  head + "verify: " + strings.Repeat("v", 1_000_000) + "\n",
		"variables":              head + "verify: \"" + strings.Repeat("${X}", 20_000) + "\"\n",
		"a late syntax error":    strings.Repeat("# comment\n", 15_000) + head + "a: b: c\n",
		"unclosed in many lines": head + strings.Repeat("a: [\n", 15_000),
	} {
		t.Run(name, func(t *testing.T) {
			p, l := loadText(text)
			out := rendered(t, l)
			if p != nil || !l.HasErrors() {
				t.Error("it is taken")
			}
			if len(out) > 100_000 {
				t.Errorf("%d bytes are said about it", len(out))
			}
		})
	}
}

func unknownKeys(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "key%d: 1, ", i)
	}
	return b.String()
}

func aliases() string {
	var b strings.Builder
	b.WriteString("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n")
	for i := range 30 {
		fmt.Fprintf(&b, "a%d: &a%d [*a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d]\n", i+1, i+1, i, i, i, i, i, i, i, i)
	}
	return b.String()
}

func TestManyMistakesAreCounted(t *testing.T) {
	_, l := loadText("version: 1\nextends: map\nsource: {" + unknownKeys(500) + "}\n")
	if len(l) != maxMistakes+1 {
		t.Errorf("%d diagnostics", len(l))
	}
	if got, want := l[len(l)-1].Message, "400 more mistakes are not shown"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestAMistakeBehindAnAliasIsToldOnce(t *testing.T) {
	_, l := loadText("version: 1\nextends: map\nlimits:\n  file: &l {tme: 1s}\n  stage: *l\n")
	if len(l) != 1 {
		t.Error(rendered(t, l))
	}
}

func TestExtendsIsBounded(t *testing.T) {
	dir := t.TempDir()
	chain := func(n int) string {
		for i := range n {
			text := fmt.Sprintf("version: 1\nextends: ./%d-of-%d.yaml\n", i+1, n)
			if i == n-1 {
				text = "version: 1\nextends: map\n"
			}
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d-of-%d.yaml", i, n)), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		return filepath.Join(dir, fmt.Sprintf("0-of-%d.yaml", n))
	}
	load := func(file string) string {
		_, l := Load(context.Background(), Options{File: file, Catalog: testCatalog(), Presets: testPresets})
		return rendered(t, l)
	}
	if out := load(chain(maxExtends - 1)); out != "" {
		t.Errorf("a chain of %d and a built-in pipeline is refused:\n%s", maxExtends-1, out)
	}
	if out := load(chain(maxExtends)); !strings.Contains(out, "extends leads through more than 16 pipelines") {
		t.Errorf("a chain of %d and a built-in pipeline gives:\n%s", maxExtends, out)
	}
}

func TestAFileThatExtendsItselfIsToldOnce(t *testing.T) {
	file := filepath.Join(t.TempDir(), "self.yaml")
	if err := os.WriteFile(file, []byte("extends: ./self.yaml\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	_, l := Load(context.Background(), Options{File: file, Catalog: testCatalog(), Presets: testPresets})
	if len(l) != 2 || !strings.Contains(rendered(t, l), "extends leads in a circle: self.yaml → self.yaml") {
		t.Error(rendered(t, l))
	}
}

func TestWithoutCatalogAndPresetsNothingIsKnown(t *testing.T) {
	for _, text := range []string{"version: 1\nextends: map\n", "version: 1\nstages: [report, ./x]\n"} {
		p, l := Load(context.Background(), Options{File: "p.yaml", Data: []byte(text), Set: []string{"report.budget=1"}})
		if p != nil || !l.HasErrors() {
			t.Errorf("%q is taken", text)
		}
	}
}

func TestExtendsOfADeviceIsRefused(t *testing.T) {
	if _, err := os.Stat(os.DevNull); err != nil || filepath.Separator != '/' {
		t.Skip("there is no device to name")
	}
	for name, want := range map[string]string{os.DevNull: "it is not a regular file", t.TempDir(): "it is a directory"} {
		_, l := loadText("version: 1\nextends: " + name + "\n")
		if out := rendered(t, l); !strings.Contains(out, want) {
			t.Errorf("got\n%s", out)
		}
	}
}
