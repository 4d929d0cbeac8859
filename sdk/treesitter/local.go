package treesitter

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/repox-dev/repox/sdk/tag"
)

// local is a name declared inside a function.
type local struct {
	at   uint32
	name string
	of   origin
	// before is the local of the same name declared before it in the function, counted from 1; 0 for none.
	before int32
}

// origin is what the source says of the type of a name, as text.
type origin struct {
	typ, value string
	holder     bool // the name stands for what the value holds
	// element counts from 1 where the name stands for one part of a tuple, after what holder says.
	element int
}

// settleReferences drops references to names that the enclosing function declares itself, except calls, which stay as
// calls of something unknown. It puts the enclosing type in the place of a receiver's name, and says of members of other
// local names that they are members of something unknown, with the path to its type where that can be found. Only the
// outermost definition around a reference is looked at: that is exact enough, since inner functions see what the outer
// ones declare.
func (b *builder) settleReferences(defs []found) {
	slices.SortStableFunc(b.locals, func(x, y local) int { return cmp.Compare(x.at, y.at) })
	refs := b.file.References
	kept := refs[:0]
	next, at, member := 0, 0, 0
	in := &b.inside
	in.names = b.clearedNames()
	for i := range defs {
		d := &defs[i]
		if d.container || !declaresLocals(d.Kind) {
			continue
		}
		in.enter("")
		for ; at < len(refs) && refs[at].Start < d.Start; at++ {
			kept = append(kept, in.receiver(refs[at], b.locals))
		}
		for ; member < len(b.members) && b.members[member].at < d.Start; member++ {
			b.settleMember(&b.members[member], in)
		}
		for next < len(b.locals) && b.locals[next].at < d.Start {
			next++
		}
		in.enter(d.self)
		for ; next < len(b.locals) && b.locals[next].at < d.End; next++ {
			in.declare(b.locals, next)
		}
		for ; at < len(refs) && refs[at].Start < d.End; at++ {
			r := refs[at]
			if r.Qualifier == "" && in.names[r.Name] != 0 {
				if r.Role != tag.Call {
					continue
				}
				r.Qualifier = tag.UnknownQualifier
			}
			switch head, _, more := strings.Cut(r.Qualifier, "."); {
			case d.self != "" && r.Qualifier == d.self:
				r.Qualifier = d.Scope
			case in.names[head] != 0, in.ofSelf(head, more):
				r.Qualifier = tag.UnknownQualifier // a member of a value, however a module or a type may be called
			}
			kept = append(kept, in.receiver(r, b.locals))
		}
		for ; member < len(b.members) && b.members[member].at < d.End; member++ {
			b.settleMember(&b.members[member], in)
		}
	}
	in.enter("")
	for ; at < len(refs); at++ {
		kept = append(kept, in.receiver(refs[at], b.locals))
	}
	for ; member < len(b.members); member++ {
		b.settleMember(&b.members[member], in)
	}
	b.file.References = kept
}

func (b *builder) clearedNames() map[string]int32 {
	if b.inside.names == nil {
		return map[string]int32{}
	}
	clear(b.inside.names)
	return b.inside.names
}

// inside is what the names of the function at hand mean.
type inside struct {
	notation *Notation
	self     string
	// names gives the last local of a name, counted from 1.
	names map[string]int32
	// paths are the paths of receivers that have no local name in them, by their text.
	paths map[string]string
}

func (in *inside) enter(self string) {
	in.self = self
	clear(in.names)
}

// ofSelf tells of a qualifier whether it is a member of the value that the method belongs to, or that value as its base.
func (in *inside) ofSelf(head string, more bool) bool {
	switch {
	case head == "" || in.notation == nil:
		return false
	case head == in.notation.Super:
		return true
	}
	return more && (head == in.self || head == in.notation.Self)
}

// declare makes a local known. Two patterns may have found it: the one that tells of its type counts.
func (in *inside) declare(locals []local, i int) {
	l := &locals[i]
	old := in.names[l.name]
	if old != 0 {
		// A bound may stand behind the parameters.
		of := &locals[old-1].of
		if again := locals[old-1].at == l.at; again || *of == (origin{}) && l.of.typ != "" {
			if *of == (origin{}) {
				*of = l.of
			}
			return
		}
	}
	l.before = old
	in.names[l.name] = int32(i + 1)
}

// receiver finds the path to what a name of unknown qualifier is a member of. Until then its text is in Receiver.
func (in *inside) receiver(r tag.Reference, locals []local) tag.Reference {
	text := r.Receiver
	r.Receiver = ""
	if r.Qualifier == tag.UnknownQualifier && text != "" && in.notation != nil {
		r.Receiver = in.follow(in.valuePath(text), r.Start, locals, maxPathNesting)
	}
	return r
}

func (in *inside) valuePath(text string) string {
	if path, ok := in.paths[text]; ok {
		return path
	}
	path := in.notation.ValuePath(text)
	if in.paths == nil {
		in.paths = map[string]string{}
	}
	in.paths[text] = path
	return path
}

// follow puts what a local name stands for in its place at the start of a path.
func (in *inside) follow(path string, at uint32, locals []local, depth int) string {
	if path == "" || depth == 0 {
		return ""
	}
	if path[0] == '<' {
		inner, rest := brackets(path)
		held := tuple(pathParts(inner), func(p string) string { return in.follow(p, at, locals, depth-1) })
		if held == "" {
			return ""
		}
		return held + rest
	}
	head := headOf(path)
	rest := path[len(head):]
	if head == in.self && head != "" {
		return "@" + rest
	}
	n := in.names[head]
	for n != 0 && locals[n-1].at >= at {
		n = locals[n-1].before
	}
	if n == 0 {
		return path
	}
	p := in.origin(&locals[n-1].of, locals[n-1].at, locals, depth-1)
	if p == "" {
		return ""
	}
	if len(rest) > 0 && rest[0] == '<' {
		return p
	}
	return p + rest
}

// origin gives the path to the type of something declared at a place.
func (in *inside) origin(of *origin, at uint32, locals []local, depth int) string {
	if in.notation == nil {
		return ""
	}
	var path string
	if of.typ != "" {
		path = in.follow(in.notation.TypePath(of.typ), at, locals, depth)
	} else {
		path = in.follow(in.notation.ValuePath(of.value), at, locals, depth)
	}
	if path != "" && of.holder {
		path += ".!"
	}
	if path != "" && of.element > 0 {
		path += "." + strconv.Itoa(of.element-1)
	}
	return path
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
