package extract

import (
	"strconv"
	"strings"

	"github.com/repox-dev/repox/sdk/tag"
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
	found, _ := w.lookIn(v, name, maxPathDepth)
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
	_, to := w.lookIn(v, name, depth-1)
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

// head gives what a name means at the top of a file.
func (w *worker) head(s *source, name string, depth int) value {
	if id, ok := w.table.strings.ids[name]; ok {
		if d := w.firstInUnit(s, place{s.unit, 0, id}); d != 0 {
			return w.typeOf(d, 0, depth)
		}
	}
	if bs := s.names.byName[name]; len(bs) > 0 {
		return w.bound(s, bs, depth)
	}
	if t := s.memberTypes()[memberName{"", name}]; len(t) > 0 {
		return w.valueOf(s, t[0], 0, depth-1)
	}
	for _, set := range s.names.stars {
		if found := w.search(nil, s, set, w.query("", name), false, 0); len(found) > 0 {
			return w.typeOf(found[0]+1, 0, depth)
		}
	}
	return value{}
}

// bound gives what an import makes of a name.
func (w *worker) bound(s *source, bs []binding, depth int) value {
	for _, b := range bs {
		switch {
		case b.set == 0:
		case b.name == "":
			return value{set: b.set}
		case b.name == "default":
			if found, _ := w.exportedAsDefault(b.set); len(found) > 0 {
				return w.typeOf(found[0]+1, 0, depth)
			}
		default:
			if found := w.search(nil, s, b.set, w.query("", b.name), true, 0); len(found) > 0 {
				return w.typeOf(found[0]+1, 0, depth)
			}
			if f := w.submoduleFile(b); f != 0 {
				return value{module: f}
			}
		}
	}
	return value{}
}

// firstInUnit finds a definition of the file itself, else of its unit.
func (w *worker) firstInUnit(s *source, p place) uint32 {
	first := w.table.index[p].first
	for d := first; d != 0; d = w.table.next[d] {
		if w.table.file[d-1] == s.file {
			return d
		}
	}
	return first
}

// typeOf gives the type that a definition is, or that its value has, seen as a member of the type self.
func (w *worker) typeOf(d, self uint32, depth int) value {
	s := w.sourceOf(d)
	t := w.table
	types := s.memberTypes()[memberName{t.strings.all[t.scope[d-1]], t.strings.all[t.name[d-1]]}]
	switch t.strings.all[t.kind[d-1]] {
	case tag.Class, tag.Struct, tag.Enum, tag.Interface, tag.Trait, tag.Type, tag.Module:
		v := value{typ: d}
		if len(types) > 0 { // another name of a type, or a type of its own that is made like another
			if of := w.valueOf(s, types[0], self, depth-1); of.typ != 0 {
				return of
			} else if of.known() {
				v.holds, v.within, v.self = of.holds, of.within, of.self
			}
		}
		return v
	}
	if len(types) == 0 {
		return value{}
	}
	return w.valueOf(s, types[0], self, depth-1)
}

// lookIn finds the members of a value by name, and the value of the first.
func (w *worker) lookIn(v value, name string, depth int) ([]uint32, value) {
	if depth <= 0 {
		return nil, value{}
	}
	var found []uint32
	switch {
	case v.typ != 0:
		return w.lookInType(v.typ, v.typ, name, depth)
	case v.set != 0:
		found = w.search(nil, w.s, v.set, w.query("", name), false, 0)
	case v.module != 0:
		found = w.searchFile(nil, w.s, v.module-1, w.query("", name), 0)
	}
	if len(found) > 0 {
		return found, w.typeOf(found[0]+1, 0, depth)
	}
	set := &w.sets[v.set]
	if v.module != 0 {
		return nil, w.moduleMember(w.byFile[v.module-1], name, depth)
	}
	if len(set.files) == 1 {
		return nil, w.moduleMember(w.byFile[set.files[0]], name, depth)
	}
	return nil, value{}
}

// moduleMember gives the value of what a module has under a name without a definition: what it imports, and variables.
func (w *worker) moduleMember(s *source, name string, depth int) value {
	if t := s.memberTypes()[memberName{"", name}]; len(t) > 0 {
		return w.valueOf(s, t[0], 0, depth-1)
	}
	if bs := s.names.byName[name]; len(bs) > 0 {
		return w.bound(s, bs, depth-1)
	}
	return value{}
}

// lookInType finds a member of a type, else of its bases. self is the type that the search began with.
func (w *worker) lookInType(typ, self uint32, name string, depth int) ([]uint32, value) {
	if depth <= 0 {
		return nil, value{}
	}
	s, t := w.sourceOf(typ), w.table
	scope := w.inside(typ)
	scopeID, known := t.strings.ids[scope]
	nameID, named := t.strings.ids[name]
	var found []uint32
	if known && named {
		for d := t.index[place{s.unit, scopeID, nameID}].first; d != 0; d = t.next[d] {
			found = append(found, d-1)
		}
		if len(found) == 0 {
			found = w.elsewhere(typ, nameID)
		}
		if len(found) > 0 {
			return found, w.typeOf(found[0]+1, self, depth)
		}
	}
	types := s.memberTypes()
	if fields := types[memberName{scope, name}]; len(fields) > 0 {
		return nil, w.valueOf(s, fields[0], self, depth-1)
	}
	for _, path := range types[memberName{scope, ""}] {
		base := w.valueOf(s, path, 0, depth-1)
		if base.typ == 0 || base.typ == typ {
			continue
		}
		if w.table.strings.all[w.table.name[base.typ-1]] == name { // an embedded field goes by the name of its type
			return nil, base
		}
		if found, v := w.lookInType(base.typ, self, name, depth-1); len(found) > 0 || v.known() {
			return found, v
		}
	}
	return nil, value{}
}

// elsewhere finds members that a file gives to a type of another one.
func (w *worker) elsewhere(typ, nameID uint32) []uint32 {
	var found []uint32
	t := w.table
	for d := t.elsewhere[place{0, t.name[typ-1], nameID}].first; d != 0; d = t.nextElsewhere[d] {
		s := w.sourceOf(d)
		if v := w.head(s, t.strings.all[t.scope[d-1]], maxPathDepth/2); v.typ == typ {
			found = append(found, d-1)
		}
	}
	return found
}

// inside is the scope of the members of a definition.
func (w *worker) inside(d uint32) string {
	t := w.table
	scope, name := t.scope[d-1], t.strings.all[t.name[d-1]]
	if scope == 0 {
		return name
	}
	if s, ok := w.scopes[d]; ok {
		return s
	}
	s := t.strings.all[scope] + "." + name
	if w.scopes == nil {
		w.scopes = map[uint32]string{}
	}
	w.scopes[d] = s
	return s
}

func (w *worker) sourceOf(d uint32) *source { return w.byFile[w.table.file[d-1]] }

// memberName is what a file says the type of.
type memberName struct{ scope, name string }

// memberTypes gives the paths to the types of what the file has, several for the bases of a type.
func (s *source) memberTypes() map[memberName][]string {
	s.membersOnce.Do(func() {
		m := s.tags
		s.members = make(map[memberName][]string, len(m.MemberScope))
		for i, scope := range m.MemberScope {
			n := memberName{m.Strings[scope], m.Strings[m.MemberName[i]]}
			s.members[n] = append(s.members[n], m.Strings[m.MemberType[i]])
		}
	})
	return s.members
}

// nameEnd gives the length of the name that a path begins with.
func nameEnd(path string) int {
	if i := strings.IndexAny(path, ".<!"); i >= 0 {
		return i
	}
	return len(path)
}

// heldParts splits what angle brackets hold at its commas.
func heldParts(held string) []string {
	var parts []string
	depth, start := 0, 0
	for i := range len(held) {
		switch held[i] {
		case '<':
			depth++
		case '>':
			depth--
		case ',':
			if depth == 0 {
				parts = append(parts, held[start:i])
				start = i + 1
			}
		}
	}
	return append(parts, held[start:])
}

// angles splits a path that begins with an angle bracket behind the one that closes it.
func angles(path string) (inner, rest string, ok bool) {
	depth := 0
	for i := range len(path) {
		switch path[i] {
		case '<':
			depth++
		case '>':
			if depth--; depth == 0 {
				return path[1:i], path[i+1:], true
			}
		}
	}
	return "", "", false
}
