package extract

import (
	"slices"
	"strings"

	"github.com/repox-dev/repox/sdk/tag"
)

// worker links one file after the other and reuses its memory.
type worker struct {
	*linker
	s *source
	// counts is by definition: how many references of the file mean it; guesses marks those that are not sure.
	counts  []uint32
	guesses []bool
	touched []uint32
	// words is what is known of each string of the file.
	words   []word
	scratch []uint32
	links   links
}

// word is what a string of a file means as a name.
type word struct {
	seen bool
	// known: some definition has it as its name or scope, under the number id.
	known    bool
	id       uint32
	bindings []binding
}

// links is what the references of a file come to.
type links struct {
	to, count []uint32
	guessed   []bool
	imports   []uint32 // files

	resolved, guesses, unresolved uint64
}

// outcome of one reference.
type outcome int

const (
	unresolved outcome = iota
	resolved
	guessed
	external // the name comes from outside of the repository: neither tied nor missed
)

func newWorker(l *linker) *worker {
	n := len(l.table.file)
	return &worker{linker: l, counts: make([]uint32, n), guesses: make([]bool, n)}
}

func (w *worker) link(s *source) links {
	w.s, w.links, w.touched = s, links{}, w.touched[:0]
	w.words = slices.Grow(w.words[:0], len(s.tags.Strings))[:len(s.tags.Strings)]
	clear(w.words)
	m := s.tags
	var at uint32
	for i, name := range m.RefName {
		at += m.RefStart[i]
		w.scratch = w.scratch[:0]
		how := w.reference(name, m.RefQualifier[i], at)
		switch how {
		case unresolved:
			w.links.unresolved++
		case resolved:
			w.links.resolved++
		case guessed:
			w.links.guesses++
		}
		for _, d := range w.scratch {
			w.count(d, how == guessed)
		}
	}
	w.gather()
	return w.links
}

func (w *worker) count(d uint32, guess bool) {
	if w.counts[d] == 0 {
		w.touched = append(w.touched, d)
		w.guesses[d] = guess
	}
	w.counts[d]++
	w.guesses[d] = w.guesses[d] && guess
}

// gather moves the counts to links and clears them.
func (w *worker) gather() {
	slices.Sort(w.touched)
	l := &w.links
	l.to = slices.Clone(w.touched)
	l.count = make([]uint32, len(l.to))
	l.guessed = make([]bool, len(l.to))
	for i, d := range l.to {
		l.count[i], l.guessed[i] = w.counts[d], w.guesses[d]
		w.counts[d] = 0
	}
	l.imports = w.importedFiles()
}

// importedFiles gives for each import the files that the source refers to or, where it refers to none of them, the
// first. A Go import leads to all files of a package: most of them say nothing about who depends on whom.
func (w *worker) importedFiles() []uint32 {
	var used []uint32 // sorted, since definitions are in the order of files
	for _, d := range w.links.to {
		if f := w.table.file[d]; len(used) == 0 || used[len(used)-1] != f {
			used = append(used, f)
		}
	}
	var out []uint32
	for _, set := range w.s.targets {
		if set == 0 || int(set) >= len(w.sets) {
			continue
		}
		n := len(out)
		for _, f := range w.sets[set].files {
			if _, ok := slices.BinarySearch(used, f); ok {
				out = append(out, f)
			}
		}
		if files := w.sets[set].files; len(out) == n && len(files) > 0 {
			out = append(out, files[0])
		}
	}
	slices.Sort(out)
	out = slices.Compact(out)
	return slices.DeleteFunc(out, func(f uint32) bool { return f == w.s.file })
}

// word looks a string of the file up once.
func (w *worker) word(local uint32) *word {
	x := &w.words[local]
	if !x.seen {
		x.seen = true
		s := w.s.tags.Strings[local]
		x.id, x.known = w.table.strings.ids[s]
		x.bindings = w.s.names.byName[s]
	}
	return x
}

// reference puts the definitions that a reference means into scratch.
func (w *worker) reference(name, qualifier, at uint32) outcome {
	if qualifier == 0 {
		return w.bare(name, at)
	}
	q := w.s.tags.Strings[qualifier]
	if q == tag.UnknownQualifier {
		return unresolved
	}
	return w.qualified(name, qualifier, q)
}

