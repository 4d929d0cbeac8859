package treesitter

import "github.com/repox-dev/repox/sdk/tag"

// match gathers the captures of one match by meaning.
type match struct {
	name, def, ref, scope, body, doc, qualifier *capture
	imp, module, alias, unit, self, local       *capture
	typ, value, holder, first, member, owner    *capture
	tuple                                       *capture
	defInfo, refInfo                            *captureInfo
	container                                   bool
	memberIsBase, memberIsResult, isProperty    bool
	memberIsElement                             bool
}

// take reads the captures of one match.
func (b *builder) take(src []byte, q query, captures []capture) {
	switch c := captures[0]; c.capture {
	case captureComment:
		b.comments = append(b.comments, c)
		return
	case captureError:
		end, row := trimmedEnd(src, &c)
		b.file.Errors = append(b.file.Errors, tag.Span{Start: c.start, End: end, StartRow: c.startRow, EndRow: row})
		return
	}
	if preds := q.predicatesOf(captures[0].pattern); preds != nil && !b.fulfilled(src, q, preds, captures) {
		return
	}
	var m match
	b.names = b.names[:0]
	infos := q.captureInfos()
	for i := range captures {
		m.add(src, infos, &captures[i], &b.names)
	}
	b.keep(src, &m)
}

func (m *match) add(src []byte, infos []captureInfo, c *capture, names *[]string) {
	if c.capture == captureBody {
		if m.body == nil {
			m.body = c
		}
		return
	}
	info := &infos[c.capture]
	switch info.meaning {
	case meansName:
		m.name = c
	case meansDefinition:
		m.def, m.defInfo = c, info
	case meansContainer:
		m.def, m.defInfo, m.container = c, info, true
	case meansReference:
		m.ref, m.refInfo = c, info
	case meansScope:
		m.scope = c
	case meansBody:
		m.body = c
	case meansDoc:
		m.doc = c
	case meansQualifier:
		m.qualifier = c
	case meansImport:
		m.imp = c
	case meansModule:
		m.module = c
	case meansAlias:
		m.alias = c
	case meansSelf:
		m.self = c
	case meansLocal:
		m.local = c
	case meansImportName:
		*names = append(*names, text(src, c))
	case meansPackage:
		m.unit = c
	case meansType:
		m.typ = c
	case meansValue:
		m.value = c
	case meansHolder:
		m.holder = c
	case meansFirst:
		m.first = c
	case meansMember:
		m.member = c
	case meansBase:
		m.member, m.memberIsBase = c, true
	case meansResult:
		m.member, m.value, m.memberIsResult = c, c, true
	case meansProperty:
		m.member, m.isProperty = c, true
	case meansTuple:
		m.tuple = c
	case meansElement:
		m.member, m.typ, m.memberIsElement = c, c, true
	case meansOwner:
		m.owner = c
	}
}

// origin gives what a match says of the type of a name.
func (m *match) origin(src []byte) origin {
	named := m.local
	if named == nil {
		named = m.member
	}
	of := origin{}
	switch {
	case m.first != nil && named != nil && m.first.start != named.start:
	case m.typ != nil:
		of.typ = text(src, m.typ)
	case m.value != nil:
		of.value = text(src, m.value)
	case m.holder != nil:
		of.value, of.holder = text(src, m.holder), true
	}
	if m.tuple != nil && m.local != nil && of != (origin{}) {
		of.element = 1 + m.position(src, m.local)
	}
	return of
}

// position gives how many parts of the tuple stand before one of them.
func (m *match) position(src []byte, part *capture) int {
	return len(parts(string(src[min(m.tuple.start+1, part.start):part.start]))) - 1
}

// fulfilled tells whether the predicates of a pattern hold for a match.
func (b *builder) fulfilled(src []byte, q query, preds []predicate, captures []capture) bool {
	infos := q.captureInfos()
	find := func(name string) (string, bool) {
		for i := range captures {
			if c := &captures[i]; c.capture < captureComment && infos[c.capture].name == name {
				return text(src, c), true
			}
		}
		return "", false
	}
	for i := range preds {
		value, ok := find(preds[i].capture)
		if !ok {
			continue
		}
		other, _ := find(preds[i].other)
		if !preds[i].holds(value, other) {
			return false
		}
	}
	return true
}
