package treesitter

import (
	"cmp"
	"slices"

	"github.com/repox-dev/repox/sdk/tag"
)

// member is a name, or a base, that the source says the type of.
type member struct {
	at          uint32
	name        string // empty for a base
	owner       string // the value that it is a member of, if it is written
	scope       string
	of          origin
	placed, own bool // own: the name is that of a definition
}

func (b *builder) keepMember(src []byte, m *match) {
	if m.first != nil && m.first.start != m.member.start {
		return
	}
	x := member{at: m.member.start, of: m.origin(src)}
	if !m.memberIsBase {
		x.name = text(src, m.member)
	} else if x.of.typ == "" {
		x.of.typ = text(src, m.member)
	}
	if m.owner != nil {
		x.owner = text(src, m.owner)
	}
	if x.of.typ != "" || x.of.value != "" {
		b.members = append(b.members, x)
	}
}

// placeMembers finds what each member belongs to: the definition that its name names, else the innermost one around it.
func (b *builder) placeMembers(defs []found) {
	slices.SortStableFunc(b.members, func(x, y member) int { return cmp.Compare(x.at, y.at) })
	var open []int
	next := 0
	for i := range b.members {
		m := &b.members[i]
		for ; next < len(defs) && defs[next].Start <= m.at; next++ {
			open = append(closed(open, defs, defs[next].Start), next)
		}
		open = closed(open, defs, m.at)
		for k := len(open) - 1; k >= 0 && !m.placed; k-- {
			d := &defs[open[k]]
			switch {
			case m.owner != "":
				if m.placed = d.self == m.owner; m.placed {
					m.scope = d.Scope
				}
			case d.NameStart == m.at && m.name != "":
				m.placed, m.scope = true, d.Scope
			default:
				m.placed, m.scope = true, joinScope(d.Scope, d.Name)
				// A name inside a function is a local, and no member of it.
				if !d.container && m.name != "" && (d.Kind == tag.Function || d.Kind == tag.Method) {
					m.placed, m.own = true, true
				}
			}
		}
	}
}

// closed drops the definitions that end before a place.
func closed(open []int, defs []found, at uint32) []int {
	for len(open) > 0 && defs[open[len(open)-1]].End <= at {
		open = open[:len(open)-1]
	}
	return open
}

// settleMember finds the path to a member's type and keeps the member if there is one.
func (b *builder) settleMember(m *member, in *inside) {
	if m.own || m.owner != "" && !m.placed {
		return
	}
	if path := in.origin(&m.of, m.at, b.locals, maxPathNesting); path != "" {
		b.file.Members = append(b.file.Members, tag.Member{Scope: m.scope, Name: m.name, Type: path})
	}
}
