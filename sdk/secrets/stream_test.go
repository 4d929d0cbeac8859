package secrets

import (
	"fmt"
	"strings"
	"testing"
	"testing/iotest"
)

// TestCopyInBlocks: what is passed on in blocks is what is found in the whole.
func TestCopyInBlocks(t *testing.T) {
	body := strings.Repeat("Zk3vQ9xLm2Wp7RtY8sBn4HcJ6gDfA1eU5iOoKqXzMwVbNyTrPlCdGhSjEaFu"+"Q2"+"\n", 24)
	key := "-----BEGIN RSA PRIVATE " + "KEY-----\n" + body + "-----END RSA PRIVATE " + "KEY-----\n"
	password := "Wv7kP2" + "!qLx9"
	var b strings.Builder
	for i := range 400 {
		fmt.Fprintf(&b, "line %d says nothing of interest, and goes on for a while\n", i)
		switch {
		case i%37 == 5:
			fmt.Fprintf(&b, "db_password = %q\r\n", password)
		case i%101 == 7:
			b.WriteString(key)
		case i%53 == 11:
			fmt.Fprintf(&b, "curl https://example.org/?q=%s\n", password)
		}
	}
	text := b.String()
	want := Redact(text)
	if strings.Contains(want, password) || strings.Contains(want, body[:64]) {
		t.Fatal("the whole is not clean")
	}
	for _, block := range []int{1 << 10, 10_000, 1 << 20} {
		var out strings.Builder
		s := &stream{known: map[string]bool{}, block: block, context: 4 << 10}
		if err := s.copy(&out, iotest.HalfReader(strings.NewReader(text))); err != nil {
			t.Fatal(err)
		}
		if out.String() != want {
			t.Errorf("blocks of %d bytes differ from the whole", block)
		}
	}
}

// TestCopyLongLine: a line without end is passed on too, and its secrets are not.
func TestCopyLongLine(t *testing.T) {
	secret := "AKIA" + "Z7QKJ2M4N6P8R3T5"
	text := strings.Repeat(strings.Repeat("some words ", 300)+secret+" ", 40)
	var out strings.Builder
	s := &stream{known: map[string]bool{}, block: 5000, context: 1000}
	if err := s.copy(&out, strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	if want := strings.ReplaceAll(text, secret, Mark); out.String() != want {
		t.Errorf("%d bytes, want %d", out.Len(), len(want))
	}
}

func TestCopyTellsOfFaults(t *testing.T) {
	if err := (*Policy)(nil).Copy(&strings.Builder{}, iotest.ErrReader(fmt.Errorf("gone")), ""); err == nil {
		t.Error("no error from a reader that fails")
	}
}
