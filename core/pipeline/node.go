package pipeline

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"github.com/repox-dev/repox/core/diag"
)

type nodeKind int

const (
	scalarNode nodeKind = iota
	mappingNode
	listNode
	nullNode
)

func (k nodeKind) String() string {
	return [...]string{"a value", "a mapping", "a list", "nothing"}[k]
}

// document is a file, for the places of its nodes.
type document struct {
	name string
	// dir is what paths in it are relative to.
	dir   string
	lines []string
}

// node is a value of the pipeline with its place. Unlike yaml.Node it can be merged from several files.
type node struct {
	doc          *document
	line, column int
	width        int
	kind         nodeKind
	fields       []*field
	items        []*node
	// text is the value of a scalar, spelled what stood in the file when a variable was replaced in it.
	text, spelled string
	// tag is the YAML type of a scalar: !!str, !!int, !!float, !!bool.
	tag string
	// quoted scalars are strings whatever they hold; loose ones, from the command line or from variables, take the type
	// that is wanted.
	quoted, loose bool
	// literal values hold no variables, whatever they look like: they come from the command line, where the shell has
	// its own.
	literal bool
	// broken: an error has been told, and what else is wrong with the value follows from it.
	broken bool
}

type field struct {
	name  string
	key   *node
	value *node
}

func (n *node) field(name string) *field {
	if n == nil || n.kind != mappingNode {
		return nil
	}
	for _, f := range n.fields {
		if f.name == name {
			return f
		}
	}
	return nil
}

func (n *node) place() diag.Place {
	p := diag.Place{File: n.doc.name, Line: n.line, Column: n.column, Width: n.width}
	if n.line >= 1 && n.line <= len(n.doc.lines) {
		p.Text = n.doc.lines[n.line-1]
	}
	return p
}

// typeName says for messages what a node is.
func (n *node) typeName() string {
	if n.kind != scalarNode {
		return n.kind.String()
	}
	switch n.tag {
	case "!!int":
		return "an integer"
	case "!!float":
		return "a number"
	case "!!bool":
		return "a boolean"
	}
	return "a string"
}

// Bounds of a file: what is beyond is no pipeline but an accident or an attack.
const (
	maxBytes   = 1 << 20
	maxDepth   = 40
	maxNodes   = 20_000
	maxExtends = 16
)

// converter turns YAML nodes into nodes.
type converter struct {
	l     *loader
	doc   *document
	count int
	// over: a bound was passed, and what follows is not looked at.
	over bool
}

func (c *converter) convert(y *yaml.Node, depth int) *node {
	n := &node{doc: c.doc, line: y.Line, column: y.Column, width: utf8.RuneCountInString(firstLine(y.Value))}
	if y.Kind == yaml.AliasNode {
		return c.alias(y, n, depth)
	}
	if y.Style&yaml.TaggedStyle != 0 && !c.over {
		c.l.errorf(n, "tags such as %s are not supported; a value in quotes is a string", quote(y.Tag))
		n.broken = true
	}
	c.count++
	if depth > maxDepth || c.count > maxNodes {
		if !c.over {
			c.l.errorf(n, "the file is nested more than %d levels deep, or has more than %d values", maxDepth, maxNodes)
		}
		c.over = true
	}
	if c.over {
		n.kind = nullNode
		return n
	}
	switch y.Kind {
	case yaml.MappingNode:
		n.kind = mappingNode
		c.mapping(n, y, depth)
	case yaml.SequenceNode:
		n.kind = listNode
		for _, item := range y.Content {
			n.items = append(n.items, c.convert(item, depth+1))
		}
	default:
		n.text, n.tag = y.Value, scalarTag(y)
		n.quoted = y.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) != 0
		if n.quoted {
			n.width += 2
		}
		if n.tag == "!!null" {
			n.kind = nullNode
		}
	}
	return n
}

// scalarTag gives the type of a scalar by the core schema of YAML 1.2, which knows neither dates nor merge keys.
func scalarTag(y *yaml.Node) string {
	switch tag := y.ShortTag(); tag {
	case "!!int", "!!float", "!!bool", "!!null":
		return tag
	}
	return "!!str"
}

// alias stands for what it names; the place stays that of the alias.
func (c *converter) alias(y *yaml.Node, n *node, depth int) *node {
	out := c.convert(y.Alias, depth+1)
	if out.kind == scalarNode || out.kind == nullNode {
		out.line, out.column, out.width = n.line, n.column, len(y.Value)+1
	}
	return out
}

func (c *converter) mapping(n *node, y *yaml.Node, depth int) {
	for i := 0; i+1 < len(y.Content) && !c.over; i += 2 {
		key := c.convert(y.Content[i], depth+1)
		value := c.convert(y.Content[i+1], depth+1)
		switch {
		case c.over:
			return
		case key.kind != scalarNode:
			c.l.errorf(key, "a key must be a word, found %s", key.typeName())
			continue
		case key.text == "<<" && !key.quoted:
			c.l.errorf(key, "merge keys are not supported; write the keys out, or use extends")
			continue
		}
		if first := n.field(key.text); first != nil {
			d := c.l.errorf(key, "key %s is given twice", quote(key.text))
			d.Notes = append(d.Notes, diag.Note{Message: "first given here", Place: first.key.place()})
			continue
		}
		n.fields = append(n.fields, &field{name: key.text, key: key, value: value})
	}
}

// said is what messages call a scalar. What a variable gave is not shown: it may be a secret.
func (n *node) said() string {
	if n.spelled != "" {
		return n.spelled
	}
	return n.text
}

// longest is how much of a value a message repeats. A longer one is left out whole, not cut: half a secret is not
// recognised as one any more when the message is redacted.
const longest = 80

// quote makes a piece of a file fit for a message.
func quote(s string) string {
	if n := utf8.RuneCountInString(s); n > longest {
		return fmt.Sprintf(`"…" (%d characters)`, n)
	}
	return strconv.Quote(s)
}

// cut is quote without the quotes.
func cut(s string) string {
	if utf8.RuneCountInString(s) > longest {
		return "…"
	}
	return s
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// index gives the list index that a word is, -1 if it is none.
func index(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return -1
	}
	return n
}

// loosen makes a scalar whose text did not stand in the file take the type that is wanted.
func (n *node) loosen() {
	n.loose, n.quoted = true, false
	n.tag = scalarTag(&yaml.Node{Kind: yaml.ScalarNode, Value: n.text})
	if n.tag == "!!null" {
		n.tag = "!!str"
	}
}
