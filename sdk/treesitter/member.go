package treesitter

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/repox-dev/repox/sdk/tag"
)

// member is a name, or a base, that the source says the type of.
type member struct {
	at     uint32
	name   string // empty for a base
	owner  string // the value that it is a member of, if it is written
	scope  string
	of     origin
	result bool // what the function around it gives
	out    bool // it is no member of anything
}

func (b *builder) keepMember(src []byte, m *match) {
	if m.first != nil && m.first.start != m.member.start {
		return
	}
	x := member{at: m.member.start, of: m.origin(src)}
	x.result = m.memberIsResult
	if !m.memberIsBase && !x.result {
		x.name = text(src, m.member)
	} else if m.memberIsBase && x.of.typ == "" {
		x.of.typ = text(src, m.member)
	}
	if m.memberIsElement && m.tuple != nil {
		x.name = strconv.Itoa(m.position(src, m.member))
	}
	if m.isProperty && b.inside.notation != nil {
		x.owner = b.inside.notation.Self
	}
	if m.owner != nil {
		x.owner = text(src, m.owner)
	}
	if b.inside.notation != nil && (x.of.typ != "" || x.of.value != "") {
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
		b.place(m, defs, open)
	}
}

// place finds what a member belongs to, among the definitions that are open around it.
func (b *builder) place(m *member, defs []found, open []int) {
	m.out = true
	for k := len(open) - 1; k >= 0; k-- {
		d := &defs[open[k]]
		function := !d.container && (d.Kind == tag.Function || d.Kind == tag.Method)
		switch {
		case m.result:
			if function {
				m.out, m.scope, m.name = false, d.Scope, d.Name
				return
			}
		case m.owner != "":
			if m.owner == d.self && d.self != "" || d.Kind == tag.Method && m.owner == b.inside.notation.Self {
				m.out, m.scope = false, d.Scope
				return
			}
		case d.NameStart == m.at && m.name != "" && m.out:
			m.out, m.scope = false, d.Scope
		case function && m.name != "": // the name of a local
			m.out = true
			return
		case m.out:
			m.out, m.scope = false, joinScope(d.Scope, d.Name)
		}
	}
	if len(open) == 0 && m.owner == "" && !m.result {
		m.out = false
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
	if m.out {
		return
	}
	path := in.origin(&m.of, m.at, b.locals, maxPathNesting)
	// A member of unknown type is told too: it hides that of a base.
	if path != "" || m.scope != "" && m.name != "" && !m.result {
		b.file.Members = append(b.file.Members, tag.Member{Scope: m.scope, Name: m.name, Type: path})
	}
}
