package langrust

import (
	"bytes"
	"regexp"
)

// What Rust has and its grammar does not; the first group is written over.
var newer = []*regexp.Regexp{
	regexp.MustCompile(`\b(unsafe)\s+extern\s*(?:r?#*"[^"\n]*"#*\s*)?\{`),                      // blocks of edition 2024
	regexp.MustCompile(`\b(safe)\s+(?:fn|static)\b`),                                           // and their items
	regexp.MustCompile(`\b(auto)\s+trait\b`),                                                   // the rest is unstable, but std is full of it
	regexp.MustCompile(`\b(const)\s+(?:unsafe\s+|auto\s+)*trait\b`),                            //
	regexp.MustCompile(`\bimpl(?:\s*<[^{};]*?>)?\s+(const)\s+!?[A-Za-z_:\[&(<]`),               //
	regexp.MustCompile(`(~const|\[const\])\s+[A-Za-z_:]`),                                      //
	regexp.MustCompile(`\b(default)\s+(?:type|const)\b`),                                       //
	regexp.MustCompile(`\b(gen)\s+(?:fn\b|move\b|\{)`),                                         //
	regexp.MustCompile(`^(?:#![^\[\n][^\n]*\n)?\s*(---[^\n]*\n(?:[^\n]*\n)*?---+)[ \t]*\r?\n`), // a script's manifest
}

// mask writes over what the grammar does not know, so that the rest of the file can be read.
func mask(src []byte) []byte {
	var out []byte
	for _, pattern := range newer {
		for _, m := range pattern.FindAllSubmatchIndex(src, -1) {
			if out == nil {
				out = bytes.Clone(src)
			}
			for i := m[2]; i < m[3]; i++ {
				if out[i] != '\n' {
					out[i] = ' '
				}
			}
		}
	}
	return out
}
