package diag

import (
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"
)

func render1(t *testing.T, d Diagnostic) string {
	t.Helper()
	var b strings.Builder
	if err := Render(&b, List{d}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestRender(t *testing.T) {
	long := strings.Repeat("x", 300)
	tests := []struct {
		name string
		d    Diagnostic
		want string
	}{
		{"place, line and mark", Diagnostic{Message: "no", Place: Place{File: "f", Line: 3, Column: 3, Width: 2, Text: "a bc d"}}, "f:3:3: error: no\n    a bc d\n      ^~\n"},
		{"suggestion", Diagnostic{Message: "no", Suggestion: "yes", Place: Place{File: "f"}}, "f: error: no; did you mean \"yes\"?\n"},
		{"no place", Diagnostic{Severity: Warning, Message: "no"}, "warning: no\n"},
		{"tabs stay tabs", Diagnostic{Message: "no", Place: Place{File: "f", Line: 1, Column: 2, Text: "\tx"}}, "f:1:2: error: no\n    \tx\n    \t^\n"},
		{"wide characters", Diagnostic{Message: "no", Place: Place{File: "f", Line: 1, Column: 3, Text: "日本x"}}, "f:1:3: error: no\n    日本x\n        ^\n"},
		{"control characters", Diagnostic{Message: "a\x1b[31mb", Place: Place{File: "f\n", Line: 1, Column: 2, Text: "\x07y"}}, "f\\x0a:1:2: error: a\\x1b[31mb\n    \\x07y\n        ^\n"},
		{"past the end", Diagnostic{Message: "no", Place: Place{File: "f", Line: 1, Column: 9, Text: "abc"}}, "f:1:9: error: no\n    abc\n       ^\n"},
		{"a long line", Diagnostic{Message: "no", Place: Place{File: "f", Line: 1, Column: 151, Text: long[:150] + "!" + long}}, "f:1:151: error: no\n    …" + long[:40] + "!" + long[:79] + "…\n     " + strings.Repeat(" ", 40) + "^\n"},
		{"combining characters", Diagnostic{Message: "no", Place: Place{File: "f", Line: 1, Column: 3, Width: 2, Text: "e\u0301xy"}}, "f:1:3: error: no\n    e\u0301xy\n     ^~\n"},
		{"a mark on a combining character", Diagnostic{Message: "no", Place: Place{File: "f", Line: 1, Column: 2, Text: "e\u0301x"}}, "f:1:2: error: no\n    e\u0301x\n     ^\n"},
		{"half width stays narrow", Diagnostic{Message: "no", Place: Place{File: "f", Line: 1, Column: 2, Text: "\uff76x"}}, "f:1:2: error: no\n    \uff76x\n     ^\n"},
		{"text that would run backwards", Diagnostic{Message: "a\u202eb", Place: Place{File: "f", Line: 1, Column: 2, Text: "\u202ey"}}, "f:1:2: error: a\\u202eb\n    \\u202ey\n          ^\n"},
		{"a width past the end", Diagnostic{Message: "no", Place: Place{File: "f", Line: 1, Column: 2, Width: 99, Text: "abc"}}, "f:1:2: error: no\n    abc\n     ^~\n"},
		{"a blank line is not shown", Diagnostic{Message: "no", Place: Place{File: "f", Line: 1, Column: 1, Text: "  "}}, "f:1:1: error: no\n"},
		{
			"note", Diagnostic{Message: "twice", Place: Place{File: "f", Line: 2}, Notes: []Note{{Message: "first", Place: Place{File: "f", Line: 1, Column: 1, Text: "a"}}}},
			"f:2: error: twice\n  f:1:1: note: first\n    a\n    ^\n",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := render1(t, tt.d); got != tt.want {
				t.Errorf("got\n%swant\n%s", got, tt.want)
			}
		})
	}
}

func TestColorChangesNothingButColor(t *testing.T) {
	l := List{
		{Message: "no", Suggestion: "yes", Place: Place{File: "f", Line: 1, Column: 2, Width: 2, Text: "abcd"}, Notes: []Note{{Message: "see", Place: Place{File: "g"}}}},
		{Severity: Warning, Message: "hm"},
	}
	var plainText, colored strings.Builder
	if err := Render(&plainText, l); err != nil {
		t.Fatal(err)
	}
	if err := (Renderer{Color: true}).Render(&colored, l); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{red + "error:" + plain, magenta + "warning:" + plain, cyan + "note:" + plain, green + "^~" + plain} {
		if !strings.Contains(colored.String(), want) {
			t.Errorf("%q is not in %q", want, colored.String())
		}
	}
	if got := regexp.MustCompile("\x1b\\[[0-9;]*m").ReplaceAllString(colored.String(), ""); got != plainText.String() {
		t.Errorf("got %q, want %q", got, plainText.String())
	}
}

func TestRedactionSeesWholeLines(t *testing.T) {
	secret := strings.Repeat("s3cr3t", 40)
	redact := func(s string) string { return strings.ReplaceAll(s, secret, "[REDACTED]") }
	for name, tt := range map[string]struct {
		p    Place
		want string
	}{
		"the piece is before it":  {Place{Column: 1, Width: 3, Text: "key: " + secret + " tail"}, "    key: [REDACTED] tail\n    ^~~\n"},
		"the piece is it":         {Place{Column: 6, Width: len(secret), Text: "key: " + secret + " tail"}, "    key: [REDACTED] tail\n         ^~~~~~~~~~\n"},
		"the piece is behind it":  {Place{Column: 7 + len(secret), Width: 4, Text: "key: " + secret + " tail"}, "    key: [REDACTED] tail\n                    ^~~~\n"},
		"the piece is in it":      {Place{Column: 100, Width: 2, Text: "key: " + secret + " tail"}, "    key: [REDACTED] tail\n         ^~~~~~~~~~\n"},
		"the piece holds it":      {Place{Column: 4, Width: 9 + len(secret), Text: "key: " + secret + " tail"}, "    key: [REDACTED] tail\n       ^~~~~~~~~~~~\n"},
		"it is cut by the window": {Place{Column: 1, Text: strings.Repeat("x", 110) + " " + secret}, "    " + strings.Repeat("x", 110) + " [REDACTED…\n    ^\n"},
	} {
		t.Run(name, func(t *testing.T) {
			tt.p.File, tt.p.Line = "f", 1
			var b strings.Builder
			d := Diagnostic{Message: "is " + secret, Place: tt.p, Notes: []Note{{Message: "and " + secret, Place: Place{File: secret}}}}
			if err := (Renderer{Redact: redact}).Render(&b, List{d}); err != nil {
				t.Fatal(err)
			}
			want := d.Place.String() + ": error: is [REDACTED]\n" + tt.want + "  [REDACTED]: note: and [REDACTED]\n"
			if b.String() != want {
				t.Errorf("got\n%swant\n%s", b.String(), want)
			}
		})
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

func TestRenderGivesTheErrorOfTheWriter(t *testing.T) {
	if err := Render(brokenWriter{}, List{{Message: "no"}}); !errors.Is(err, io.ErrShortWrite) {
		t.Errorf("got %v", err)
	}
}

func TestPlaceIsShortWhereLittleIsKnown(t *testing.T) {
	for want, p := range map[string]Place{"f": {File: "f"}, "f:2": {File: "f", Line: 2}, "f:2:3": {File: "f", Line: 2, Column: 3}} {
		if got := p.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestListErrorIsOneLine(t *testing.T) {
	var l List
	l.Warnf(Place{File: "f"}, "careful")
	if l.HasErrors() {
		t.Error("a warning is no error")
	}
	l.Errorf(Place{File: "f", Line: 2, Column: 1}, "bad %d", 1)
	l.Errorf(Place{File: "f", Line: 1, Column: 1}, "worse")
	l.Sort()
	if got, want := l.Error(), "f:1:1: worse (and 1 more)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestNearest(t *testing.T) {
	words := []string{"report", "redact", "rank", "extract", "budget", "go"}
	for name, want := range map[string]string{
		"rnak": "rank", "reprot": "report", "extrct": "extract", "budgets": "budget", "zzz": "", "": "", "ga": "go", "reduct": "redact",
		"REPORT": "report", "Budget": "budget", "extractor": "extract", strings.Repeat("r", 100): "",
	} {
		if got := Nearest(name, words); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", name, got, want)
		}
	}
}

func FuzzRender(f *testing.F) {
	f.Add("a\tb", "msg", 2, 3)
	f.Add("e\u0301\u202e日", "\u2028", 2, -1)
	f.Fuzz(func(t *testing.T, text, message string, column, width int) {
		out := render1(t, Diagnostic{Message: message, Place: Place{File: "f", Line: 1, Column: column, Width: width, Text: text}})
		if strings.ContainsAny(out, "\x00\x1b\a\r\u202e\u2028") {
			t.Errorf("control characters come through: %q", out)
		}
	})
}
