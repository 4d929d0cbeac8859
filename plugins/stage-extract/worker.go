package extract

import (
	"slices"

	pluginv1 "github.com/repox-dev/repox/sdk/proto"
)

// worker links one file after the other and reuses its memory.
type worker struct {
	*linker
	s       *source
	decoded // the columns of s
	// counts is by definition: how many references of the file mean it; guesses marks those that are not sure.
	counts  []uint32
	guesses []bool
	touched []uint32
	// words is what is known of each string of the file.
	words   []word
	answers []uint32
	scratch []uint32
	links   links
	// values and scopes remember what valueOf and inside have found.
	values map[valueKey]value
	scopes map[uint32]string
}

// word is what a string of a file means as a name.
type word struct {
	seen bool
	// known: some definition has it as its name or scope, under the number id.
	known    bool
	id       uint32
	bindings []binding

	// answered: a reference by this name and qualifier has been tied, to answers from first to end.
	answered   bool
	qualifier  uint32
	receiver   uint32
	role       uint32
	how        outcome
	first, end uint32
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
	w.links, w.touched = links{}, w.touched[:0]
	// The tags were read before, so that they are sound.
	_ = w.each(s, func(_ int, _, _ uint32, how outcome, definitions []uint32) error {
		switch how {
		case unresolved:
			w.links.unresolved++
		case resolved:
			w.links.resolved++
		case guessed:
			w.links.guesses++
		}
		for _, d := range definitions {
			w.count(d, how == guessed)
		}
		return nil
	})
	w.gather()
	return w.links
}

// each ties the references of s, in their order. What it tells of a reference holds until the next one.
func (w *worker) each(s *source, tell func(i int, at, row uint32, how outcome, definitions []uint32) error) error {
	w.s = s
	if err := w.decode(s); err != nil {
		return err
	}
	m := w.tags
	w.words = slices.Grow(w.words[:0], len(m.Strings))[:len(m.Strings)]
	clear(w.words)
	w.answers = w.answers[:0]
	var at, row uint32
	receivers := receivers{tags: m}
	for i, name := range m.RefName {
		at += m.RefStart[i]
		row += m.RefRow[i]
		how, definitions := w.answer(name, m.RefQualifier[i], receivers.of(i), m.RefRole[i], at)
		if err := tell(i, at, row, how, definitions); err != nil {
			return err
		}
	}
	return nil
}

// answer ties one reference. A file says the same over and over: the last answer for each name is kept, unless it depends
// on where the reference stands.
func (w *worker) answer(name, qualifier, receiver, role, at uint32) (outcome, []uint32) {
	x := w.word(name)
	if x.answered && x.qualifier == qualifier && x.receiver == receiver && x.role == role {
		return x.how, w.answers[x.first:x.end]
	}
	w.scratch = w.scratch[:0]
	how := w.reference(name, qualifier, receiver, role, at)
	if x.known && qualifier == 0 && w.table.hasInner[x.id] {
		return how, w.scratch
	}
	x.first = uint32(len(w.answers))
	w.answers = append(w.answers, w.scratch...)
	x.end = uint32(len(w.answers))
	x.answered, x.qualifier, x.receiver, x.role, x.how = true, qualifier, receiver, role, how
	return how, w.scratch
}

// receivers reads the sparse column of receivers along with the references.
type receivers struct {
	tags       *pluginv1.Tags
	read, next int
}

// of gives the receiver of reference i, as a string of the file; 0 for none. References are asked for in their order.
func (r *receivers) of(i int) uint32 {
	if r.read == len(r.tags.RefReceiverRef) || r.next+int(r.tags.RefReceiverRef[r.read]) != i {
		return 0
	}
	r.next = i
	r.read++
	return r.tags.RefReceiver[r.read-1]
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
		s := w.tags.Strings[local]
		x.id, x.known = w.table.strings.ids[s]
		x.bindings = w.s.names.byName[s]
	}
	return x
}
