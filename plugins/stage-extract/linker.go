package extract

import (
	"context"
	"slices"
	"strings"

	"github.com/repox-dev/repox/sdk/model"
)

// linker ties references to definitions. All of it is only read once the bindings are there.
type linker struct {
	table   *table
	sources []*source
	byFile  []*source // nil for files without tags
	sets    []targets // from 1
}

// targets is a set of files that an import leads to.
type targets struct {
	files []uint32 // sorted
	units []uint32 // in the order of their first file
}

func newLinker(files int, sources []*source, t *table, sets []*model.FileSet) *linker {
	l := &linker{table: t, sources: sources, byFile: make([]*source, files), sets: make([]targets, len(sets)+1)}
	for _, s := range sources {
		l.byFile[s.file] = s
	}
	numberCrates(sources)
	for i, set := range sets {
		l.sets[i+1] = l.newTargets(set.Files)
	}
	return l
}

func (l *linker) newTargets(files []uint32) targets {
	var t targets
	for _, f := range files {
		if int(f) < len(l.byFile) && l.byFile[f] != nil {
			t.files = append(t.files, f)
		}
	}
	slices.Sort(t.files)
	t.files = slices.Compact(t.files)
	for _, f := range t.files {
		if u := l.byFile[f].unit; !slices.Contains(t.units, u) {
			t.units = append(t.units, u)
		}
	}
	return t
}

// packageOf gives the name of the package that a target set holds, empty where there is none or several.
func (l *linker) packageOf(set uint32) string {
	name := ""
	for _, f := range l.sets[set].files {
		switch p := l.byFile[f].packageName(); {
		case p == "", p == "main", p == name:
		case name == "":
			name = p
		default:
			return "" // several packages in one folder, told apart by build constraints
		}
	}
	return name
}

// bindAll reads the imports of every source.
func (l *linker) bindAll(ctx context.Context) error {
	return inParallel(ctx, len(l.sources), func() func(int) {
		return func(i int) {
			s := l.sources[i]
			s.names = l.bind(s)
			s.imports = nil
		}
	})
}

// linkAll links every source; the answer is in their order.
func (l *linker) linkAll(ctx context.Context) ([]links, error) {
	if err := l.bindAll(ctx); err != nil {
		return nil, err
	}
	out := make([]links, len(l.sources))
	err := inParallel(ctx, len(l.sources), func() func(int) {
		w := newWorker(l)
		return func(i int) {
			if l.sources[i].votes {
				out[i] = w.link(l.sources[i])
			}
		}
	})
	return out, err
}

// depthLimit bounds how many re-exports are followed, breadthLimit the files of a target set that they are looked for in.
const (
	depthLimit   = 5
	breadthLimit = 16
)

// query is a name and its scope, as text and, where some definition bears them, as numbers.
type query struct {
	scope, name     string
	scopeID, nameID uint32
	known           bool
}

func (l *linker) query(scope, name string) query {
	q := query{scope: scope, name: name}
	if q.nameID, q.known = l.table.strings.ids[name]; q.known {
		q.scopeID, q.known = l.table.strings.ids[scope]
	}
	return q
}

// search looks for definitions in the files of a target set, on behalf of the file from. Where the set's files only pass
// a name on, it follows their own imports.
func (l *linker) search(into []uint32, from *source, set uint32, q query, explicit bool, depth int) []uint32 {
	return l.searchTargets(into, from, set, &l.sets[set], q, explicit, depth)
}

// searchFile is search in a single file, of a module that is a file.
func (l *linker) searchFile(into []uint32, from *source, file uint32, q query, depth int) []uint32 {
	one := targets{files: []uint32{file}, units: []uint32{l.byFile[file].unit}}
	return l.searchTargets(into, from, 0, &one, q, false, depth)
}

func (l *linker) searchTargets(into []uint32, from *source, set uint32, t *targets, q query, explicit bool, depth int) []uint32 {
	n := len(into)
	if q.known {
		for _, u := range t.units {
			into = l.collect(into, from, t, place{u, q.scopeID, q.nameID}, explicit)
		}
	}
	if len(into) == n && q.scope == "" && q.known {
		for _, f := range t.files {
			if s := l.byFile[f]; s.isCrateRoot() {
				into = append(into, l.macros(s.crate, q.nameID, true)...)
			}
		}
	}
	if len(into) > n || depth == depthLimit || len(t.files) > breadthLimit {
		return into
	}
	for _, f := range t.files {
		into = l.passedOn(into, from, set, &l.byFile[f].names, q, depth)
	}
	return into
}

// passedOn follows the imports of a file in set that may bring in what q asks for: by name, else with everything.
func (l *linker) passedOn(into []uint32, from *source, set uint32, names *bindings, q query, depth int) []uint32 {
	n := len(into)
	// What is passed on is the outermost name: the type, not its method.
	outer, rest := q.name, ""
	if q.scope != "" {
		outer, rest, _ = strings.Cut(q.scope, ".")
	}
	for _, b := range names.byName[outer] {
		if b.set == 0 || b.set == set {
			continue
		}
		if b.name == "" {
			into = l.passedWhole(into, from, b.set, q, rest, depth)
			continue
		}
		inner := l.query("", b.name)
		if q.scope != "" {
			inner = l.query(strings.TrimSuffix(b.name+"."+rest, "."), q.name)
		}
		if b.name != outer && len(into) > n {
			break // alternatives under other names, for other builds
		}
		into = l.search(into, from, b.set, inner, true, depth+1)
	}
	for _, star := range names.stars {
		if len(into) == n && star != set {
			into = l.search(into, from, star, q, false, depth+1)
		}
	}
	return into
}

// collect adds the definitions at p that lie in files of t and that the file from may name.
func (l *linker) collect(into []uint32, from *source, t *targets, p place, explicit bool) []uint32 {
	for d := l.table.index[p].first; d != 0; d = l.table.next[d] {
		i := d - 1
		if _, in := slices.BinarySearch(t.files, l.table.file[i]); !in {
			continue
		}
		if l.mayName(from, i, p.scope, explicit) {
			into = append(into, i)
		}
	}
	return into
}

// mayName tells whether another file may name a definition. Members follow their type. An import that spells a private
// name out is believed where privacy is a convention; Rust lets only the modules below do so, Go nobody.
func (l *linker) mayName(from *source, def, scope uint32, explicit bool) bool {
	if scope != 0 || l.table.flags[def]&flagExported != 0 {
		return true
	}
	owner := l.byFile[l.table.file[def]]
	switch {
	case owner.packageName() != "":
		return owner.unit == from.unit
	case owner.language == "rust":
		return strings.HasPrefix(from.path, owner.moduleFolder()+"/")
	}
	return explicit
}

// moduleFolder is the folder that holds the modules below a Rust file.
func (s *source) moduleFolder() string {
	switch base := s.path[strings.LastIndexByte(s.path, '/')+1:]; base {
	case "mod.rs", "lib.rs", "main.rs":
		return s.folder()
	}
	return strings.TrimSuffix(s.path, ".rs")
}
