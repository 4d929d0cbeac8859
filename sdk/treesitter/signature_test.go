package treesitter

import "testing"

func TestLongLiteralsAreMasked(t *testing.T) {
	for in, want := range map[string]string{
		`const a = "short"`:                                  `const a = "short"`,
		`const a = "much too long to be shown"`:              `const a = "…"`,
		"var q = `SELECT * FROM somewhere WHERE x`":          "var q = `…`",
		`const k = 'abcdefghijklmnopqrstuvwxyz'`:             `const k = '…'`,
		`x = "escaped \" quote is not the end of it", 1`:     `x = "…", 1`,
		`fn f<'a>(x: &'a str, y: &'static mut T) -> &'a str`: `fn f<'a>(x: &'a str, y: &'static mut T) -> &'a str`,
		`fn g<T>(f: F) where F: Send + 'static`:              `fn g<T>(f: F) where F: Send + 'static`,
		`it's unclosed`:                                      `it's unclosed`,
	} {
		if got := maskLiterals(in); got != want {
			t.Errorf("maskLiterals(%s)\ngot  %s\nwant %s", in, got, want)
		}
	}
}

func TestDocLine(t *testing.T) {
	for in, want := range map[string]string{
		"// run does it.\n// More.":   "run does it.",
		"/**\n * Block text.\n */":    "Block text.",
		"# python\n":                  "python",
		`r"""Doc string."""`:          "Doc string.",
		"//\n// second":               "second",
		"// key AKIA1234567890ABCDEF": "key …",
		"":                            "",
	} {
		if got := docLine(in); got != want {
			t.Errorf("docLine(%q) = %q, want %q", in, got, want)
		}
	}
}
