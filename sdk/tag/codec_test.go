package tag

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"

	pluginv1 "github.com/repox-dev/repox/sdk/proto"
)

func sample() *File {
	return &File{
		Package: "p",
		Definitions: []Definition{
			{Name: "A", Kind: Struct, Signature: "type A struct", Doc: "A is.", Exported: true, Span: Span{10, 90, 1, 8}, NameStart: 15},
			{Name: "m", Kind: Method, Scope: "A", Signature: "func (A) m()", Span: Span{100, 120, 10, 10}, NameStart: 109},
		},
		References: []Reference{
			{Name: "Println", Qualifier: "fmt", Role: Call, Start: 105, Row: 10},
			{Name: "B", Qualifier: UnknownQualifier, Receiver: "A.next.!", Role: TypeUse, Start: 110, Row: 10},
			{Name: "C", Qualifier: UnknownQualifier, Role: Call, Start: 112, Row: 10},
			{Name: "D", Qualifier: UnknownQualifier, Receiver: "A", Role: Read, Start: 118, Row: 10},
		},
		Imports: []Import{
			{Module: "fmt", Row: 2},
			{Module: "x/y", Names: []string{"* as z"}, Local: "z", Row: 3},
			{Module: "x::w", Names: []string{"f"}, Row: 4, Implied: true},
		},
		Members: []Member{
			{Scope: "A", Name: "next", Type: "<A>"},
			{Scope: "A", Type: "Base"},
			{Name: "m", Type: ""},
		},
		Errors: []Span{{5, 6, 0, 0}},
	}
}

func TestDecodeGivesBackWhatWasEncoded(t *testing.T) {
	var e Encoder
	for range 2 { // a second time: the encoder's buffers must not carry over
		tags, imports, err := e.Encode(sample())
		if err != nil {
			t.Fatal(err)
		}
		got, err := Decode(tags, imports)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(sample(), got); diff != "" {
			t.Errorf("decoded differs (-want +got):\n%s", diff)
		}
	}
}

func TestEncodeSortsByPosition(t *testing.T) {
	f := sample()
	f.Definitions[0], f.Definitions[1] = f.Definitions[1], f.Definitions[0]
	f.References[0], f.References[1] = f.References[1], f.References[0]
	var e Encoder
	tags, imports, err := e.Encode(f)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Decode(tags, imports)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(sample(), got); diff != "" {
		t.Errorf("decoded differs (-want +got):\n%s", diff)
	}
}

func TestEncodeRepairsInvalidText(t *testing.T) {
	var e Encoder
	tags, _, err := e.Encode(&File{References: []Reference{{Name: "a\xffb", Role: Call}}})
	if err != nil {
		t.Fatal(err)
	}
	got, err := Decode(tags, nil)
	if err != nil {
		t.Fatal(err)
	}
	if name := got.References[0].Name; name != "a\uFFFDb" {
		t.Errorf("name = %q", name)
	}
}

func TestEncodeRefusesBackwardRange(t *testing.T) {
	var e Encoder
	if _, _, err := e.Encode(&File{Definitions: []Definition{{Name: "x", Span: Span{Start: 5, End: 4}}}}); err == nil {
		t.Error("no error")
	}
}

func FuzzDecode(f *testing.F) {
	var e Encoder
	tags, imports, _ := e.Encode(sample())
	f.Add(tags, imports)
	f.Add([]byte{0x52, 0x01, 0x05}, []byte(nil)) // a name outside the string table
	f.Fuzz(func(t *testing.T, tags, imports []byte) {
		file, err := Decode(tags, imports)
		if err == nil && file == nil {
			t.Error("neither file nor error")
		}
	})
}

func FuzzDecoderAgreesWithProtobuf(f *testing.F) {
	var e Encoder
	tags, _, _ := e.Encode(sample())
	f.Add(tags)
	f.Add([]byte{0x50, 0x00, 0x10, 0x00}) // a column that is not packed
	f.Fuzz(func(t *testing.T, tags []byte) {
		var d Decoder
		got, err := d.Columns(tags)
		var want pluginv1.Tags
		if proto.Unmarshal(tags, &want) != nil {
			if err == nil {
				t.Error("what is no message was read")
			}
			return
		}
		if len(want.Strings) == 0 {
			want.Strings = []string{""}
		}
		if want.ProtoReflect().SetUnknown(nil); err == nil && !proto.Equal(got, &want) {
			t.Errorf("got  %v\nwant %v", got, &want)
		}
	})
}

func TestADecoderKeepsNothingOfTheFileBefore(t *testing.T) {
	var e Encoder
	tags, _, err := e.Encode(sample())
	if err != nil {
		t.Fatal(err)
	}
	var d Decoder
	if _, err := d.Columns(tags); err != nil {
		t.Fatal(err)
	}
	m, err := d.Columns(nil)
	if err != nil || !proto.Equal(m, &pluginv1.Tags{Strings: []string{""}}) {
		t.Errorf("columns %v, error %v", m, err)
	}
}
