package source

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"
	"unicode/utf16"
)

func utf16Bytes(order binary.AppendByteOrder, s string) []byte {
	var b []byte
	for _, u := range utf16.Encode([]rune("\ufeff" + s)) {
		b = order.AppendUint16(b, u)
	}
	return b
}

func TestDecode(t *testing.T) {
	noise := make([]byte, 4000)
	for i := range noise {
		noise[i] = byte(i*7 + 129)
		if noise[i] == 0 {
			noise[i] = 1
		}
	}
	tests := []struct {
		name    string
		raw     []byte
		text    string
		changed bool
		reason  SkipReason
	}{
		{name: "empty", raw: nil},
		{name: "plain", raw: []byte("a\nb\r\nc"), text: "a\nb\r\nc"},
		{name: "a UTF-8 mark stays", raw: []byte("\xef\xbb\xbfx"), text: "\xef\xbb\xbfx"},
		{name: "UTF-16, little end first", raw: utf16Bytes(binary.LittleEndian, "é\n𝄞x"), text: "é\n𝄞x", changed: true},
		{name: "UTF-16, big end first", raw: utf16Bytes(binary.BigEndian, "a\r\nb\rc"), text: "a\r\nb\nc", changed: true},
		{name: "UTF-16 with half a pair", raw: append(utf16Bytes(binary.LittleEndian, "twelve chars"), 0, 0xd8), text: "twelve chars\ufffd", changed: true},
		{name: "UTF-16 with an odd byte", raw: append(utf16Bytes(binary.LittleEndian, "twelve chars"), 'x'), text: "twelve chars\ufffd", changed: true},
		{name: "UTF-16 of nothing but halves", raw: append([]byte{0xff, 0xfe}, bytes.Repeat([]byte{0, 0xd8}, 50)...), reason: SkipInvalidEncoding},
		{name: "UTF-16 without a mark is binary", raw: []byte("a\x00b\x00"), reason: SkipBinary},
		{name: "UTF-32 is binary", raw: []byte("\xff\xfe\x00\x00a\x00\x00\x00"), reason: SkipBinary},
		{name: "a NUL", raw: []byte("x\x00y"), reason: SkipBinary},
		{name: "a NUL far down", raw: []byte(strings.Repeat("x", 8000) + "\x00"), text: strings.Repeat("x", 8000) + "\x00"},
		{name: "Latin-1", raw: []byte("// caf\xe9\nx := 1\n"), text: "// caf\xe9\nx := 1\n"},
		{name: "noise", raw: noise, reason: SkipInvalidEncoding},
		{name: "lone returns", raw: []byte("a\rb\r\nc\r\r\nd\r"), text: "a\nb\r\nc\n\r\nd\n", changed: true},
		{name: "other separators are no line breaks", raw: []byte("a\u2028b\fc\vd\u0085"), text: "a\u2028b\fc\vd\u0085"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			before := bytes.Clone(tt.raw)
			text, changed, reason := Decode(tt.raw)
			if string(text) != tt.text || changed != tt.changed || reason != tt.reason {
				t.Errorf("got %q, %v, %q; want %q, %v, %q", text, changed, reason, tt.text, tt.changed, tt.reason)
			}
			if !bytes.Equal(before, tt.raw) {
				t.Error("the raw bytes were changed")
			}
		})
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte("a\rb"))
	f.Add([]byte("\xff\xfea\x00\x00\xd8"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		text, changed, reason := Decode(raw)
		if reason != "" && text != nil || !changed && reason == "" && !bytes.Equal(text, raw) {
			t.Fatalf("text %q, changed %v, reason %q", text, changed, reason)
		}
		if reason == "" && hasLoneReturn(text) {
			t.Fatal("a lone return is left")
		}
	})
}
