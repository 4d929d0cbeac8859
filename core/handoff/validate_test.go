package handoff

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/repox-dev/repox/sdk/handoff"
)

var update = flag.Bool("update", false, "rewrite golden files")

func good(t testing.TB) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", "good.json"))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestAGoodHandoffHasNoViolations(t *testing.T) {
	for _, v := range Validate(good(t), Options{}) {
		t.Error(v)
	}
}

func TestTheTextOfAHandoffIsItsOnlyOne(t *testing.T) {
	h, err := handoff.Decode(good(t))
	if err != nil {
		t.Fatal(err)
	}
	got, err := handoff.Encode(h)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(good(t)), string(got)); diff != "" {
		t.Errorf("read and written it differs (-want +got):\n%s", diff)
	}
}

func TestTheEmptyHandoffIsWrittenWithEmptyLists(t *testing.T) {
	b, err := handoff.Encode(&handoff.Handoff{Risks: []handoff.Risk{{}}})
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(b, []byte("null")) {
		t.Errorf("it has null in it:\n%s", b)
	}
}

// mutation is one way to break the good handoff. Of text, cut, append, replace, nest, remove and edit one is given.
type mutation struct {
	Name    string    `json:"name"`
	Want    []string  `json:"want"`
	Also    []string  `json:"also"`
	Text    *string   `json:"text"`
	Cut     int       `json:"cut"`
	Append  string    `json:"append"`
	Replace [2]string `json:"replace"`
	Latin1  bool      `json:"latin1"`
	Nest    int       `json:"nest"`
	Remove  string    `json:"remove"`
	Edit    []struct {
		Set string `json:"set"`
		To  any    `json:"to"`
	} `json:"edit"`
}

// token has the form of a secret; it is put together here, so that no scanner stumbles over this file.
var token = "gh" + "p_" + "q7Zt2mKx9RwB4nLcV8yHs3JdF6gTpA1eUoXr"

func (m *mutation) apply(t *testing.T, text []byte) []byte {
	t.Helper()
	switch {
	case m.Text != nil:
		return []byte(*m.Text)
	case m.Cut > 0:
		return text[:m.Cut]
	case m.Append != "":
		return append(text, m.Append...)
	case m.Nest > 0:
		return []byte(strings.Repeat("[", m.Nest) + strings.Repeat("]", m.Nest))
	case m.Replace[0] != "":
		to := []byte(m.Replace[1])
		if m.Latin1 {
			to = to[:0]
			for _, r := range m.Replace[1] {
				to = append(to, byte(r))
			}
		}
		out := bytes.Replace(text, []byte(m.Replace[0]), to, 1)
		if bytes.Equal(out, text) {
			t.Fatalf("%q does not occur", m.Replace[0])
		}
		return out
	}
	var doc any
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	if m.Remove != "" {
		doc = set(doc, strings.Split(m.Remove, "/")[1:], nil, true)
	}
	for _, e := range m.Edit {
		doc = set(doc, strings.Split(e.Set, "/")[1:], e.To, false)
	}
	out, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.ReplaceAll(out, []byte("SECRET"), []byte(token))
}

// set puts a value at a path, or removes what is there. One place behind the end of a list appends.
func set(doc any, path []string, value any, remove bool) any {
	name := strings.NewReplacer("~1", "/", "~0", "~").Replace(path[0])
	switch d := doc.(type) {
	case map[string]any:
		switch {
		case len(path) > 1:
			d[name] = set(d[name], path[1:], value, remove)
		case remove:
			delete(d, name)
		default:
			d[name] = value
		}
	case []any:
		i, err := strconv.Atoi(name)
		if err != nil || i > len(d) {
			panic(fmt.Sprintf("no place %q", name))
		}
		if i == len(d) {
			return append(d, value)
		}
		if len(path) > 1 {
			value = set(d[i], path[1:], value, remove)
		}
		d[i] = value
	}
	return doc
}

func mutations(t testing.TB) []mutation {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", "broken.json"))
	if err != nil {
		t.Fatal(err)
	}
	var all []mutation
	if err := json.Unmarshal(b, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// TestBrokenHandoffs breaks the good handoff in one way at a time. Every place that is wrong must be named and no other; the
// messages are in testdata/broken.txt.
func TestBrokenHandoffs(t *testing.T) {
	all := mutations(t)
	if len(all) < 60 {
		t.Errorf("only %d broken handoffs", len(all))
	}
	var told strings.Builder
	for _, m := range all {
		t.Run(m.Name, func(t *testing.T) {
			text := m.apply(t, good(t))
			found := Validate(text, Options{})
			var got []string
			fmt.Fprintf(&told, "# %s\n", m.Name)
			for _, v := range found {
				if !slices.Contains(got, v.Pointer) {
					got = append(got, v.Pointer)
				}
				fmt.Fprintln(&told, v)
			}
			want := append(slices.Clone(m.Want), m.Also...)
			slices.SortFunc(want, comparePointers)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("places differ (-want +got):\n%s\n%v", diff, found)
			}
			if again := Validate(text, Options{}); !slices.Equal(found, again) {
				t.Errorf("said otherwise the second time: %v", again)
			}
		})
	}
	if strings.Contains(told.String(), token[6:]) {
		t.Error("a violation shows a secret")
	}
	golden := filepath.Join("testdata", "broken.txt")
	if *update {
		if err := os.WriteFile(golden, []byte(told.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), told.String()); diff != "" {
		t.Errorf("messages differ (-want +got); `go test -update` rewrites them:\n%s", diff)
	}
}

func FuzzValidate(f *testing.F) {
	f.Add(good(f))
	f.Add([]byte(`{"key_files":[{"path":"/a"}],"evidence":[{"file":"/a","line_start":9e99,"line_end":1e3,"snippet":"x"}]}`))
	f.Add([]byte(`{"request":{"target_paths":["/"]},"key_files":{"0":1},"errors":[[]]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		found := Validate(text, Options{})
		if !slices.IsSortedFunc(found, func(a, b Violation) int { return comparePointers(a.Pointer, b.Pointer) }) {
			t.Error("not in the order of places")
		}
		if len(found) > 0 {
			return
		}
		h, err := handoff.Decode(text)
		if err != nil {
			t.Fatalf("valid, but: %v", err)
		}
		again, err := handoff.Encode(h)
		if err != nil {
			t.Fatal(err)
		}
		if v := Validate(again, Options{}); len(v) > 0 {
			t.Errorf("valid, but not when it is written again: %v", v)
		}
	})
}
