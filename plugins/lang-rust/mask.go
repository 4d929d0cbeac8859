package langrust

import (
	"bytes"
	"regexp"

	"github.com/repox-dev/repox/sdk/treesitter"
)

// What Rust has and its grammar does not; the first group is written over.
var newer = []*regexp.Regexp{
	regexp.MustCompile(`\b(unsafe)\s+extern\s*(?:r?#*"[^"\n]*"#*\s*)?\{`),        // blocks of edition 2024
	regexp.MustCompile(`\b(safe)\s+(?:fn|static)\b`),                             // and their items
	regexp.MustCompile(`\b(auto)\s+trait\b`),                                     // the rest is unstable, but std is full of it
	regexp.MustCompile(`\b(const)\s+(?:unsafe\s+|auto\s+)*trait\b`),              //
	regexp.MustCompile(`\bimpl(?:\s*<[^{};]*?>)?\s+(const)\s+!?[A-Za-z_:\[&(<]`), //
	regexp.MustCompile(`(~const|\[const\])\s+[A-Za-z_:]`),                        //
	regexp.MustCompile(`\b(default)\s+(?:type|const)\b`),                         //
	regexp.MustCompile(`\b(gen)\s+(?:fn\b|move\b|\{)`),                           //
}

// fence is the line that a script's manifest begins with; the line that ends it has as many dashes.
var fence = regexp.MustCompile(`^(?:#![^\[\n][^\n]*\n)?\s*(---+)[^\n-][^\n]*\n|^(?:#![^\[\n][^\n]*\n)?\s*(---+)[ \t\r]*\n`)

// frontmatter gives the place of a script's manifest.
func frontmatter(src []byte) (start, end int, ok bool) {
	m := fence.FindSubmatchIndex(src)
	if m == nil {
		return 0, 0, false
	}
	start, end = max(m[2], m[4]), max(m[3], m[5])
	closing := append([]byte("\n"), src[start:end]...)
	i := bytes.Index(src[m[1]-1:], closing)
	if i < 0 {
		return 0, 0, false
	}
	end = m[1] - 1 + i + len(closing)
	if end < len(src) && src[end] != '\n' && src[end] != '\r' && src[end] != ' ' {
		return 0, 0, false
	}
	return start, end, true
}

// mask writes over what the grammar does not know, so that the rest of the file can be read.
func mask(src []byte) []byte {
	o := treesitter.NewOverlay(src)
	if start, end, ok := frontmatter(src); ok {
		o.Fill(start, end, ' ')
	}
	o.Blank(newer)
	return o.Text()
}
