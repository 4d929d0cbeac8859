package extract

import "github.com/repox-dev/repox/sdk/tag"

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
			if found := w.exportedAs(s, b.set, wholeModule, 0); len(found) > 0 {
				return w.typeOf(found[0]+1, 0, depth)
			}
			return value{set: b.set}
		case b.name == "default":
			if found, _ := w.exportedAsDefault(s, b.set); len(found) > 0 {
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
