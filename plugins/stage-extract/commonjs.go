package extract

import (
	"slices"
	"strings"

	"github.com/repox-dev/repox/sdk/tag"
)

// JavaScript's older modules import by a call whose result they declare as a constant, and export by assigning to
// module.exports. To this stage the constant is an import and no definition, and the module's name means what was assigned.

// flagImport marks a definition that only gives a name to something imported.
const flagImport = 2

// wholeModule and defaultExport are the members of a file under which its pack tells what it exports as a whole.
const (
	wholeModule   = "module.exports"
	defaultExport = "default"
)

// script tells whether a file is JavaScript or TypeScript.
func (s *source) script() bool { return s.language == "javascript" || s.language == "typescript" }

// importRows gives for each name that a script's imports bring in the rows where they do.
func (s *source) importRows() map[string][]uint32 {
	if !s.script() || len(s.imports) == 0 {
		return nil
	}
	out := map[string][]uint32{}
	for i := range s.imports {
		imp := &s.imports[i]
		for _, n := range append([]string{imp.Local}, imp.Names...) {
			if _, as, renamed := strings.Cut(n, " as "); renamed {
				n = as
			}
			out[n] = append(out[n], imp.Row)
		}
	}
	return out
}

// imports tells whether a definition only declares a name for something imported.
func (d *definition) imports(rows map[string][]uint32) bool {
	if len(rows) == 0 || d.scope != "" || d.kind != tag.Constant && d.kind != tag.Variable {
		return false
	}
	return slices.ContainsFunc(rows[d.name], func(row uint32) bool { return row+1 >= d.lineStart && row+1 <= d.lineEnd })
}

// exportedAs finds what the files of a target set say that they export as a whole: under the name wholeModule or
// defaultExport.
func (l *linker) exportedAs(from *source, set uint32, as string, depth int) []uint32 {
	files := l.sets[set].files
	if depth == depthLimit || len(files) > breadthLimit {
		return nil
	}
	for _, f := range files {
		s := l.byFile[f]
		if !s.script() {
			continue
		}
		for _, name := range s.memberTypes()[memberName{"", as}] {
			if strings.ContainsAny(name, ".<!@") {
				continue
			}
			if found := l.declared(from, s, set, name, depth); len(found) > 0 {
				return found
			}
		}
	}
	return nil
}

// declared finds what a name means at the top of the file s, in the target set, that is about to export it.
func (l *linker) declared(from, s *source, set uint32, name string, depth int) []uint32 {
	var found []uint32
	if id, ok := l.table.strings.ids[name]; ok {
		for d := l.table.index[place{s.unit, 0, id}].first; d != 0; d = l.table.next[d] {
			found = append(found, d-1)
		}
	}
	for _, b := range s.names.byName[name] {
		switch {
		case len(found) > 0:
			return found
		case b.set == 0 || b.set == set:
		case b.name == "":
			found = l.exportedAs(from, b.set, wholeModule, depth+1)
		default:
			found = l.search(nil, from, b.set, l.query("", b.name), true, depth+1)
		}
	}
	return found
}

// memberOfWhole finds a member of what a module exports as a whole.
func (w *worker) memberOfWhole(set uint32, rest string, name uint32) []uint32 {
	var found []uint32
	for _, d := range w.exportedAs(w.s, set, wholeModule, 0) {
		scope := strings.TrimSuffix(w.inside(d+1)+"."+rest, ".")
		if q := w.memberOf(scope, name); q.known {
			found = w.search(found, w.s, set, q, false, 0)
		}
	}
	return found
}

// passedWhole is passedOn for a name under which a file imports what another one exports as a whole; rest is what follows
// that name in the scope of what is asked for.
func (l *linker) passedWhole(into []uint32, from *source, set uint32, q query, rest string, depth int) []uint32 {
	for _, d := range l.exportedAs(from, set, wholeModule, depth+1) {
		if q.scope == "" {
			into = append(into, d)
			continue
		}
		scope := strings.TrimSuffix(l.table.strings.all[l.table.name[d]]+"."+rest, ".")
		into = l.search(into, from, set, l.query(scope, q.name), true, depth+1)
	}
	return into
}
