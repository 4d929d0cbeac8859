package tag

import (
	"errors"
	"fmt"

	"google.golang.org/protobuf/proto"

	pluginv1 "github.com/repox-dev/repox/sdk/proto"
)

// errColumns: the columns of an encoded Tags disagree in length or point outside the string table. The sender is
// broken; callers treat the file as having no tags.
var errColumns = errors.New("decode tags: columns do not agree")

// Decode reads what Encode wrote; imports may be nil.
func Decode(tags, imports []byte) (*File, error) {
	m, err := Columns(tags)
	if err != nil {
		return nil, err
	}
	f := &File{Package: m.Strings[m.Package]}
	f.Definitions = definitions(m)
	f.References = references(m)
	for i, scope := range m.MemberScope {
		f.Members = append(f.Members, Member{m.Strings[scope], m.Strings[m.MemberName[i]], m.Strings[m.MemberType[i]]})
	}
	for _, p := range m.Errors {
		f.Errors = append(f.Errors, Span{Start: p.Start, End: p.End, StartRow: p.StartRow, EndRow: p.EndRow})
	}
	f.Imports, err = DecodeImports(imports)
	return f, err
}

// Columns reads encoded tags without spreading them into values, for callers that handle whole repositories. The
// columns of the answer have equal lengths and stay inside the string table.
func Columns(tags []byte) (*pluginv1.Tags, error) {
	m := new(pluginv1.Tags)
	if err := proto.Unmarshal(tags, m); err != nil {
		return nil, fmt.Errorf("decode tags: %w", err)
	}
	if len(m.Strings) == 0 {
		m.Strings = []string{""}
	}
	size := uint32(len(m.Strings))
	if m.Package >= size {
		return nil, errColumns
	}
	defs, refs := len(m.DefName), len(m.RefName)
	if !sameLength(defs, m.DefKind, m.DefScope, m.DefSignature, m.DefDoc, m.DefFlags, m.DefStart, m.DefSize,
		m.DefStartRow, m.DefRows, m.DefNameStart) || !sameLength(refs, m.RefQualifier, m.RefRole, m.RefStart, m.RefRow) {
		return nil, errColumns
	}
	if !below(size, m.DefName, m.DefKind, m.DefScope, m.DefSignature, m.DefDoc, m.RefName, m.RefQualifier, m.RefRole) {
		return nil, errColumns
	}
	if !sameLength(len(m.RefReceiverRef), m.RefReceiver) || !sameLength(len(m.MemberScope), m.MemberName, m.MemberType) ||
		!below(size, m.RefReceiver, m.MemberScope, m.MemberName, m.MemberType) {
		return nil, errColumns
	}
	last := 0
	for _, delta := range m.RefReceiverRef {
		if last += int(delta); last >= refs {
			return nil, errColumns
		}
	}
	return m, nil
}

// DecodeImports reads encoded imports; nil gives none.
func DecodeImports(imports []byte) ([]Import, error) {
	var m pluginv1.Imports
	if err := proto.Unmarshal(imports, &m); err != nil {
		return nil, fmt.Errorf("decode imports: %w", err)
	}
	var out []Import
	for _, i := range m.Imports {
		out = append(out, Import{Module: i.Module, Names: i.Names, Local: i.Local, Row: i.Row, Implied: i.Implied})
	}
	return out, nil
}

func definitions(m *pluginv1.Tags) []Definition {
	out := make([]Definition, len(m.DefName))
	var start, row uint32
	for i := range out {
		start += m.DefStart[i]
		row += m.DefStartRow[i]
		out[i] = Definition{
			Name:      m.Strings[m.DefName[i]],
			Kind:      m.Strings[m.DefKind[i]],
			Scope:     m.Strings[m.DefScope[i]],
			Signature: m.Strings[m.DefSignature[i]],
			Doc:       m.Strings[m.DefDoc[i]],
			Exported:  m.DefFlags[i]&flagExported != 0,
			Span:      Span{Start: start, End: start + m.DefSize[i], StartRow: row, EndRow: row + m.DefRows[i]},
			NameStart: start + m.DefNameStart[i],
		}
	}
	return out
}

func references(m *pluginv1.Tags) []Reference {
	out := make([]Reference, len(m.RefName))
	var start, row uint32
	for i := range out {
		start += m.RefStart[i]
		row += m.RefRow[i]
		out[i] = Reference{
			Name:      m.Strings[m.RefName[i]],
			Qualifier: m.Strings[m.RefQualifier[i]],
			Role:      m.Strings[m.RefRole[i]],
			Start:     start,
			Row:       row,
		}
	}
	last := 0
	for i, delta := range m.RefReceiverRef {
		last += int(delta)
		out[last].Receiver = m.Strings[m.RefReceiver[i]]
	}
	return out
}

func sameLength(n int, cols ...[]uint32) bool {
	for _, c := range cols {
		if len(c) != n {
			return false
		}
	}
	return true
}

func below(limit uint32, cols ...[]uint32) bool {
	for _, c := range cols {
		for _, v := range c {
			if v >= limit {
				return false
			}
		}
	}
	return true
}
