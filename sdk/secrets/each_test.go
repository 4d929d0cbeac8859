package secrets

import (
	"reflect"
	"testing"
)

func TestEach(t *testing.T) {
	key := "AKIA" + "Z7QKJ2M4N6P8R3T5"
	texts := []string{
		"func open(path string) error", "password", "Wv7kP2qLx9", "TestParse12",
		"src/" + key + "/main.go", "the id is " + key, `const dbPassword = "Wv7kP2!qLx9"`,
	}
	got := Each(texts)
	want := []string{
		"func open(path string) error", "password", "Wv7kP2qLx9", "TestParse12",
		"src/" + Mark + "/main.go", "the id is " + Mark, `const dbPassword = "` + Mark + `"`,
	}
	if !reflect.DeepEqual(texts, want) {
		t.Errorf("got %q, want %q", texts, want)
	}
	var at []int
	for _, c := range got {
		at = append(at, c.Index)
		if len(c.Kinds) == 0 {
			t.Errorf("the change of %d has no kind", c.Index)
		}
	}
	if !reflect.DeepEqual(at, []int{4, 5, 6}) {
		t.Errorf("changed %v", at)
	}
}

// TestEachAgrees: what Find finds in a text by itself, Each takes out of it in a list.
func TestEachAgrees(t *testing.T) {
	found := 0
	for _, c := range loadCases(t) {
		var text string
		for _, s := range c.segments() {
			text += string(s.Text + s.Secret)
		}
		texts := []string{"before", text, "after"}
		changes := Each(texts)
		if want := Redact(text); texts[1] != want {
			t.Errorf("%s: Each does not take out what Redact does", c.ID)
		}
		found += len(changes)
	}
	if found < 50 {
		t.Errorf("only %d texts changed", found)
	}
}
