package treesitter

import (
	"regexp"
	"testing"
)

func TestOverlay(t *testing.T) {
	src := []byte("safe fn\nsafe\nx")
	o := NewOverlay(src)
	if o.Text() != nil {
		t.Error("a text that nothing was written over")
	}
	o.Blank([]*regexp.Regexp{regexp.MustCompile(`(safe)\s`)})
	o.Fill(7, 14, ';')
	if got, want := string(o.Text()), "     fn\n;;;;\n;"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if string(src) != "safe fn\nsafe\nx" {
		t.Errorf("the text became %q", src)
	}
}
