package treesitter

import (
	"bytes"
	"cmp"
	"slices"
	"sort"
	"strings"
	"unsafe"

	"github.com/repox-dev/repox/sdk/tag"
)

// capture mirrors rx_capture in engine.h.
type capture struct {
	match            uint32
	pattern, capture uint16
	start, end       uint32
	startRow, endRow uint32
}

// Captures that the engine makes by itself; see engine.h.
const (
	captureComment = 0xfff0
	captureError   = 0xfff1
	captureBody    = 0xfff2
)

// spare marks the pattern of a match that lacks the pattern's optional nodes.
const spare = 0x8000

// query is what the builder needs of a compiled query.
type query interface {
	captureInfos() []captureInfo
	predicatesOf(pattern uint16) []predicate
}

// builder makes a tag.File of captures. It reuses its buffers: a file is valid until the next one.
type builder struct {
	file       tag.File
	comments   []capture
	candidates []candidate
	defs, kept []found
	refs       []tag.Reference
	imports    []keyed
	locals     []local
	members    []member
	inside     inside
	names      []string
}

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

func (b *builder) build(src []byte, q query, captures []capture, n *Notation) *tag.File {
	b.reset()
	b.inside.notation = n
	for len(captures) > 0 {
		n := 1
		for n < len(captures) && captures[n].match == captures[0].match {
			n++
		}
		b.take(src, q, captures[:n])
		captures = captures[n:]
	}
	b.settle(src)
	return &b.file
}

func (b *builder) reset() {
	f := &b.file
	f.Package = ""
	f.Definitions, f.References, f.Imports, f.Errors = f.Definitions[:0], f.References[:0], f.Imports[:0], f.Errors[:0]
	f.Members = f.Members[:0]
	b.comments, b.candidates, b.defs, b.refs = b.comments[:0], b.candidates[:0], b.defs[:0], b.refs[:0]
	b.imports, b.locals, b.members = b.imports[:0], b.locals[:0], b.members[:0]
	clear(b.inside.paths)
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

// settle keeps one tag for each name and gives definitions their scope, signature and doc line.
func (b *builder) settle(src []byte) {
	slices.SortFunc(b.candidates, func(x, y candidate) int { return cmp.Compare(x.key, y.key) })
	last := ^uint64(0)
	kept := b.kept[:0]
	for _, c := range b.candidates {
		if c.key>>keyBits == last {
			continue
		}
		if !c.isDef || !b.defs[c.index].container { // a container has its name from elsewhere: there it is a reference
			last = c.key >> keyBits
		}
		if c.isDef {
			kept = append(kept, b.defs[c.index])
		} else {
			b.file.References = append(b.file.References, b.refs[c.index])
		}
	}
	b.kept = kept
	slices.SortStableFunc(kept, func(x, y found) int {
		return cmp.Or(cmp.Compare(x.Start, y.Start), cmp.Compare(y.End, x.End))
	})
	b.nest(src, kept)
	b.placeMembers(kept)
	b.settleReferences(kept)
	b.settleImports()
}

func (b *builder) settleImports() {
	slices.SortStableFunc(b.imports, func(x, y keyed) int { return cmp.Compare(x.key, y.key) })
	last := ^uint64(0)
	for _, k := range b.imports {
		if k.key>>keyBits != last {
			b.file.Imports = append(b.file.Imports, k.imp)
		}
		last = k.key >> keyBits
	}
}

// nest walks the definitions in the order of their start with a stack of those that are still open.
func (b *builder) nest(src []byte, defs []found) {
	type open struct {
		end    uint32
		start  uint32
		prefix string
	}
	var stack []open
	for i := range defs {
		d := &defs[i]
		for len(stack) > 0 && (stack[len(stack)-1].end <= d.Start || stack[len(stack)-1].start == d.Start && stack[len(stack)-1].end == d.End) {
			stack = stack[:len(stack)-1]
		}
		scope := d.scope
		if len(stack) > 0 {
			scope = joinScope(stack[len(stack)-1].prefix, scope)
		}
		d.Scope = scope
		stack = append(stack, open{end: d.End, start: d.Start, prefix: joinScope(scope, d.Name)})
		if d.container {
			continue
		}
		d.Signature = signature(src, d, b.comments)
		d.Doc = docLine(d.doc)
		if d.doc == "" {
			d.Doc = docLine(b.commentAbove(src, d))
		}
		b.file.Definitions = append(b.file.Definitions, d.Definition)
	}
}

func joinScope(a, b string) string {
	if a == "" {
		return b
	}
	if b == "" {
		return a
	}
	return a + "." + b
}

// commentAbove gives the text of the comments that end right above d, without a blank line between.
func (b *builder) commentAbove(src []byte, d *found) string {
	i := sort.Search(len(b.comments), func(i int) bool { return b.comments[i].start >= d.Start })
	row := d.StartRow
	first := i
	for first > 0 {
		c := b.comments[first-1]
		if lastRow(src, c)+1 != row || !startsLine(src, c.start) {
			break
		}
		row = c.startRow
		first--
	}
	if first == i {
		return ""
	}
	return string(src[b.comments[first].start:b.comments[i-1].end])
}

// startsLine tells whether only white space stands before at on its line.
func startsLine(src []byte, at uint32) bool {
	line := src[bytes.LastIndexByte(src[:at], '\n')+1 : at]
	return len(bytes.TrimSpace(line)) == 0
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

// text gives the source of a capture without copying it: strings of a file live as long as its source.
func text(src []byte, c *capture) string {
	if c.start >= c.end || int(c.end) > len(src) {
		return ""
	}
	return unsafe.String(&src[c.start], int(c.end-c.start))
}

// lastRow is the row of the last byte of c: nodes that take the line feed in end on the row after.
func lastRow(src []byte, c capture) uint32 {
	_, row := trimmedEnd(src, &c)
	return row
}

// trimmedEnd gives the end of c without white space behind it, and its row.
func trimmedEnd(src []byte, c *capture) (end, row uint32) {
	end, row = min(c.end, uint32(len(src))), c.endRow
	for end > c.start+1 {
		switch src[end-1] {
		case '\n':
			row--
		case ' ', '\t', '\r', '\f':
		default:
			return end, row
		}
		end--
	}
	return end, c.startRow // a single byte is in the row it starts in, a line feed too
}

func unquote(s string) string {
	if len(s) >= 2 && strings.ContainsRune("\"'`", rune(s[0])) && s[len(s)-1] == s[0] {
		return s[1 : len(s)-1]
	}
	return s
}
