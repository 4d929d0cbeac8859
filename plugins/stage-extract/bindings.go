package extract

import (
	"regexp"
	"slices"
	"strings"

	"github.com/repox-dev/repox/sdk/tag"
)

// binding is what an import makes of a name in the importing file.
type binding struct {
	// set is the target set, 0 where the import leads out of the repository.
	set uint32
	// name is the name in the target, empty where the local name stands for the whole module.
	name string
}

// bindings are all the names that a file's imports bring in.
type bindings struct {
	byName map[string][]binding
	// stars are the target sets of imports of everything.
	stars []uint32
}

// bind reads the imports of s. The package names of target files come from l.
func (l *linker) bind(s *source) bindings {
	b := bindings{byName: make(map[string][]binding, len(s.imports))}
	for i := range s.imports {
		var set uint32
		if i < len(s.targets) && int(s.targets[i]) < len(l.sets) {
			set = s.targets[i]
		}
		b.add(&s.imports[i], set, l.packageOf(set))
	}
	return b
}

func (b *bindings) add(imp *tag.Import, set uint32, pkg string) {
	if imp.Local != "" {
		b.put(imp.Local, binding{set: set})
	}
	if len(imp.Names) == 0 && imp.Local == "" {
		for _, n := range moduleNames(imp.Module, pkg) {
			b.put(n, binding{set: set})
		}
	}
	for _, n := range imp.Names {
		name, as, renamed := strings.Cut(n, " as ")
		switch {
		case n == "_" || as == "_":
		case n == "*":
			if set != 0 {
				b.stars = append(b.stars, set)
			}
		case name == "*":
			if as != imp.Local {
				b.put(as, binding{set: set})
			}
		case name == "self": // a Rust module under its own name
			if !renamed {
				as = lastSegment(imp.Module)
			}
			b.put(as, binding{set: set})
		case renamed:
			b.put(as, binding{set: set, name: name})
		default:
			b.put(name, binding{set: set, name: name})
		}
	}
}

func (b *bindings) put(local string, x binding) {
	if local == "" {
		return
	}
	for _, old := range b.byName[local] {
		if old == x {
			return
		}
	}
	bs := append(b.byName[local], x)
	if x.name == local {
		// Where several bindings share a name, the one that gives no other name to what it brings in goes first.
		own := 0
		for own < len(bs)-1 && bs[own].name == local {
			own++
		}
		bs = slices.Insert(bs[:len(bs)-1], own, x)
	}
	b.byName[local] = bs
}

var (
	majorVersion  = regexp.MustCompile(`^v[0-9]+$`)
	versionSuffix = regexp.MustCompile(`\.v[0-9]+$`)
)

// moduleNames gives the qualifiers that stand for a module that is imported without a name: the package's own name
// where that is known, else what languages take from the path. A dotted name without slashes is written in full where
// it is used (Python); else the last segment stands for the module, or the one before a major version (Go).
func moduleNames(module, pkg string) []string {
	switch {
	case pkg != "":
		return []string{pkg}
	case strings.HasPrefix(module, "."):
		return nil
	case strings.Contains(module, "::"):
		return []string{lastSegment(module)}
	case !strings.Contains(module, "/"):
		return []string{module}
	}
	parts := strings.Split(module, "/")
	name := parts[len(parts)-1]
	if majorVersion.MatchString(name) {
		name = parts[len(parts)-2]
	}
	return []string{versionSuffix.ReplaceAllString(name, "")}
}

// lastSegment gives what follows the last separator of a path of names.
func lastSegment(path string) string {
	return path[strings.LastIndexAny(path, "/:.")+1:]
}
