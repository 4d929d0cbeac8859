package redact

import (
	"context"
	"slices"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/repox-dev/repox/sdk/model"
	"github.com/repox-dev/repox/sdk/secrets"
)

// cleaner walks messages. It visits every string and every bytes field by reflection, so that a field added to a section
// later is covered without anyone thinking of it.
type cleaner struct {
	rules *secrets.Policy
	// found holds the secrets of each text that has any.
	found map[string][]secrets.Span
	// secrets are the values found anywhere, long and odd enough to be looked for without their context.
	secrets  map[string]bool
	findings []*model.Finding
	// replacer takes out secrets found elsewhere; nil if there are none.
	replacer *strings.Replacer
}

func newCleaner(rules *secrets.Policy) *cleaner {
	return &cleaner{rules: rules, found: map[string][]secrets.Span{}, secrets: map[string]bool{}}
}

// clean redacts messages in place: once to find every secret, once to replace.
func (c *cleaner) clean(ctx context.Context, messages []proto.Message) error {
	if err := walkAll(ctx, messages, c.look); err != nil || len(c.found) == 0 {
		return err
	}
	c.replacer = secrets.Replacer(c.secrets)
	return walkAll(ctx, messages, c.replace)
}

func walkAll(ctx context.Context, messages []proto.Message, visit visitor) error {
	for _, m := range messages {
		if err := walk(ctx, m.ProtoReflect(), &place{}, visit); err != nil {
			return err
		}
	}
	return nil
}

func (c *cleaner) look(at *place, text string) string {
	spans := c.rules.Find(string(at.path), text)
	if len(spans) == 0 {
		return text
	}
	c.found[text] = spans
	for _, s := range spans {
		if v := text[s.Start:s.End]; secrets.Distinctive(v) {
			c.secrets[v] = true
		}
	}
	return text
}

func (c *cleaner) replace(at *place, text string) string {
	out := text
	if spans := c.found[text]; spans != nil && !c.rules.Allows(string(at.path)) {
		out = secrets.Apply(text, spans)
	}
	if c.replacer != nil {
		out = c.replacer.Replace(out)
	}
	if out != text {
		c.tell(at, text)
	}
	return out
}

// tell notes what was taken out of a text, and on which line if it has many, without saying anything of its value.
func (c *cleaner) tell(at *place, text string) {
	type entry struct {
		line uint32
		kind string
	}
	var told []entry
	for _, s := range c.found[text] {
		e := entry{at.line, s.Rule}
		if at.line == 0 && len(at.path) > 0 {
			e.line = uint32(1 + strings.Count(text[:s.Start], "\n"))
		}
		if !slices.Contains(told, e) {
			told = append(told, e)
		}
	}
	if told == nil {
		told = []entry{{at.line, "found elsewhere in the same answer"}}
	}
	for _, e := range told {
		c.findings = append(c.findings, &model.Finding{
			Kind: model.FindingRedaction, Code: "redacted_secret", Message: "a secret was taken out: " + e.kind,
			Path: at.path, Line: e.line, Field: at.field,
		})
	}
}

// place is where in the answer a string stands.
type place struct {
	path  []byte
	line  uint32
	field string
}

type visitor func(at *place, text string) string

// walk visits the strings of m and puts back what the visitor makes of them. The message's own path and line, if it has
// them, are those of all that it holds; the path is visited first, so that what is said of the rest is clean too.
func walk(ctx context.Context, m protoreflect.Message, at *place, visit visitor) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	here := *at
	fields := m.Descriptor().Fields()
	for _, name := range []protoreflect.Name{"line_start", "line"} {
		if f := fields.ByName(name); f != nil && f.Kind() == protoreflect.Uint32Kind {
			here.line = uint32(m.Get(f).Uint())
		}
	}
	if f := fields.ByName("path"); f != nil && f.Kind() == protoreflect.BytesKind {
		here.path = nil
		visitField(m, f, &here, visit)
		here.path = m.Get(f).Bytes()
	}
	for i := range fields.Len() {
		f := fields.Get(i)
		if f.Name() == "path" || !m.Has(f) {
			continue
		}
		if err := walkField(ctx, m, f, &here, visit); err != nil {
			return err
		}
	}
	return nil
}

func walkField(ctx context.Context, m protoreflect.Message, f protoreflect.FieldDescriptor, at *place, visit visitor) error {
	switch {
	case f.IsMap():
		walkMap(m.Mutable(f).Map(), f, at, visit)
	case f.IsList() && f.Message() != nil:
		list := m.Mutable(f).List()
		for i := range list.Len() {
			if err := walk(ctx, list.Get(i).Message(), at, visit); err != nil {
				return err
			}
		}
	case f.IsList():
		list := m.Mutable(f).List()
		for i := range list.Len() {
			list.Set(i, visitValue(list.Get(i), f, at, visit))
		}
	case f.Message() != nil:
		return walk(ctx, m.Mutable(f).Message(), at, visit)
	default:
		visitField(m, f, at, visit)
	}
	return nil
}

func visitField(m protoreflect.Message, f protoreflect.FieldDescriptor, at *place, visit visitor) {
	if f.Kind() == protoreflect.StringKind || f.Kind() == protoreflect.BytesKind {
		m.Set(f, visitValue(m.Get(f), f, at, visit))
	}
}

func visitValue(v protoreflect.Value, f protoreflect.FieldDescriptor, at *place, visit visitor) protoreflect.Value {
	there := *at
	there.field = string(f.Name())
	switch f.Kind() {
	case protoreflect.StringKind:
		return protoreflect.ValueOfString(visit(&there, v.String()))
	case protoreflect.BytesKind:
		return protoreflect.ValueOfBytes([]byte(visit(&there, string(v.Bytes()))))
	}
	return v
}

// walkMap visits keys and values; keys that become equal are one.
func walkMap(m protoreflect.Map, f protoreflect.FieldDescriptor, at *place, visit visitor) {
	if f.MapKey().Kind() != protoreflect.StringKind {
		return
	}
	there := *at
	there.field = string(f.Name())
	m.Range(func(k protoreflect.MapKey, v protoreflect.Value) bool {
		if f.MapValue().Kind() == protoreflect.StringKind {
			v = protoreflect.ValueOfString(visit(&there, v.String()))
			m.Set(k, v)
		}
		if clean := visit(&there, k.String()); clean != k.String() {
			m.Clear(k)
			m.Set(protoreflect.ValueOfString(clean).MapKey(), v)
		}
		return true
	})
}
