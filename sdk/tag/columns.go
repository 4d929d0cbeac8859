package tag

import (
	"errors"
	"fmt"
	"unicode/utf8"
	"unsafe"

	"google.golang.org/protobuf/encoding/protowire"

	pluginv1 "github.com/repox-dev/repox/sdk/proto"
)

// errColumns: the columns of an encoded Tags disagree in length or point outside the string table. The sender is
// broken; callers treat the file as having no tags.
var errColumns = errors.New("decode tags: columns do not agree")

// errText: a string is not UTF-8.
var errText = errors.New("decode tags: a string is not UTF-8")

// Decoder reads the tags of one file after the other into the same memory, for callers that handle whole repositories.
// The zero value is ready. It is not safe for concurrent use.
type Decoder struct {
	msg    pluginv1.Tags
	places []pluginv1.Place
}

// Columns reads encoded tags without spreading them into values. The columns of the answer have equal lengths and stay
// inside the string table. They hold until the next call; the strings share the memory of tags, which must not change.
func (d *Decoder) Columns(tags []byte) (*pluginv1.Tags, error) {
	d.reset()
	for len(tags) > 0 {
		number, kind, n := protowire.ConsumeTag(tags)
		if n < 0 {
			return nil, fmt.Errorf("decode tags: %w", protowire.ParseError(n))
		}
		if number > protowire.MaxValidNumber {
			return nil, fmt.Errorf("decode tags: there is no field %d", number)
		}
		tags = tags[n:]
		if n = d.field(number, kind, tags); n < 0 {
			return nil, fmt.Errorf("decode tags: %w", protowire.ParseError(n))
		}
		tags = tags[n:]
	}
	m := &d.msg
	if len(m.Strings) == 0 {
		m.Strings = append(m.Strings, "")
	}
	for _, s := range m.Strings {
		if !utf8.ValidString(s) {
			return nil, errText
		}
	}
	for i := range d.places {
		m.Errors = append(m.Errors, &d.places[i])
	}
	return m, checkColumns(m)
}

func (d *Decoder) reset() {
	m := &d.msg
	m.Strings, m.Package, m.Errors, d.places = m.Strings[:0], 0, m.Errors[:0], d.places[:0]
	for n := range protowire.Number(lastColumn + 1) {
		if c := column(m, n); c != nil {
			*c = (*c)[:0]
		}
	}
}

// field reads one field and gives its length, negative for an error.
func (d *Decoder) field(number protowire.Number, kind protowire.Type, b []byte) int {
	m := &d.msg
	if c := column(m, number); c != nil {
		return numbers(c, kind, b)
	}
	switch {
	case number == 1 && kind == protowire.BytesType:
		text, n := protowire.ConsumeBytes(b)
		m.Strings = append(m.Strings, unsafe.String(unsafe.SliceData(text), len(text)))
		return n
	case number == 2 && kind == protowire.VarintType:
		v, n := protowire.ConsumeVarint(b)
		m.Package = uint32(v)
		return n
	case number == 40 && kind == protowire.BytesType:
		text, n := protowire.ConsumeBytes(b)
		if n >= 0 && !d.place(text) {
			return -1
		}
		return n
	}
	return protowire.ConsumeFieldValue(number, kind, b)
}

func (d *Decoder) place(b []byte) bool {
	d.places = append(d.places, pluginv1.Place{})
	p := &d.places[len(d.places)-1]
	for len(b) > 0 {
		number, kind, n := protowire.ConsumeTag(b)
		if n < 0 {
			return false
		}
		b = b[n:]
		v, read := uint64(0), 0
		if kind == protowire.VarintType {
			v, read = protowire.ConsumeVarint(b)
		} else {
			number, read = 0, protowire.ConsumeFieldValue(number, kind, b)
		}
		if read < 0 {
			return false
		}
		b = b[read:]
		switch number {
		case 1:
			p.Start = uint32(v)
		case 2:
			p.End = uint32(v)
		case 3:
			p.StartRow = uint32(v)
		case 4:
			p.EndRow = uint32(v)
		}
	}
	return true
}

// numbers reads a column, which is packed or, from some encoders, one number at a time.
func numbers(column *[]uint32, kind protowire.Type, b []byte) int {
	if kind == protowire.VarintType {
		v, n := protowire.ConsumeVarint(b)
		*column = append(*column, uint32(v))
		return n
	}
	if kind != protowire.BytesType {
		return -1
	}
	packed, n := protowire.ConsumeBytes(b)
	out := *column
	for i := 0; i < len(packed); {
		if packed[i] < 0x80 { // most are small
			out = append(out, uint32(packed[i]))
			i++
			continue
		}
		v, read := protowire.ConsumeVarint(packed[i:])
		if read < 0 {
			return read
		}
		out = append(out, uint32(v))
		i += read
	}
	*column = out
	return n
}

// lastColumn is the highest number of a field that is a column.
const lastColumn = 52

// column gives the column of a field, nil for a field that is none.
func column(m *pluginv1.Tags, number protowire.Number) *[]uint32 {
	switch number {
	case 10:
		return &m.DefName
	case 11:
		return &m.DefKind
	case 12:
		return &m.DefScope
	case 13:
		return &m.DefSignature
	case 14:
		return &m.DefDoc
	case 15:
		return &m.DefFlags
	case 16:
		return &m.DefStart
	case 17:
		return &m.DefSize
	case 18:
		return &m.DefStartRow
	case 19:
		return &m.DefRows
	case 20:
		return &m.DefNameStart
	case 30:
		return &m.RefName
	case 31:
		return &m.RefQualifier
	case 32:
		return &m.RefRole
	case 33:
		return &m.RefStart
	case 34:
		return &m.RefRow
	case 35:
		return &m.RefReceiverRef
	case 36:
		return &m.RefReceiver
	case 50:
		return &m.MemberScope
	case 51:
		return &m.MemberName
	case 52:
		return &m.MemberType
	}
	return nil
}

func checkColumns(m *pluginv1.Tags) error {
	size := uint32(len(m.Strings))
	if m.Package >= size {
		return errColumns
	}
	defs, refs := len(m.DefName), len(m.RefName)
	if !sameLength(defs, m.DefKind, m.DefScope, m.DefSignature, m.DefDoc, m.DefFlags, m.DefStart, m.DefSize,
		m.DefStartRow, m.DefRows, m.DefNameStart) || !sameLength(refs, m.RefQualifier, m.RefRole, m.RefStart, m.RefRow) {
		return errColumns
	}
	if !below(size, m.DefName, m.DefKind, m.DefScope, m.DefSignature, m.DefDoc, m.RefName, m.RefQualifier, m.RefRole) {
		return errColumns
	}
	if !sameLength(len(m.RefReceiverRef), m.RefReceiver) || !sameLength(len(m.MemberScope), m.MemberName, m.MemberType) ||
		!below(size, m.RefReceiver, m.MemberScope, m.MemberName, m.MemberType) {
		return errColumns
	}
	last := 0
	for _, delta := range m.RefReceiverRef {
		if last += int(delta); last >= refs || last < 0 {
			return errColumns
		}
	}
	return nil
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
