package sdk

import (
	"fmt"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"github.com/repox-dev/repox/sdk/model"
)

// Tags reads the section "tags", which is the largest by far: the tags and imports of its files share the memory of the
// section and must not be changed.
func (m *Model) Tags() (*model.TagSet, error) {
	m.mu.Lock()
	b := m.in[model.SectionTags]
	m.mu.Unlock()
	set, err := readTagSet(b)
	if err != nil {
		return nil, fmt.Errorf("decode section %q: %w", model.SectionTags, err)
	}
	return set, nil
}

func readTagSet(b []byte) (*model.TagSet, error) {
	set := &model.TagSet{}
	var rest []byte // all but the files
	for len(b) > 0 {
		number, kind, n := protowire.ConsumeTag(b)
		if n < 0 {
			return nil, protowire.ParseError(n)
		}
		size := protowire.ConsumeFieldValue(number, kind, b[n:])
		if size < 0 {
			return nil, protowire.ParseError(size)
		}
		if number != 1 || kind != protowire.BytesType {
			rest = append(rest, b[:n+size]...)
		} else {
			file, _ := protowire.ConsumeBytes(b[n:])
			f, err := readFileTags(file)
			if err != nil {
				return nil, err
			}
			set.Files = append(set.Files, f)
		}
		b = b[n+size:]
	}
	return set, proto.UnmarshalOptions{Merge: true}.Unmarshal(rest, set)
}

func readFileTags(b []byte) (*model.FileTags, error) {
	f := &model.FileTags{}
	var rest []byte // the small fields
	for len(b) > 0 {
		number, kind, n := protowire.ConsumeTag(b)
		if n < 0 {
			return nil, protowire.ParseError(n)
		}
		size := protowire.ConsumeFieldValue(number, kind, b[n:])
		if size < 0 {
			return nil, protowire.ParseError(size)
		}
		switch {
		case number == 2 && kind == protowire.BytesType:
			f.Tags, _ = protowire.ConsumeBytes(b[n:])
		case number == 3 && kind == protowire.BytesType:
			f.Imports, _ = protowire.ConsumeBytes(b[n:])
		default:
			rest = append(rest, b[:n+size]...)
		}
		b = b[n+size:]
	}
	return f, proto.UnmarshalOptions{Merge: true}.Unmarshal(rest, f)
}
