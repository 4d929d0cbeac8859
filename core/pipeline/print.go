package pipeline

import (
	"fmt"
	"io"
	"strconv"

	"gopkg.in/yaml.v3"
)

// Print writes the effective pipeline as YAML: after extends and settings. Values that came from variables stay spelled as
// they were, so that none leaves the environment.
func (p *Pipeline) Print(w io.Writer) error {
	enc := yaml.NewEncoder(w)
	enc.SetIndent(2)
	if err := enc.Encode(toYAML(p.tree)); err != nil {
		return fmt.Errorf("print pipeline: %w", err)
	}
	return enc.Close()
}

func toYAML(n *node) *yaml.Node {
	switch n.kind {
	case mappingNode:
		out := &yaml.Node{Kind: yaml.MappingNode}
		for _, f := range n.fields {
			if f.name == "extends" {
				continue // it has been followed
			}
			out.Content = append(out.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: f.name}, toYAML(f.value))
		}
		return out
	case listNode:
		out := &yaml.Node{Kind: yaml.SequenceNode}
		for _, item := range n.items {
			out.Content = append(out.Content, toYAML(item))
		}
		if flat(n) {
			out.Style = yaml.FlowStyle
		}
		return out
	case nullNode:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Value: "null"}
	}
	out := &yaml.Node{Kind: yaml.ScalarNode, Value: n.text, Tag: n.tag}
	if n.spelled != "" {
		out.Value = n.spelled
	}
	if n.tag == "!!int" || n.tag == "!!float" || n.tag == "!!bool" || n.spelled != "" {
		out.Tag = ""
	}
	if n.quoted && n.spelled != "" {
		out.Value, out.Style = n.spelled, yaml.DoubleQuotedStyle
	}
	if n.tag == "!!str" && n.spelled == "" && !n.quoted {
		if _, err := strconv.ParseFloat(n.text, 64); err == nil {
			out.Style = yaml.DoubleQuotedStyle
		}
	}
	return out
}

func flat(n *node) bool {
	for _, item := range n.items {
		if item.kind != scalarNode {
			return false
		}
	}
	return true
}
