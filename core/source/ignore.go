package source

import (
	"bytes"
	"strings"
)

// rule is one line of an ignore file, or the pattern of a line of an attributes file.
type rule struct {
	negate  bool
	dirOnly bool
	// nameOnly is set for a pattern without a slash, which is held against the last name of a path.
	nameOnly bool
	// literal is what stands before the first wildcard. It is the whole pattern if exact is set, and what follows the
	// star if suffix is set.
	literal string
	exact   bool
	suffix  bool
	glob    glob
}

// ruleList is an ignore file: base is the directory it lies in, "" for top or a path with a trailing slash.
type ruleList struct {
	base  string
	rules []rule
	fold  bool
}

// chain is the rule lists that apply to a directory, the strongest first. A nil chain ignores nothing.
type chain struct {
	list *ruleList
	up   *chain
}

// push puts an ignore file on top of a chain; a file without rules changes nothing.
func (c *chain) push(data []byte, base string, fold bool) *chain {
	list := parseIgnore(data, base, fold)
	if len(list.rules) == 0 {
		return c
	}
	return &chain{list: list, up: c}
}

// ignores tells whether the rules ignore a path, given from top. It looks at this path only: the caller does not
// descend into what is ignored.
func (c *chain) ignores(path string, dir bool) bool {
	for ; c != nil; c = c.up {
		if r := c.list.lastMatch(path, dir); r != nil {
			return !r.negate
		}
	}
	return false
}

// parseIgnore reads an ignore file as git does. Its bytes need not be text.
func parseIgnore(data []byte, base string, fold bool) *ruleList {
	list := &ruleList{base: base, fold: fold}
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	for len(data) > 0 {
		line, rest, _ := bytes.Cut(data, []byte("\n"))
		data = rest
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		// A carriage return goes from a last line without a line feed as well: git adds the line feed.
		line = bytes.TrimSuffix(line, []byte("\r"))
		if i := bytes.IndexByte(line, 0); i >= 0 {
			line = line[:i]
		}
		pattern := trimTrailingSpaces(string(line))
		negate := strings.HasPrefix(pattern, "!")
		if negate {
			pattern = pattern[1:]
		}
		if r, ok := parseRule(pattern, fold); ok {
			r.negate = negate
			list.rules = append(list.rules, r)
		}
	}
	return list
}

// trimTrailingSpaces takes spaces off the end, up to one that a backslash protects.
func trimTrailingSpaces(s string) string {
	end := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case ' ':
			continue
		case '\\':
			if i++; i == len(s) {
				return s
			}
		}
		end = i + 1
	}
	return s[:end]
}

// parseRule reads a pattern without its exclamation mark; a pattern that matches nothing is not a rule.
func parseRule(pattern string, fold bool) (rule, bool) {
	r := rule{}
	body := pattern
	if strings.HasSuffix(body, "/") {
		body = body[:len(body)-1]
		r.dirOnly = true
	}
	if body == "" || body == "/" {
		return r, false
	}
	r.nameOnly = !strings.Contains(body, "/")
	if !r.nameOnly {
		body = strings.TrimPrefix(body, "/")
	}
	plain := strings.IndexAny(body, `*?[\`)
	switch {
	case plain < 0:
		r.exact, r.literal = true, body
	case r.nameOnly && body[0] == '*' && !strings.ContainsAny(body[1:], `*?[\`):
		r.suffix, r.literal = true, body[1:]
	case r.nameOnly:
		r.glob = compileGlob(body, false, fold)
	default:
		// The part before the first wildcard is compared as it stands and the rest is a pattern of its own. That is
		// visible: in a/b** the stars start a pattern and so cross slashes. Git has it so.
		r.literal = body[:plain]
		r.glob = compileGlob(body[plain:], true, fold)
	}
	return r, true
}

// lastMatch gives the last rule that matches a path, nil for none.
func (l *ruleList) lastMatch(path string, dir bool) *rule {
	name := path[strings.LastIndexByte(path, '/')+1:]
	for i := len(l.rules) - 1; i >= 0; i-- {
		if r := &l.rules[i]; (dir || !r.dirOnly) && r.matches(path, name, l) {
			return r
		}
	}
	return nil
}

func (r *rule) matches(path, name string, l *ruleList) bool {
	if r.nameOnly {
		switch {
		case r.exact:
			return len(name) == len(r.literal) && equalNames(name, r.literal, l.fold)
		case r.suffix:
			return len(name) >= len(r.literal) && equalNames(name[len(name)-len(r.literal):], r.literal, l.fold)
		}
		return r.glob.match(name)
	}
	if len(path) < len(l.base)+len(r.literal) || !equalNames(path[:len(l.base)], l.base, l.fold) {
		return false
	}
	rel := path[len(l.base):]
	if !equalNames(rel[:len(r.literal)], r.literal, l.fold) {
		return false
	}
	if r.exact {
		return len(rel) == len(r.literal)
	}
	return r.glob.match(rel[len(r.literal):])
}

// equalNames compares two strings of the same length; letters beyond ASCII are never folded.
func equalNames(a, b string, fold bool) bool {
	if !fold || a == b {
		return a == b
	}
	for i := range len(a) {
		if foldByte(a[i], true) != foldByte(b[i], true) {
			return false
		}
	}
	return true
}
