package source

import (
	"bytes"
	"path/filepath"
	"sort"
	"strings"
)

// Setting is the state of a yes-or-no attribute.
type Setting int8

// The states of an attribute: not mentioned, or set either way by the repository.
const (
	Unspecified Setting = iota
	Set
	Unset
)

// Attributes is what .gitattributes files say about the class of a file.
type Attributes struct {
	Generated, Vendored, Documentation Setting
}

// attrList is one attributes file.
type attrList struct {
	rules ruleList
	// values holds the assignments of each rule.
	values [][]assignment
}

type assignment struct {
	name  string
	value Setting
}

// attrSet is all attributes files of a tree, by directory with a trailing slash.
type attrSet struct {
	info *attrList
	dirs map[string]*attrList
	// macros are names that stand for several assignments.
	macros map[string][]assignment
}

// Attributes gives what the tree's .gitattributes files say about a file, in git's order of precedence. The files are
// read at the first call.
func (t *Tree) Attributes(f *File) Attributes {
	t.attrsOnce.Do(func() { t.attrs = t.loadAttrs() })
	path := t.prefix + f.Path
	return Attributes{
		Generated:     t.attrs.lookup(path, "linguist-generated"),
		Vendored:      t.attrs.lookup(path, "linguist-vendored"),
		Documentation: t.attrs.lookup(path, "linguist-documentation"),
	}
}

func (t *Tree) loadAttrs() *attrSet {
	s := &attrSet{dirs: map[string]*attrList{}, macros: map[string][]assignment{}}
	paths := append([]string{}, t.attrFiles...)
	for dir := t.prefix; dir != ""; {
		// The files above the root are not in the list.
		dir = parentPath(strings.TrimSuffix(dir, "/"))
		paths = append(paths, joinPath(dir, attrsFile))
		if dir != "" {
			dir += "/"
		}
	}
	// Macros may be defined at top only, and the shortest path comes first.
	sort.Slice(paths, func(i, j int) bool { return len(paths[i]) < len(paths[j]) })
	s.info = s.parse(t.infoAttrs, "")
	for _, path := range paths {
		var data []byte
		if t.blobs != nil {
			data = t.commitFile(path)
		} else {
			data, _ = t.readPath(path, maxSideFile)
		}
		base := strings.TrimSuffix(path, attrsFile)
		if list := s.parse(data, base); list != nil {
			s.dirs[base] = list
		}
	}
	return s
}

func (s *attrSet) lookup(path, name string) Setting {
	if s.info == nil && len(s.dirs) == 0 {
		return Unspecified
	}
	if v, ok := s.info.lookup(path, name); ok {
		return v
	}
	for dir := filepath.ToSlash(path); dir != ""; {
		dir = parentPath(strings.TrimSuffix(dir, "/"))
		if dir != "" {
			dir += "/"
		}
		if v, ok := s.dirs[dir].lookup(path, name); ok {
			return v
		}
	}
	return Unspecified
}

func (l *attrList) lookup(path, name string) (Setting, bool) {
	if l == nil {
		return Unspecified, false
	}
	base := path[strings.LastIndexByte(path, '/')+1:]
	for i := len(l.rules.rules) - 1; i >= 0; i-- {
		r := &l.rules.rules[i]
		values := l.values[i]
		for j := len(values) - 1; j >= 0; j-- {
			// A pattern for directories only says nothing about the files in them.
			if values[j].name == name && !r.dirOnly && r.matches(path, base, &l.rules) {
				return values[j].value, true
			}
		}
	}
	return Unspecified, false
}

// parse reads an attributes file, nil for one that sets nothing of interest.
func (s *attrSet) parse(data []byte, base string) *attrList {
	list := &attrList{rules: ruleList{base: base}}
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	for line := range strings.Lines(string(data)) {
		line = strings.Trim(line, " \t\r\n")
		if line == "" || line[0] == '#' {
			continue
		}
		pattern, rest := attrPattern(line)
		values := s.assignments(rest)
		if name, ok := strings.CutPrefix(pattern, "[attr]"); ok {
			if base == "" {
				s.macros[name] = values
			}
			continue
		}
		if len(values) == 0 || strings.HasPrefix(pattern, "!") {
			continue
		}
		if r, ok := parseRule(pattern, false); ok {
			list.rules.rules = append(list.rules.rules, r)
			list.values = append(list.values, values)
		}
	}
	if len(list.values) == 0 {
		return nil
	}
	return list
}

// attrPattern splits a line. A pattern with spaces stands in double quotes, with the escapes of C.
func attrPattern(line string) (pattern, rest string) {
	if line[0] == '"' {
		if pattern, rest, ok := unquoteC(line); ok {
			return pattern, rest
		}
	}
	end := strings.IndexAny(line, " \t")
	if end < 0 {
		return line, ""
	}
	return line[:end], line[end:]
}

// unquoteC reads a string in double quotes at the start of a line and gives what follows it.
func unquoteC(line string) (text, rest string, ok bool) {
	var b strings.Builder
	for i := 1; i < len(line); i++ {
		switch c := line[i]; {
		case c == '"':
			return b.String(), line[i+1:], true
		case c != '\\':
			b.WriteByte(c)
		case i+3 < len(line) && '0' <= line[i+1] && line[i+1] <= '3':
			n := 0
			for _, d := range []byte(line[i+1 : i+4]) {
				n = n<<3 | int(d&7)
			}
			b.WriteByte(byte(n))
			i += 3
		case i+1 < len(line):
			i++
			if at := strings.IndexByte(`abfnrtv"\`, line[i]); at >= 0 {
				b.WriteByte("\a\b\f\n\r\t\v\"\\"[at])
			}
		}
	}
	return "", "", false
}

// assignments reads the words after a pattern, and keeps those that matter.
func (s *attrSet) assignments(text string) []assignment {
	var list []assignment
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == '\t' }) {
		name, value, hasValue := strings.Cut(word, "=")
		a := assignment{value: Set}
		switch {
		case hasValue:
			if v := strings.ToLower(value); v == "false" || v == "0" || v == "no" || v == "off" {
				a.value = Unset
			}
		case strings.HasPrefix(name, "-"):
			name, a.value = name[1:], Unset
		case strings.HasPrefix(name, "!"):
			name, a.value = name[1:], Unspecified
		}
		a.name = name
		if macro, ok := s.macros[name]; ok && !hasValue && a.value == Set {
			list = append(list, macro...)
		}
		if strings.HasPrefix(name, "linguist-") {
			list = append(list, a)
		}
	}
	return list
}
