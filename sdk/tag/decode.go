package tag

import (
	"bytes"
	"fmt"

	"google.golang.org/protobuf/proto"

	pluginv1 "github.com/repox-dev/repox/sdk/proto"
)

// Decode reads what Encode wrote; imports may be nil.
func Decode(tags, imports []byte) (*File, error) {
	// The tags are copied: what is decoded shares their memory.
	m, err := new(Decoder).Columns(bytes.Clone(tags))
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
