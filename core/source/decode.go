package source

import (
	"bytes"
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"
)

// binaryProbe is how far a NUL byte is looked for, as git does.
const binaryProbe = 8000

// Decode turns the bytes of a file into text: UTF-8 where the file is UTF-8 or, by its byte order mark, UTF-16.
// Other bytes pass as they are, for a Latin-1 name in a comment does not hinder a parser. A carriage return without
// a line feed becomes a line feed, so that lines count as in an editor and no offset moves. A UTF-8 byte order mark stays.
//
// changed says that the text is not the raw bytes, and so that offsets in it may not be offsets in the file; otherwise
// text is raw itself. With a reason there is no text.
func Decode(raw []byte) (text []byte, changed bool, reason SkipReason) {
	text = raw
	if order := utf16Order(raw); order != nil {
		text, reason = decodeUTF16(raw[2:], order)
		if reason != "" {
			return nil, false, reason
		}
		changed = true
	}
	if bytes.IndexByte(text[:min(len(text), binaryProbe)], 0) >= 0 {
		return nil, false, SkipBinary
	}
	if beyondRepair(text) {
		return nil, false, SkipInvalidEncoding
	}
	if hasLoneReturn(text) {
		if !changed {
			text = bytes.Clone(text)
		}
		replaceLoneReturns(text)
		changed = true
	}
	return text, changed, ""
}

func utf16Order(raw []byte) binary.ByteOrder {
	switch {
	case len(raw) < 2:
		return nil
	case raw[0] == 0xff && raw[1] == 0xfe:
		return binary.LittleEndian
	case raw[0] == 0xfe && raw[1] == 0xff:
		return binary.BigEndian
	}
	return nil
}

// decodeUTF16 turns half pairs and a last odd byte into replacement characters, unless that is most of the text.
func decodeUTF16(raw []byte, order binary.ByteOrder) ([]byte, SkipReason) {
	text := make([]byte, 0, len(raw)/2+len(raw)/8)
	faults := 0
	for i := 0; i+1 < len(raw); i += 2 {
		r := rune(order.Uint16(raw[i:]))
		if utf16.IsSurrogate(r) {
			low := rune(utf8.RuneError)
			if i+3 < len(raw) {
				low = rune(order.Uint16(raw[i+2:]))
			}
			if r = utf16.DecodeRune(r, low); r == utf8.RuneError {
				faults++
			} else {
				i += 2
			}
		}
		text = utf8.AppendRune(text, r)
	}
	if len(raw)%2 == 1 {
		text = utf8.AppendRune(text, utf8.RuneError)
	}
	if faults*10 > len(raw)/2 {
		return nil, SkipInvalidEncoding
	}
	return text, ""
}

// beyondRepair tells text in some unknown encoding, which parses well enough, from bytes that are no text at all:
// too many control characters, or too few bytes that mean something.
func beyondRepair(text []byte) bool {
	probe := text[:min(len(text), binaryProbe)]
	if utf8.Valid(probe) && bytes.IndexFunc(probe, isOddControl) < 0 {
		return false
	}
	control, invalid := 0, 0
	for i := 0; i < len(probe); {
		r, size := utf8.DecodeRune(probe[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			invalid++
		case isOddControl(r):
			control++
		}
		i += size
	}
	return control*10 > len(probe) || invalid*10 > 4*len(probe)
}

// isOddControl knows the control characters that sources do not hold: neither white space nor the escape of terminals.
func isOddControl(r rune) bool {
	return r < 0x20 && (r < '\b' || r > '\r') && r != 0x1b || r == 0x7f
}

func hasLoneReturn(text []byte) bool {
	for {
		i := bytes.IndexByte(text, '\r')
		if i < 0 {
			return false
		}
		if i+1 == len(text) || text[i+1] != '\n' {
			return true
		}
		text = text[i+2:]
	}
}

func replaceLoneReturns(text []byte) {
	for i, c := range text {
		if c == '\r' && (i+1 == len(text) || text[i+1] != '\n') {
			text[i] = '\n'
		}
	}
}
