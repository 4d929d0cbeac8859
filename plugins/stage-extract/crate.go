package extract

import (
	"slices"
	"strings"

	"github.com/repox-dev/repox/sdk/tag"
)

// numberCrates finds the crate of each Rust file: the nearest folder around it that holds the root of one.
func numberCrates(sources []*source) {
	roots := map[string]uint32{}
	for _, s := range sources {
		if s.isCrateRoot() && roots[s.folder()] == 0 {
			roots[s.folder()] = uint32(len(roots) + 1)
		}
	}
	for _, s := range sources {
		if s.language != "rust" {
			continue
		}
		for folder := s.folder(); ; folder = folder[:max(0, strings.LastIndexByte(folder, '/'))] {
			if s.crate = roots[folder]; s.crate != 0 || folder == "" {
				break
			}
		}
	}
}

// isCrateRoot tells whether a file is the root of a Rust crate by its name.
func (s *source) isCrateRoot() bool {
	return s.language == "rust" && (strings.HasSuffix(s.path, "lib.rs") || strings.HasSuffix(s.path, "main.rs")) &&
		(s.stem() == "lib" || s.stem() == "main")
}

func (t *table) addMacros(s *source) {
	for i := s.first; i < s.first+s.defs; i++ {
		if t.strings.all[t.kind[i]] == tag.Macro {
			t.macrosByName[t.name[i]] = append(t.macrosByName[t.name[i]], i)
		}
	}
}

// macro ties the bare name of a macro: to one of its file, to what is imported, to one of its crate. Functions may go by
// the same name.
func (w *worker) macro(name uint32) outcome {
	x := w.word(name)
	for _, d := range w.table.macrosByName[x.id] {
		if w.table.file[d] == w.s.file {
			w.scratch = append(w.scratch, d)
		}
	}
	if len(w.scratch) > 0 {
		return resolved
	}
	how := w.broughtIn(name, x)
	isMacro := func(d uint32) bool { return w.table.strings.all[w.table.kind[d]] == tag.Macro }
	if slices.ContainsFunc(w.scratch, isMacro) { // else what was found is a function that the compiler runs as a macro
		w.scratch = slices.DeleteFunc(w.scratch, func(d uint32) bool { return !isMacro(d) })
	}
	if how == unresolved {
		w.scratch = append(w.scratch, w.macros(w.s.crate, x.id, false)...)
		how = outcomeOf(w.scratch)
	}
	return how
}

// macros finds the macros of a crate by name: a macro is known by its bare name all over its crate, below the place where
// it stands and, if it is exported, at the root of the crate to others.
func (l *linker) macros(crate, name uint32, exported bool) []uint32 {
	var found []uint32
	for _, d := range l.table.macrosByName[name] {
		if crate != 0 && l.byFile[l.table.file[d]].crate == crate && (!exported || l.table.flags[d]&flagExported != 0) {
			found = append(found, d)
		}
	}
	return found
}
