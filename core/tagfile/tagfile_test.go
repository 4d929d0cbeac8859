package tagfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/repox-dev/repox/sdk/tag"
)

func FuzzQuoted(f *testing.F) {
	for _, s := range []string{"", "plain", "\"\\\n\r\t\x00\x1f\x7f", "ünïcode\u2028", "\xff\xfe half\xc3"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var got string
		b := appendQuoted(nil, s)
		if err := json.Unmarshal(b, &got); err != nil {
			t.Fatalf("%q: %v", b, err)
		}
		if want := strings.ToValidUTF8(s, "\ufffd"); strings.ReplaceAll(got, "\ufffd", "") != strings.ReplaceAll(want, "\ufffd", "") {
			t.Fatalf("%q came back as %q", s, got)
		}
		if bytes.ContainsAny(b, "\n\r") {
			t.Fatalf("%q is more than one line", b)
		}
	})
}

func TestFactsStandInTheOrderOfLines(t *testing.T) {
	var out bytes.Buffer
	w := NewJSONL(&out)
	err := w.Write(&File{
		Path: "a.x",
		Tags: &tag.File{
			Imports:     []tag.Import{{Module: "late", Row: 8}, {Module: "m", Row: 2, Names: []string{"a", "* as b"}}},
			Definitions: []tag.Definition{{Name: "D", Kind: "type", Span: tag.Span{StartRow: 2, EndRow: 4}}},
			References:  []tag.Reference{{Name: "R", Role: "call", Row: 0}, {Name: "S", Role: "read", Qualifier: "q", Row: 2}},
		},
		Targets:     [][]string{nil, {"b.x", "c.x"}},
		Limitations: []Limitation{{Code: "parse_error", Line: 3, Message: "m"}, {Code: "whole", Message: "w"}},
	})
	if err = errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	want := `{"type":"limitation","file":"a.x","code":"whole","message":"w"}
{"type":"reference","file":"a.x","name":"R","line":1,"role":"call"}
{"type":"import","file":"a.x","module":"m","line":3,"names":["a","* as b"],"resolved":["b.x","c.x"]}
{"type":"definition","file":"a.x","name":"D","kind":"type","scope":"","line_start":3,"line_end":5,"signature":""}
{"type":"reference","file":"a.x","name":"S","line":3,"role":"read","qualifier":"q"}
{"type":"limitation","file":"a.x","code":"parse_error","line":3,"message":"m"}
{"type":"import","file":"a.x","module":"late","line":9,"names":[],"resolved":[]}
`
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
}

func TestSorterInLittleMemory(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	r := rand.New(rand.NewPCG(1, 2))
	for _, memory := range []int{0, 64, 1000, 1 << 20} {
		s := &sorter{memory: memory}
		var want []string
		for range 2000 {
			line := fmt.Sprintf("%d%s\n", r.IntN(500), strings.Repeat("x", r.IntN(100)))
			want = append(want, line)
			if err := s.add([]byte(line)); err != nil {
				t.Fatal(err)
			}
		}
		if memory == 1000 && len(s.runs) < 10 {
			t.Errorf("%d runs with %d bytes of memory", len(s.runs), memory)
		}
		slices.Sort(want)
		var out bytes.Buffer
		if err := s.merge(&out); err != nil {
			t.Fatal(err)
		}
		if out.String() != strings.Join(want, "") {
			t.Errorf("wrong order with %d bytes of memory", memory)
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("full") }

func TestCTagsTellsOfWritingFaults(t *testing.T) {
	if _, err := NewCTags(failing{}, "1"); err == nil {
		t.Error("no error from a full disk")
	}
}
