package extract

import (
	"strconv"
	"strings"
)

// value is what a path leads to: a type, a module, or a container of which only the content is known. Numbers of
// definitions count from 1, so that 0 says that there is none.
type value struct {
	typ    uint32 // a definition
	set    uint32 // a target set
	module uint32 // a file, from 1
	// holds is the path of what it holds, as seen from the file within and the type self.
	holds  string
	within *source
	self   uint32
}

func (v value) known() bool { return v.typ != 0 || v.set != 0 || v.module != 0 || v.holds != "" }

// valueKey is what a value is remembered by. How deep the search may still go is part of it: where paths lead in circles,
// the answer must not depend on which of them was asked for first.
type valueKey struct {
	file, self uint32
	depth      int
	path       string
}

// maxPathDepth bounds how many declarations are followed from a receiver to its type.
const maxPathDepth = 10

// member puts the definitions that a member called name of the value at a path can be into scratch; see tag.Member for
// what a path is.
func (w *worker) member(path, name string) outcome {
	v := w.valueOf(w.s, path, 0, maxPathDepth)
	if !v.known() {
		return unresolved
	}
	found, _ := w.lookIn(w.s, v, name, maxPathDepth)
	w.scratch = append(w.scratch, found...)
	return outcomeOf(w.scratch)
}

// valueOf follows a path written in a file, inside the type self where it has the name @.
func (w *worker) valueOf(s *source, path string, self uint32, depth int) value {
	if path == "" || depth <= 0 {
		return value{}
	}
	if !strings.Contains(path, "@") {
		self = 0
	}
	key := valueKey{s.file, self, depth, path}
	if v, ok := w.values[key]; ok {
		return v
	}
	v, rest := w.start(s, path, self, depth)
	for v.known() && rest != "" {
		v, rest = w.next(s, v, rest, self, depth)
	}
	if w.values == nil {
		w.values = map[valueKey]value{}
	}
	w.values[key] = v
	return v
}

// start gives what the head of a path means, and what follows it.
func (w *worker) start(s *source, path string, self uint32, depth int) (v value, rest string) {
	switch path[0] {
	case '@':
		return value{typ: self}, path[1:]
	case '<':
		return value{}.holding(path, s, self)
	}
	end := nameEnd(path)
	head := path[:end]
	v = w.head(s, head, depth)
	if !v.known() && end < len(path) && path[end] == '.' {
		// A module that is named in full.
		for n := end; n < len(path) && path[n] == '.'; {
			n += 1 + nameEnd(path[n+1:])
			if bs := s.names.byName[path[:n]]; len(bs) > 0 {
				if m := w.bound(s, bs, depth); m.known() {
					v, end = m, n
				}
			}
		}
	}
	if end < len(path) && path[end] == '<' {
		return v.holding(path[end:], s, self)
	}
	return v, path[end:]
}

// holding gives a value that holds what stands in the angle brackets at the start of a path.
func (v value) holding(path string, s *source, self uint32) (value, string) {
	inner, rest, ok := angles(path)
	if !ok {
		return value{}, ""
	}
	v.holds, v.within, v.self = inner, s, self
	return v, rest
}

// next takes a step from a value.
func (w *worker) next(s *source, v value, path string, self uint32, depth int) (value, string) {
	path = strings.TrimPrefix(path, ".")
	if strings.HasPrefix(path, "!") {
		return w.content(v, depth), path[1:]
	}
	end := nameEnd(path)
	name := path[:end]
	path = path[end:]
	if name == "" {
		return value{}, ""
	}
	if v.holds != "" && v.typ == 0 && name[0] <= '9' {
		return w.element(v, name, depth), path
	}
	if name == "^" {
		return w.base(v, depth), path
	}
	_, to := w.lookIn(s, v, name, depth-1)
	if strings.HasPrefix(path, "!") {
		path = path[1:]
		if !to.known() {
			to = w.content(v, depth)
		}
	}
	if strings.HasPrefix(path, "<") {
		return to.holding(path, s, self)
	}
	return to, path
}

// content is what a value holds, or the value itself where nothing says that it holds anything.
func (w *worker) content(v value, depth int) value {
	if v.holds == "" {
		return v
	}
	return w.valueOf(v.within, v.holds, v.self, depth-1) // nothing for a tuple
}

// element is one of the things that a tuple holds, by its number.
func (w *worker) element(v value, number string, depth int) value {
	parts := heldParts(v.holds)
	n, err := strconv.Atoi(number)
	if err != nil || n < 0 || n >= len(parts) || len(parts) == 1 {
		return value{}
	}
	return w.valueOf(v.within, parts[n], v.self, depth-1)
}

// base is the first base of a type that the repository has.
func (w *worker) base(v value, depth int) value {
	if v.typ == 0 {
		return value{}
	}
	s := w.sourceOf(v.typ)
	for _, path := range s.memberTypes()[memberName{w.inside(v.typ), ""}] {
		if b := w.valueOf(s, path, 0, depth-1); b.typ != 0 && b.typ != v.typ {
			return b
		}
	}
	return value{}
}
