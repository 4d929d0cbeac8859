package handoff

import (
	"bytes"
	_ "embed" // the schema
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

//go:embed handoff.schema.json
var schemaText []byte

// Schema gives the JSON Schema of handoffs.
func Schema() []byte { return slices.Clone(schemaText) }

// compiled is the schema, made when it is first needed.
var compiled = sync.OnceValues(func() (*jsonschema.Schema, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schemaText))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	const name = "handoff.schema.json"
	if err := c.AddResource(name, doc); err != nil {
		return nil, err
	}
	return c.Compile(name)
})

// structure holds the value against the schema.
func (c *checker) structure(root any) {
	schema, err := compiled()
	if err != nil {
		c.fault(node{}, "the embedded schema cannot be read: %s; report this", err)
		return
	}
	var fault *jsonschema.ValidationError
	if err := schema.Validate(root); errors.As(err, &fault) {
		c.leaves(fault)
	}
}

// leaves takes the innermost faults: the outer ones only say that there are some.
func (c *checker) leaves(e *jsonschema.ValidationError) {
	for _, cause := range e.Causes {
		c.leaves(cause)
	}
	if len(e.Causes) > 0 {
		return
	}
	at := node{}
	for _, part := range e.InstanceLocation {
		at.at += "/" + escapePointer(part)
	}
	switch k := e.ErrorKind.(type) {
	case *kind.Required:
		for _, name := range k.Missing {
			c.fault(at.get(name), "it is missing")
		}
	case *kind.AdditionalProperties:
		for _, name := range k.Properties {
			c.fault(at.get(name), "the schema knows no such member")
		}
	case *kind.MaxItems:
		c.fault(at, "%d items, and at most %d are allowed", k.Got, k.Want)
	case *kind.MinLength:
		c.fault(at, "it is empty")
	case *kind.Const:
		c.fault(at, "it is %s and must be %s", quoted(k.Got), quoted(k.Want))
	case *kind.Enum:
		var want []string
		for _, w := range k.Want {
			want = append(want, fmt.Sprint(w))
		}
		c.fault(at, "%s is not one of %s", quoted(k.Got), strings.Join(want, ", "))
	default:
		c.fault(at, "%s", e.ErrorKind.LocalizedString(printer))
	}
}

var printer = message.NewPrinter(language.English)

// quoted shows a value of any type, cut to a line.
func quoted(v any) string {
	s, ok := v.(string)
	if !ok {
		return fmt.Sprint(v)
	}
	const most = 40
	if r := []rune(s); len(r) > most {
		s = string(r[:most]) + "…"
	}
	return fmt.Sprintf("%q", s)
}
