package tags

import (
	"errors"
	"fmt"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	pluginv1 "github.com/repox-dev/repox/sdk/proto"
	"github.com/repox-dev/repox/sdk/secrets"
)

// Numbers of the fields that the tables of encoded facts are looked for by.
const (
	tagsStrings    = 1 // Tags.strings
	importsImports = 1 // Imports.imports
	importModule   = 1 // Import.module
	importNames    = 2 // Import.names
	importLocal    = 4 // Import.local
)

// clean takes the secrets out of the result of a file, before it is stored or passed on. Hardly any has one: it is decoded
// only then.
func clean(rules *secrets.Policy, path string, r *pluginv1.FileResult) error {
	r.Redacted = nil
	if r.Skip != nil {
		r.Skip.Message = rules.Redact(path, r.Skip.Message)
		return nil
	}
	texts := appendFields(nil, r.Tags, tagsStrings)
	table := len(texts)
	eachField(r.Imports, importsImports, func(b []byte) {
		for _, number := range []protowire.Number{importModule, importNames, importLocal} {
			texts = appendFields(texts, b, number)
		}
	})
	changes := rules.Each(path, texts)
	if changes == nil {
		return nil
	}
	kinds := map[int]string{}
	for _, c := range changes {
		kinds[c.Index] = "a repetition of one in the same file"
		if len(c.Kinds) > 0 {
			kinds[c.Index] = strings.Join(c.Kinds, ", ")
		}
	}
	if err := cleanTags(r, texts[:table], kinds); err != nil {
		return err
	}
	return cleanImports(rules, path, r)
}

// cleanTags puts clean strings into the tags of r, and notes where they stand.
func cleanTags(r *pluginv1.FileResult, texts []string, kinds map[int]string) error {
	m := new(pluginv1.Tags)
	if err := proto.Unmarshal(r.Tags, m); err != nil {
		return fmt.Errorf("take secrets out of tags: %w", err)
	}
	if len(m.Strings) != len(texts) {
		return errors.New("take secrets out of tags: their table of strings cannot be read")
	}
	m.Strings = texts
	told := map[uint32]bool{}
	tell := func(line uint32, field string, values []uint32, i int) {
		if i < len(values) && kinds[int(values[i])] != "" {
			told[values[i]] = true
			note(r, line, field, kinds[int(values[i])])
		}
	}
	line := uint32(1)
	for i := range m.DefStartRow {
		line += m.DefStartRow[i]
		tell(line, "name", m.DefName, i)
		tell(line, "scope", m.DefScope, i)
		tell(line, "signature", m.DefSignature, i)
		tell(line, "doc", m.DefDoc, i)
	}
	line = 1
	for i := range m.RefRow {
		line += m.RefRow[i]
		tell(line, "name", m.RefName, i)
		tell(line, "qualifier", m.RefQualifier, i)
	}
	for i := range texts {
		if kinds[i] != "" && !told[uint32(i)] {
			note(r, 0, "tags", kinds[i])
		}
	}
	var err error
	r.Tags, err = proto.MarshalOptions{Deterministic: true}.Marshal(m)
	return err
}

// cleanImports does the same for imports.
func cleanImports(rules *secrets.Policy, path string, r *pluginv1.FileResult) error {
	m := new(pluginv1.Imports)
	if err := proto.Unmarshal(r.Imports, m); err != nil {
		return fmt.Errorf("take secrets out of imports: %w", err)
	}
	for _, i := range m.Imports {
		texts := append([]string{i.Module, i.Local}, i.Names...)
		for _, c := range rules.Each(path, texts) {
			note(r, i.Row+1, "import", strings.Join(c.Kinds, ", "))
		}
		i.Module, i.Local, i.Names = texts[0], texts[1], texts[2:]
	}
	var err error
	r.Imports, err = proto.MarshalOptions{Deterministic: true}.Marshal(m)
	return err
}

// note adds what was taken out in a line.
func note(r *pluginv1.FileResult, line uint32, field, kind string) {
	r.Redacted = append(r.Redacted, &pluginv1.Redacted{Line: line, Field: field, Kind: kind})
}

// appendFields adds the values of a repeated string field of an encoded message.
func appendFields(texts []string, message []byte, number protowire.Number) []string {
	eachField(message, number, func(b []byte) { texts = append(texts, string(b)) })
	return texts
}

// eachField calls f with each value of a field of an encoded message that is a string, bytes or a message. What cannot be
// decoded ends it; session.check has refused that before.
func eachField(message []byte, number protowire.Number, f func([]byte)) {
	for len(message) > 0 {
		n, kind, size := protowire.ConsumeTag(message)
		if size < 0 {
			return
		}
		message = message[size:]
		if n == number && kind == protowire.BytesType {
			value, length := protowire.ConsumeBytes(message)
			if length < 0 {
				return
			}
			f(value)
			message = message[length:]
			continue
		}
		length := protowire.ConsumeFieldValue(n, kind, message)
		if length < 0 {
			return
		}
		message = message[length:]
	}
}