// bare ties a name without qualifier: to what encloses it, to its file, to its unit, to what is imported.
func (w *worker) bare(name, at uint32) outcome {
	x := w.word(name)
	if x.known {
		if w.table.hasInner[x.id] && w.enclosed(x.id, at) {
			return resolved
		}
		if w.inUnit(place{w.s.unit, 0, x.id}) {
			return resolved
		}
	}
	for _, b := range x.bindings {
		if how := w.imported(b); how != unresolved {
			return how
		}
	}
	if x.known {
		for _, set := range w.s.names.stars {
			w.scratch = w.search(w.scratch, w.s, set, "", w.s.tags.Strings[name], false, 0)
		}
	}
	return outcomeOf(w.scratch)
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
		parent := w.s.parents[d-1-w.s.first] - 1
		start, end := w.s.extent(parent)
		if at >= start && at < end {
			w.scratch = append(w.scratch, d-1)
		}
	}
	return len(w.scratch) > 0
}

// extent gives the range of a definition of the file. Only definitions with others inside are asked for, and rarely.
func (s *source) extent(def uint32) (start, end uint32) {
	for _, delta := range s.tags.DefStart[:def+1] {
		start += delta
	}
	return start, start + s.tags.DefSize[def]
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
		return unresolved // a module is no definition
	case b.name == "default":
		return w.defaultOf(b.set)
	}
	w.scratch = w.search(w.scratch, w.s, b.set, "", b.name, true, 0)
	return outcomeOf(w.scratch)
}

// defaultOf finds the default export of a module: named default, or declared as such, or, as a guess, the only thing it
// exports.
func (w *worker) defaultOf(set uint32) outcome {
	w.scratch = w.search(w.scratch, w.s, set, "", "default", true, 0)
	if len(w.scratch) > 0 {
		return resolved
	}
	var exported []uint32
	for _, f := range w.sets[set].files {
		s := w.byFile[f]
		for i, scope := range s.tags.DefScope {
			d := s.first + uint32(i)
			if scope != 0 {
				continue
			}
			if strings.HasPrefix(w.table.strings.all[w.table.signature[d]], "export default ") {
				w.scratch = append(w.scratch, d)
				return resolved
			}
			if w.table.flags[d]&flagExported != 0 {
				exported = append(exported, d)
			}
		}
	}
	if len(exported) != 1 {
		return unresolved
	}
	w.scratch = append(w.scratch, exported[0])
	return guessed
}

// qualified ties name in q.name: q is a module or type that an import brings in, or a type or module of the unit.
func (w *worker) qualified(name, qualifier uint32, q string) outcome {
	x, n := w.word(qualifier), w.word(name)
	text := w.s.tags.Strings[name]
	if len(x.bindings) > 0 {
		return w.through(x.bindings, "", text)
	}
	dotted := strings.IndexAny(q, ".:")
	if dotted > 0 {
		if bs := w.s.names.byName[q[:dotted]]; len(bs) > 0 {
			return w.through(bs, scopeOf(q[dotted:]), text)
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
func (w *worker) through(bs []binding, rest, name string) outcome {
	out := external
	for _, b := range bs {
		if b.set == 0 {
			continue
		}
		out = unresolved
		scope := rest
		if b.name != "" {
			w.submodule(b, rest, name)
			scope = strings.TrimSuffix(b.name+"."+rest, ".")
		}
		if len(w.scratch) == 0 {
			w.scratch = w.search(w.scratch, w.s, b.set, scope, name, false, 0)
		}
		if len(w.scratch) > 0 {
			return resolved
		}
	}
	return out
}

// submodule handles a name that is itself a module: one of the target files is known by it.
func (w *worker) submodule(b binding, scope, name string) {
	scopeID, ok := w.table.strings.ids[scope]
	nameID, known := w.table.strings.ids[name]
	if !ok || !known {
		return
	}
	for _, f := range w.sets[b.set].files {
		s := w.byFile[f]
		if s.packageName() != "" || s.stem() != b.name {
			continue
		}
		one := targets{files: []uint32{f}}
		w.scratch = w.collect(w.scratch, w.s, &one, place{s.unit, scopeID, nameID}, false)
	}
}
