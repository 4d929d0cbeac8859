// Package treepath handles paths of files in a repository as packs and hosts exchange them: relative to the root, with forward
// slashes, cleaned. The root itself is the empty path.
package treepath

import (
	"path"
	"strings"
)

// Dir is the folder of a path, empty for what lies in the root.
func Dir(p string) string {
	if i := strings.LastIndexByte(p, '/'); i >= 0 {
		return p[:i]
	}
	return ""
}

// Join gives the path that rest means below dir. It may lead out of the root: then it begins with "..".
func Join(dir, rest string) string {
	if p := path.Join(dir, rest); p != "." {
		return p
	}
	return ""
}

// Within tells whether a path is dir or lies below it.
func Within(dir, p string) bool {
	rest, ok := strings.CutPrefix(p, dir)
	return dir == "" || ok && (rest == "" || rest[0] == '/')
}
