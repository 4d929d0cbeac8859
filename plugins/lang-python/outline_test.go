package langpython

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/repox-dev/repox/sdk"
	"github.com/repox-dev/repox/sdk/packtest"
)

func TestOutline(t *testing.T) {
	tests := []struct {
		name, src string
		broken    bool
		want      string
	}{
		{"one line", "def f(): return 1\nx = 1\n", false, "f 1-1"},
		{"nested", "class A:\n  def m(self):\n    pass\n\n  x = 1\n\ny = 1\n", false, "A 1-5, m 2-3"},
		{"async with a continuation", "async \\\n  def \\\n f(): pass\n", false, "f 1-3"},
		{"comments at the end", "def f():\n  pass  # one\n  # two\n\n# three\n", false, "f 1-2"},
		{"text in strings", "x = '''\ndef f(): pass\n'''\ny = 'class A:\\\nclass B:'\n", false, ""},
		{"text in comments", "# def f(): pass\n", false, ""},
		{"brackets over lines", "def f(a=(\n1, [2,\n]),\n):\n  return {\n}\nx\n", false, "f 1-6"},
		{"an escaped quote", "x = '\\'' ; y = r'\\'\ndef f(): pass", false, "f 2-2"},
		{"carriage returns", "def f():\r\n  x = 1 + \\\r\n1\r\n\r\ny\r\n", false, "f 1-3"},
		{"tabs count to eight", "class A:\n\tdef f(self):\n\t        x\n        def g(self): pass\n", false, "A 1-4, f 2-3, g 4-4"},
		{"a form feed sets the column back", "def f():\n  pass\n  \fdef g(): pass\n", false, "f 1-2, g 3-3"},
		{"names that begin like keywords", "default = 1\nclassy = 2\ndefine(x)\nasync_def = 1\n", false, ""},
		{"a colon left out", "def f()\n  return 1\nclass A:\n  pass\n", true, "f 1-2, A 3-4"},
		{"an open bracket", "def f():\n  g(1,\n\ndef h(): pass\n", false, "f 1-2, h 4-4"},
		{"an open bracket before a statement", "def f():\n  g(1,\n\n@x\nclass A: pass\n", true, "f 1-2, A 5-5"},
		{"an argument without an indent", "def f():\n  g(1,\na=2)\n  h()\n", false, "f 1-4"},
		{"an open string", "def f():\n  x = 'abc\n\ndef g(): pass", true, "f 1-2, g 4-4"},
		{"a column where nothing stood", "class A:\n    def f(self):\n        pass\n      x = 1\n\ndef g(): pass\n", false, "A 1-3, f 2-3, g 6-6"},
		{"a head without a name", "def\n\nclass 1:\ndef (x): pass\n", true, ""},
		{"nothing", "", false, ""},
		{"an end in the middle", "def f(\\", true, "f 1-1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, b := range outline([]byte(tt.src), tt.broken) {
				got = append(got, fmt.Sprintf("%s %d-%d", tt.src[b.nameStart:b.nameEnd], b.row+1, b.endRow+1))
			}
			if s := strings.Join(got, ", "); s != tt.want {
				t.Errorf("got %q, want %q", s, tt.want)
			}
		})
	}
}

func TestSignature(t *testing.T) {
	tests := []struct{ head, want string }{
		{"def f(\n    a,  # first\n    b = [ 1 ],\n)", "def f(a, b = [1])"},
		{"def f(key='0123456789abcdef0123')", "def f(key='…')"},
		{"class A(B, \\\n  C)", "class A(B, C)"},
		{"def f(a=\"#\") -> 'int'", "def f(a=\"#\") -> 'int'"},
		{"def f(" + strings.Repeat("é", 200), "def f(" + strings.Repeat("é", 147) + "…"},
	}
	for _, tt := range tests {
		if got := signature([]byte(tt.head)); got != tt.want {
			t.Errorf("signature of %q is %q, want %q", tt.head, got, tt.want)
		}
	}
}

// TestBrokenSourcesGiveSoundTags changes sources at random and checks that all that is reported lies where it says.
func TestBrokenSourcesGiveSoundTags(t *testing.T) {
	pieces := []string{"(", "]", "\"", "'''", "\\", "\n", "#", ":", "def ", "class ", "\t", "\r", "\f", "async def", "f'{", "\\\r\n", "\xff", "import ", "@", "lambda: ", "="}
	sources, _ := filepath.Glob("fixtures/*.fixture")
	cases, _ := filepath.Glob("testdata/cases/*.py")
	p := New()
	rng := rand.New(rand.NewPCG(1, 2))
	for _, s := range append(sources, cases...) {
		src, err := os.ReadFile(s)
		if err != nil {
			t.Fatal(err)
		}
		if len(src) == 0 || len(src) > 1<<14 {
			continue
		}
		for range 30 {
			checkSound(t, p, mutate(rng, src, pieces))
		}
	}
}

func mutate(rng *rand.Rand, src []byte, pieces []string) []byte {
	m := bytes.Clone(src)
	for range 1 + rng.IntN(4) {
		i := rng.IntN(len(m) + 1)
		switch rng.IntN(3) {
		case 0:
			m = append(m[:i:i], append([]byte(pieces[rng.IntN(len(pieces))]), m[i:]...)...)
		case 1:
			m = append(m[:i:i], m[min(len(m), i+rng.IntN(20)):]...)
		default:
			m = m[:i]
		}
	}
	return m
}

func checkSound(t *testing.T, p *sdk.Pack, src []byte) {
	t.Helper()
	f, err := packtest.Extract(p, "x.py", src)
	if err != nil {
		t.Fatal(err)
	}
	row := func(at uint32) uint32 { return uint32(bytes.Count(src[:at], []byte("\n"))) }
	for _, d := range f.Definitions {
		nameEnd := d.NameStart + uint32(len(d.Name))
		if d.Start > d.NameStart || nameEnd > d.End || d.End > uint32(len(src)) || row(d.Start) != d.StartRow || row(d.End) != d.EndRow {
			t.Fatalf("%+v does not lie where it says, in\n%q", d, src)
		}
	}
}
