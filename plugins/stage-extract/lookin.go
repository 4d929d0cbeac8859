package extract

import "github.com/repox-dev/repox/sdk/tag"

// lookIn finds the members of a value by name, and the value of the first, on behalf of the file that names them. That need
// not be the file whose references are tied: what is remembered of a path must not depend on who asked for it.
func (w *worker) lookIn(from *source, v value, name string, depth int) ([]uint32, value) {
	if depth <= 0 {
		return nil, value{}
	}
	var found []uint32
	switch {
	case v.typ != 0:
		return w.lookInType(v.typ, v.typ, name, depth)
	case v.set != 0:
		found = w.search(nil, from, v.set, w.query("", name), false, 0)
	case v.module != 0:
		found = w.searchFile(nil, from, v.module-1, w.query("", name), 0)
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
		m, err := new(tag.Decoder).Columns(s.tags)
		if err != nil {
			return // they were read before, so that they are sound
		}
		s.members = make(map[memberName][]string, len(m.MemberScope))
		for i, scope := range m.MemberScope {
			n := memberName{m.Strings[scope], m.Strings[m.MemberName[i]]}
			s.members[n] = append(s.members[n], m.Strings[m.MemberType[i]])
		}
	})
	return s.members
}
