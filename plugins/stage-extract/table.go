package extract

// table holds every definition of the repository by column, in the order of file and position, with an index by what
// a reference can name.
type table struct {
	strings *interner

	file, name, kind, scope, signature, doc, flags, lineStart, lineEnd []uint32

	// index gives the first and last definition of a unit with a scope and a name; next leads from one to the next.
	index map[place]chain
	// inner does the same for functions and types inside other definitions, by file and name; their scope is 0.
	inner map[place]chain
	next  []uint32
	// nextInner is next for inner.
	nextInner []uint32
	// elsewhere has the members that a file gives to a type of another one, by the names of the type and the member, in
	// languages where files do so; their unit is 0.
	elsewhere     map[place]chain
	nextElsewhere []uint32
	// macrosByName are the macros of Rust.
	macrosByName map[uint32][]uint32
	// hasInner tells for a name whether inner knows it.
	hasInner []bool
}

// place is where a name is looked up.
type place struct{ unit, scope, name uint32 }

// chain is a list of definitions, counted from 1, through next.
type chain struct{ first, last uint32 }

const flagExported = 1

// newTable numbers units and definitions.
func newTable(sources []*source) *table {
	total := 0
	for _, s := range sources {
		total += int(s.defs)
	}
	t := &table{
		strings: newInterner(total), index: make(map[place]chain, total), inner: map[place]chain{},
		next: make([]uint32, total+1), nextInner: make([]uint32, total+1),
		elsewhere: map[place]chain{}, macrosByName: map[uint32][]uint32{}, nextElsewhere: make([]uint32, total+1),
	}
	units := map[[3]string]uint32{}
	for i, s := range sources {
		s.unit = uint32(len(sources) + i) // a unit of its own, beside the shared ones
		if p := s.packageName(); p != "" {
			key := [3]string{s.folder(), p, s.language}
			n, ok := units[key]
			if !ok {
				n = uint32(len(units))
				units[key] = n
			}
			s.unit = n
		}
		t.add(s)
	}
	for _, s := range sources {
		if s.language == "rust" {
			t.addElsewhere(s)
			t.addMacros(s)
		}
	}
	t.hasInner = make([]bool, len(t.strings.all))
	for p := range t.inner {
		t.hasInner[p.name] = true
	}
	return t
}

func (t *table) add(s *source) {
	s.first = uint32(len(t.file))
	imports := s.importRows()
	for i := range s.definitions {
		d := &s.definitions[i]
		t.file = append(t.file, s.file)
		t.name = append(t.name, t.strings.intern(d.name))
		t.kind = append(t.kind, t.strings.intern(d.kind))
		t.scope = append(t.scope, t.strings.intern(d.scope))
		// Signatures and doc lines are hardly ever equal: not worth a look.
		t.signature = append(t.signature, t.strings.append(d.signature))
		t.doc = append(t.doc, t.strings.append(d.doc))
		t.flags = append(t.flags, d.flags)
		t.lineStart = append(t.lineStart, d.lineStart)
		t.lineEnd = append(t.lineEnd, d.lineEnd)
		if d.imports(imports) {
			t.flags[len(t.flags)-1] |= flagImport
			continue
		}
		t.register(s, uint32(len(t.file)), d.inner)
	}
	s.definitions = nil
}

func (t *table) register(s *source, number uint32, inner bool) {
	i := number - 1
	push(t.index, t.next, place{s.unit, t.scope[i], t.name[i]}, number)
	if inner {
		push(t.inner, t.nextInner, place{s.file, 0, t.name[i]}, number)
	}
}

// addElsewhere registers the members of s whose type it does not declare.
func (t *table) addElsewhere(s *source) {
	for i := s.first; i < s.first+s.defs; i++ {
		if t.scope[i] != 0 && t.index[place{s.unit, 0, t.scope[i]}].first == 0 {
			push(t.elsewhere, t.nextElsewhere, place{0, t.scope[i], t.name[i]}, i+1)
		}
	}
}

func push(index map[place]chain, next []uint32, p place, number uint32) {
	c := index[p]
	if c.last != 0 {
		next[c.last] = number
	} else {
		c.first = number
	}
	c.last = number
	index[p] = c
}

// interner numbers strings; 0 is the empty one.
type interner struct {
	ids map[string]uint32
	all []string
}

// newInterner makes room for about as many strings as there are definitions.
func newInterner(definitions int) *interner {
	n := &interner{ids: make(map[string]uint32, definitions), all: make([]string, 1, 2*definitions+1)}
	n.ids[""] = 0
	return n
}

func (n *interner) intern(s string) uint32 {
	id, ok := n.ids[s]
	if !ok {
		id = uint32(len(n.all))
		n.ids[s] = id
		n.all = append(n.all, s)
	}
	return id
}

// append numbers s without looking whether it is known.
func (n *interner) append(s string) uint32 {
	if s == "" {
		return 0
	}
	n.all = append(n.all, s)
	return uint32(len(n.all) - 1)
}
