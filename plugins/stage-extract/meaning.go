package extract

import (
	"slices"
	"strings"

	"github.com/repox-dev/repox/sdk/tag"
)

// reference puts the definitions that a reference means into scratch.
func (w *worker) reference(name, qualifier, receiver, role, at uint32) outcome {
	if qualifier == 0 {
		use := w.tags.Strings[role]
		if w.s.language == "rust" && use == tag.MacroUse {
			return w.macro(name)
		}
		return w.bare(name, at, use)
	}
	q := w.tags.Strings[qualifier]
	if q == tag.UnknownQualifier {
		return w.member(w.tags.Strings[receiver], w.tags.Strings[name])
	}
	how := w.qualified(name, qualifier, q)
	if how == unresolved && w.word(name).known {
		return w.member(scopeOf(q), w.tags.Strings[name]) // a member of a base, or of a value
	}
	return how
}

// bare ties a name without qualifier: to what encloses it, to its file, to its unit, to what is imported.
func (w *worker) bare(name, at uint32, role string) outcome {
	x := w.word(name)
	if x.known {
		if w.table.hasInner[x.id] && w.enclosed(x.id, at) && w.meant(role) {
			return resolved
		}
		if w.inUnit(place{w.s.unit, 0, x.id}) && w.meant(role) {
			return resolved
		}
	}
	how := w.broughtIn(name, x)
	if len(w.scratch) > 0 && !w.meant(role) {
		return unresolved
	}
	return how
}

// broughtIn ties a name without qualifier to what is imported.
func (w *worker) broughtIn(name uint32, x *word) outcome {
	for _, b := range x.bindings {
		if how := w.imported(b); how != unresolved {
			return how
		}
	}
	if x.known {
		for _, set := range w.s.names.stars {
			w.scratch = w.search(w.scratch, w.s, set, query{name: w.tags.Strings[name], nameID: x.id, known: true}, false, 0)
		}
	}
	return outcomeOf(w.scratch)
}

// meant drops from what was found what a use in some role cannot mean, and tells whether anything is left: nothing calls a
// module, and in Rust a macro and a function may go by the same name.
func (w *worker) meant(role string) bool {
	rust := w.s.language == "rust"
	w.scratch = slices.DeleteFunc(w.scratch, func(d uint32) bool {
		switch w.table.strings.all[w.table.kind[d]] {
		case tag.Module:
			return role == tag.Call
		case tag.Macro:
			return rust && role != tag.MacroUse
		}
		return false
	})
	return len(w.scratch) > 0
}

func outcomeOf(found []uint32) outcome {
	if len(found) > 0 {
		return resolved
	}
	return unresolved
}

// enclosed finds a function or type declared inside the definition that the reference is in.
func (w *worker) enclosed(id, at uint32) bool {
	for d := w.table.inner[place{w.s.file, 0, id}].first; d != 0; d = w.table.nextInner[d] {
		start, end := w.extent(w.parents[d-1-w.s.first] - 1)
		if at >= start && at < end {
			w.scratch = append(w.scratch, d-1)
		}
	}
	return len(w.scratch) > 0
}

// inUnit finds definitions of the file itself, else of its unit; of these a file that is no test sees none in tests.
func (w *worker) inUnit(p place) bool {
	first := w.table.index[p].first
	for d := first; d != 0; d = w.table.next[d] {
		if w.table.file[d-1] == w.s.file {
			w.scratch = append(w.scratch, d-1)
		}
	}
	if len(w.scratch) > 0 {
		return true
	}
	for d := first; d != 0; d = w.table.next[d] {
		if w.s.test || !w.byFile[w.table.file[d-1]].test {
			w.scratch = append(w.scratch, d-1)
		}
	}
	return len(w.scratch) > 0
}

// imported ties a bare name that an import brings in.
func (w *worker) imported(b binding) outcome {
	switch {
	case b.set == 0:
		return external
	case b.name == "":
		// A module is no definition, but what it exports as a whole may be one.
		w.scratch = append(w.scratch, w.exportedAs(w.s, b.set, wholeModule, 0)...)
		return outcomeOf(w.scratch)
	case b.name == "default":
		return w.defaultOf(b.set)
	}
	w.scratch = w.search(w.scratch, w.s, b.set, w.query("", b.name), true, 0)
	return outcomeOf(w.scratch)
}

