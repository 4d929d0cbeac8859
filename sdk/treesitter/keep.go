package treesitter

import (
	"slices"

	"github.com/repox-dev/repox/sdk/tag"
)

// keyed is an import that may be found twice, with and without its optional parts.
type keyed struct {
	key uint64
	imp tag.Import
}

// candidate is a tag that may lose its name to another one. Keys order by name, then definitions before references,
// then the earlier pattern, then the variant with its optional nodes.
type candidate struct {
	key   uint64
	index uint32
	isDef bool
}

// found is a definition on its way, with the parts that are looked at once it is known to stay.
type found struct {
	tag.Definition
	container bool
	body      uint32 // where the signature ends, 0 if not known
	doc       string
	scope     string
	self      string
}

// keep files the match under what it found.
func (b *builder) keep(src []byte, m *match) {
	switch {
	case m.unit != nil:
		b.file.Package = text(src, m.unit)
	case m.module != nil:
		b.keepImport(src, m)
	case m.local != nil:
		b.locals = append(b.locals, local{at: m.local.start, name: text(src, m.local), of: m.origin(src)})
	case m.member != nil:
		b.keepMember(src, m)
	case m.name == nil || m.name.start == m.name.end:
	case m.def != nil:
		b.keepDefinition(src, m)
	case m.ref != nil:
		b.keepReference(src, m)
	}
}

func (b *builder) keepImport(src []byte, m *match) {
	at := m.imp
	if at == nil {
		at = m.module
	}
	imp := tag.Import{Module: unquote(text(src, m.module)), Row: at.startRow, Names: slices.Clone(b.names)}
	if m.alias != nil {
		imp.Local = text(src, m.alias)
	}
	b.imports = append(b.imports, keyed{key: key(m.module, 0), imp: imp})
}

func (b *builder) keepDefinition(src []byte, m *match) {
	end, endRow := trimmedEnd(src, m.def)
	d := found{container: m.container}
	d.Definition = tag.Definition{
		Name: text(src, m.name), Kind: m.defInfo.word, NameStart: m.name.start,
		Span: tag.Span{Start: m.def.start, End: end, StartRow: m.def.startRow, EndRow: endRow},
	}
	if d.NameStart < d.Start {
		return // the query names something outside the definition
	}
	if m.body != nil && m.body.start > m.name.start {
		d.body = m.body.start
	}
	if m.doc != nil {
		d.doc = text(src, m.doc)
	}
	if m.scope != nil {
		d.scope = text(src, m.scope)
	}
	if m.self != nil {
		d.self = text(src, m.self)
	}
	b.candidates = append(b.candidates, candidate{key: key(m.name, 0), index: uint32(len(b.defs)), isDef: true})
	b.defs = append(b.defs, d)
}

func (b *builder) keepReference(src []byte, m *match) {
	r := tag.Reference{Name: text(src, m.name), Role: m.refInfo.word, Start: m.name.start, Row: m.name.startRow}
	if m.qualifier != nil {
		r.Receiver = text(src, m.qualifier)
		r.Qualifier = plainName(r.Receiver)
	} else if n := b.inside.notation; n != nil && n.Tokens && r.Start > 1 && src[r.Start-1] == '.' {
		if r.Receiver = valueBefore(src, int(r.Start)-1); r.Receiver != "" {
			r.Qualifier = tag.UnknownQualifier
		}
	}
	b.candidates = append(b.candidates, candidate{key: key(m.name, 1), index: uint32(len(b.refs))})
	b.refs = append(b.refs, r)
}

// plainName gives s if it is a name or a path of names, else the mark for an expression.
func plainName(s string) string {
	const longest = 120
	if len(s) > longest {
		return tag.UnknownQualifier
	}
	for i := range len(s) {
		switch c := s[i]; {
		case c == '_' || c == '.' || c == ':' || c == '#' || c == '$' || c >= 0x80:
		case c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z':
		default:
			return tag.UnknownQualifier
		}
	}
	return s
}

// keyBits is how many low bits of a key order the tags on one name.
const keyBits = 17

func key(name *capture, class uint64) uint64 {
	pattern := uint64(name.pattern&^spare)<<1 | uint64(name.pattern>>15)
	return uint64(name.start)<<keyBits | class<<(keyBits-1) | pattern
}
