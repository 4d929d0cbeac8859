package pipeline

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"gopkg.in/yaml.v3"
)

// Print writes the effective pipeline as YAML: after extends and settings. Values that came from variables stay spelled as
// they were, so that none leaves the environment. Paths are relative to the folder of the pipeline file, whichever file
// they come from.
func (p *Pipeline) Print(w io.Writer) error {
	enc := yaml.NewEncoder(w)
	enc.SetIndent(2)
	pr := printer{dir: p.tree.doc.dir}
	if err := enc.Encode(pr.file(p.tree)); err != nil {
		return fmt.Errorf("print pipeline: %w", err)
	}
	return enc.Close()
}

// printer makes YAML of nodes.
type printer struct {
	// dir is what printed paths are relative to.
	dir string
}

// file prints the whole tree, without extends, which has been followed, and without empty values.
func (pr printer) file(tree *node) *yaml.Node {
	out := &yaml.Node{Kind: yaml.MappingNode}
	for _, f := range tree.fields {
		switch f.name {
		case "extends":
			continue
		case "source":
			pr.add(out, f, pr.source(f.value))
		case "languages", "stages":
			pr.add(out, f, pr.items(f.value))
		default:
			pr.add(out, f, pr.value(f.value))
		}
	}
	return out
}

func (pr printer) add(out *yaml.Node, f *field, value *yaml.Node) {
	out.Content = append(out.Content, pr.text(f.name), value)
}

func (pr printer) source(n *node) *yaml.Node {
	if n.kind != mappingNode {
		return pr.value(n)
	}
	out := &yaml.Node{Kind: yaml.MappingNode}
	for _, f := range n.fields {
		if f.name == "path" {
			pr.add(out, f, pr.path(f.value))
			continue
		}
		pr.add(out, f, pr.value(f.value))
	}
	return out
}

func (pr printer) items(n *node) *yaml.Node {
	out := &yaml.Node{Kind: yaml.SequenceNode}
	flow := true
	for _, item := range n.items {
		if item.kind == scalarNode {
			out.Content = append(out.Content, pr.use(item))
			continue
		}
		flow = false
		y := &yaml.Node{Kind: yaml.MappingNode}
		for _, f := range item.fields {
			if f.name == "use" {
				pr.add(y, f, pr.use(f.value))
				continue
			}
			pr.add(y, f, pr.value(f.value))
		}
		out.Content = append(out.Content, y)
	}
	if flow {
		out.Style = yaml.FlowStyle
	}
	return out
}

func (pr printer) use(n *node) *yaml.Node {
	if !isPath(n.text) {
		return pr.value(n)
	}
	return pr.path(n)
}

// path prints a path. One that comes from a file of another folder is told from here.
func (pr printer) path(n *node) *yaml.Node {
	rel, err := filepath.Rel(absolute(pr.dir), absolute(n.doc.dir))
	if n.kind != scalarNode || filepath.IsAbs(n.text) || err != nil || rel == "." {
		return pr.value(n)
	}
	moved := *n
	rel = strings.ReplaceAll(filepath.ToSlash(rel), "${", "$${")
	if n.spelled != "" {
		moved.spelled = rel + "/" + n.spelled
		return pr.value(&moved)
	}
	moved.text = filepath.ToSlash(filepath.Join(rel, n.text))
	if !isPath(moved.text) && isPath(n.text) {
		moved.text = "./" + moved.text
	}
	return pr.value(&moved)
}

// value prints any node.
func (pr printer) value(n *node) *yaml.Node {
	switch n.kind {
	case mappingNode:
		out := &yaml.Node{Kind: yaml.MappingNode}
		for _, f := range n.fields {
			pr.add(out, f, pr.value(f.value))
		}
		return out
	case listNode:
		out := &yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle}
		for _, item := range n.items {
			if item.kind != scalarNode {
				out.Style = 0
			}
			out.Content = append(out.Content, pr.value(item))
		}
		return out
	case nullNode:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Value: "null"}
	}
	return pr.scalar(n)
}

func (pr printer) scalar(n *node) *yaml.Node {
	switch {
	case n.spelled != "":
		return &yaml.Node{Kind: yaml.ScalarNode, Value: n.spelled}
	case n.tag == "!!str":
		return pr.text(strings.ReplaceAll(n.text, "${", "$${"))
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Value: n.text}
}

// text prints a string, in quotes where it would else be something else.
func (pr printer) text(s string) *yaml.Node {
	y := &yaml.Node{}
	y.SetString(s)
	return y
}