// defaultOf ties a name to the default export of a module.
func (w *worker) defaultOf(set uint32) outcome {
	found, how := w.exportedAsDefault(w.s, set)
	w.scratch = append(w.scratch, found...)
	return how
}

// exportedAsDefault finds the default export of a module: named default, said to be it, or declared as such, or, as a
// guess, the only thing it exports.
func (w *worker) exportedAsDefault(from *source, set uint32) ([]uint32, outcome) {
	if found := w.search(nil, from, set, w.query("", "default"), true, 0); len(found) > 0 {
		return found, resolved
	}
	for _, as := range []string{defaultExport, wholeModule} {
		if found := w.exportedAs(from, set, as, 0); len(found) > 0 {
			return found, resolved
		}
	}
	var exported []uint32
	for _, f := range w.sets[set].files {
		s := w.byFile[f]
		for d := s.first; d < s.first+s.defs; d++ {
			if w.table.scope[d] != 0 {
				continue
			}
			if strings.HasPrefix(w.table.strings.all[w.table.signature[d]], "export default ") {
				return []uint32{d}, resolved
			}
			if w.table.flags[d]&flagExported != 0 {
				exported = append(exported, d)
			}
		}
	}
	if len(exported) != 1 {
		return nil, unresolved
	}
	return exported, guessed
}

// qualified ties name in q.name: q is a module or type that an import brings in, or a type or module of the unit.
func (w *worker) qualified(name, qualifier uint32, q string) outcome {
	x, n := w.word(qualifier), w.word(name)
	if len(x.bindings) > 0 {
		return w.through(x.bindings, "", name)
	}
	dotted := strings.IndexAny(q, ".:")
	if dotted > 0 {
		if bs := w.s.names.byName[q[:dotted]]; len(bs) > 0 {
			return w.through(bs, scopeOf(q[dotted:]), name)
		}
		if bs := w.s.names.byName[scopeOf(q)]; len(bs) > 0 { // named in full
			return w.through(bs, "", name)
		}
	}
	if !n.known {
		return unresolved
	}
	id, known := x.id, x.known
	if dotted > 0 && strings.Contains(q, ":") {
		id, known = w.table.strings.ids[scopeOf(q)], true
	}
	if known && id != 0 && w.inUnit(place{w.s.unit, id, n.id}) {
		return resolved
	}
	return unresolved
}

// scopeOf writes a path of names as a scope.
func scopeOf(path string) string {
	return strings.Trim(strings.ReplaceAll(path, "::", "."), ".")
}

// through looks for a name behind the bindings of its qualifier; rest is what follows the bound name in the qualifier.
func (w *worker) through(bs []binding, rest string, name uint32) outcome {
	out := external
	for _, b := range bs {
		if b.set == 0 {
			continue
		}
		out = unresolved
		scope := rest
		if b.name != "" {
			w.submodule(b, w.memberOf(rest, name))
			scope = strings.TrimSuffix(b.name+"."+rest, ".")
		}
		if len(w.scratch) == 0 {
			w.scratch = w.search(w.scratch, w.s, b.set, w.memberOf(scope, name), false, 0)
		}
		if len(w.scratch) == 0 && b.name == "" {
			w.scratch = append(w.scratch, w.memberOfWhole(b.set, rest, name)...)
		}
		if len(w.scratch) > 0 {
			return resolved
		}
	}
	return out
}

// memberOf asks for a string of the file as a name in a scope.
func (w *worker) memberOf(scope string, name uint32) query {
	if scope != "" {
		return w.query(scope, w.tags.Strings[name])
	}
	x := w.word(name)
	return query{name: w.tags.Strings[name], nameID: x.id, known: x.known}
}

// submodule handles a name that is itself a module: one of the target files is known by it.
func (w *worker) submodule(b binding, q query) {
	if f := w.submoduleFile(b); f != 0 && q.known {
		w.scratch = w.searchFile(w.scratch, w.s, f-1, q, 0)
	}
}

// submoduleFile gives the file, counted from 1, that is the module called b.name behind b; 0 for none.
func (w *worker) submoduleFile(b binding) uint32 {
	for _, f := range w.sets[b.set].files {
		if s := w.byFile[f]; s.packageName() == "" && s.stem() == b.name {
			return f + 1
		}
	}
	return 0
}
