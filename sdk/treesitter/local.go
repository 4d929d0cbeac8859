package treesitter

import (
	"cmp"
	"slices"
	"strings"

	"github.com/repox-dev/repox/sdk/tag"
)

// local is a name declared inside a function.
type local struct {
	at   uint32
	name string
}

// settleReferences drops references to names that the enclosing function declares itself, except calls, which stay as
// calls of something unknown. It puts the enclosing type in the place of a receiver's name, and says of members of other
// local names that they are members of something unknown. Only the outermost definition around a reference is looked at:
// that is exact enough, since inner functions see what the outer ones declare.
func (b *builder) settleReferences(defs []found) {
	slices.SortFunc(b.locals, func(x, y local) int { return cmp.Compare(x.at, y.at) })
	refs := b.file.References
	kept := refs[:0]
	next, at := 0, 0
	names := map[string]bool{}
	for i := range defs {
		d := &defs[i]
		if d.container || !declaresLocals(d.Kind) {
			continue
		}
		for at < len(refs) && refs[at].Start < d.Start {
			kept = append(kept, refs[at])
			at++
		}
		for next < len(b.locals) && b.locals[next].at < d.Start {
			next++
		}
		clear(names)
		for ; next < len(b.locals) && b.locals[next].at < d.End; next++ {
			names[b.locals[next].name] = true
		}
		for ; at < len(refs) && refs[at].Start < d.End; at++ {
			r := refs[at]
			if r.Qualifier == "" && names[r.Name] {
				if r.Role != tag.Call {
					continue
				}
				r.Qualifier = tag.UnknownQualifier
			}
			switch head, _, _ := strings.Cut(r.Qualifier, "."); {
			case d.self != "" && r.Qualifier == d.self:
				r.Qualifier = d.Scope
			case names[head]:
				r.Qualifier = tag.UnknownQualifier // a member of a value, however a module or a type may be called
			}
			kept = append(kept, r)
		}
	}
	b.file.References = append(kept, refs[at:]...)
}

// declaresLocals tells whether names declared inside a definition are its own: parameters, variables, type parameters.
// Definitions that mainly hold other definitions are not looked at as a whole.
func declaresLocals(kind string) bool {
	switch kind {
	case tag.Function, tag.Method, tag.Struct, tag.Interface, tag.Type:
		return true
	}
	return false
}
