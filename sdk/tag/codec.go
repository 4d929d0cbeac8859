package tag

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"google.golang.org/protobuf/proto"

	pluginv1 "github.com/repox-dev/repox/sdk/proto"
)

const flagExported = 1

// Encoder encodes files one after the other and reuses its buffers. The zero value is ready. It is not safe for
// concurrent use.
type Encoder struct {
	index map[string]uint32
	msg   pluginv1.Tags
}

// Encode gives the wire form of the tags and of the imports of f. It sorts f's definitions and references by position.
// Text that is not UTF-8 is repaired with replacement characters.
func (e *Encoder) Encode(f *File) (tags, imports []byte, err error) {
	e.reset()
	m := &e.msg
	m.Package = e.intern(f.Package)
	sortDefinitions(f.Definitions)
	var last Span
	for i := range f.Definitions {
		d := &f.Definitions[i]
		if d.End < d.Start || d.EndRow < d.StartRow || d.NameStart < d.Start {
			return nil, nil, fmt.Errorf("encode tags: definition %q has a range that ends before it starts", d.Name)
		}
		m.DefName = append(m.DefName, e.intern(d.Name))
		m.DefKind = append(m.DefKind, e.intern(d.Kind))
		m.DefScope = append(m.DefScope, e.intern(d.Scope))
		m.DefSignature = append(m.DefSignature, e.intern(d.Signature))
		m.DefDoc = append(m.DefDoc, e.intern(d.Doc))
		var flags uint32
		if d.Exported {
			flags |= flagExported
		}
		m.DefFlags = append(m.DefFlags, flags)
		m.DefStart = append(m.DefStart, d.Start-last.Start)
		m.DefSize = append(m.DefSize, d.End-d.Start)
		m.DefStartRow = append(m.DefStartRow, d.StartRow-last.StartRow)
		m.DefRows = append(m.DefRows, d.EndRow-d.StartRow)
		m.DefNameStart = append(m.DefNameStart, d.NameStart-d.Start)
		last = d.Span
	}
	e.references(f.References)
	for i := range f.Members {
		x := &f.Members[i]
		m.MemberScope = append(m.MemberScope, e.intern(x.Scope))
		m.MemberName = append(m.MemberName, e.intern(x.Name))
		m.MemberType = append(m.MemberType, e.intern(x.Type))
	}
	for _, s := range f.Errors {
		m.Errors = append(m.Errors, &pluginv1.Place{Start: s.Start, End: s.End, StartRow: s.StartRow, EndRow: s.EndRow})
	}
	if tags, err = proto.Marshal(m); err != nil {
		return nil, nil, fmt.Errorf("encode tags: %w", err)
	}
	if imports, err = encodeImports(f.Imports); err != nil {
		return nil, nil, err
	}
	return tags, imports, nil
}

func (e *Encoder) references(refs []Reference) {
	m := &e.msg
	if !slices.IsSortedFunc(refs, compareReferences) {
		slices.SortStableFunc(refs, compareReferences)
	}
	var start, row uint32
	last := 0
	for i := range refs {
		r := &refs[i]
		if r.Receiver != "" {
			m.RefReceiverRef = append(m.RefReceiverRef, uint32(i-last))
			m.RefReceiver = append(m.RefReceiver, e.intern(r.Receiver))
			last = i
		}
		m.RefName = append(m.RefName, e.intern(r.Name))
		m.RefQualifier = append(m.RefQualifier, e.intern(r.Qualifier))
		m.RefRole = append(m.RefRole, e.intern(r.Role))
		m.RefStart = append(m.RefStart, r.Start-start)
		m.RefRow = append(m.RefRow, r.Row-row)
		start, row = r.Start, r.Row
	}
}

func (e *Encoder) reset() {
	if e.index == nil {
		e.index = make(map[string]uint32, 256)
	}
	clear(e.index)
	m := &e.msg
	m.Strings = append(m.Strings[:0], "")
	e.index[""] = 0
	for _, col := range []*[]uint32{
		&m.DefName, &m.DefKind, &m.DefScope, &m.DefSignature, &m.DefDoc, &m.DefFlags, &m.DefStart, &m.DefSize,
		&m.DefStartRow, &m.DefRows, &m.DefNameStart, &m.RefName, &m.RefQualifier, &m.RefRole, &m.RefStart, &m.RefRow,
		&m.RefReceiverRef, &m.RefReceiver, &m.MemberScope, &m.MemberName, &m.MemberType,
	} {
		*col = (*col)[:0]
	}
	m.Errors = m.Errors[:0]
}

func (e *Encoder) intern(s string) uint32 {
	if i, ok := e.index[s]; ok {
		return i
	}
	i := uint32(len(e.msg.Strings))
	e.index[s] = i
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\uFFFD")
	}
	e.msg.Strings = append(e.msg.Strings, s)
	return i
}

func sortDefinitions(defs []Definition) {
	less := func(a, b Definition) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End), cmp.Compare(a.NameStart, b.NameStart))
	}
	if !slices.IsSortedFunc(defs, less) {
		slices.SortStableFunc(defs, less)
	}
}

func compareReferences(a, b Reference) int {
	return cmp.Compare(a.Start, b.Start)
}

func encodeImports(imports []Import) ([]byte, error) {
	var m pluginv1.Imports
	for _, i := range imports {
		names := make([]string, len(i.Names))
		for k, n := range i.Names {
			names[k] = strings.ToValidUTF8(n, "\uFFFD")
		}
		m.Imports = append(m.Imports, &pluginv1.Import{
			Module: strings.ToValidUTF8(i.Module, "\uFFFD"),
			Names:  names,
			Local:  strings.ToValidUTF8(i.Local, "\uFFFD"),
			Row:    i.Row, Implied: i.Implied,
		})
	}
	b, err := proto.Marshal(&m)
	if err != nil {
		return nil, fmt.Errorf("encode imports: %w", err)
	}
	return b, nil
}
