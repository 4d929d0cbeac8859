package treesitter

// maxVariants bounds what the alternations of one pattern may multiply to; beyond it the general engine is used.
const maxVariants = 256

// variant is a pattern without alternations and optional nodes.
type variant struct {
	root *queryNode
	// spare: what it finds only counts where no variant with the optional nodes found the same name.
	spare bool
}

// variants spreads the alternations and optional nodes of a pattern. The variants with all optional nodes come first.
// It gives nil where the pattern needs the general engine.
func variants(p queryPattern) []variant {
	if p.special != "" || p.root == nil || p.root.optional {
		return nil
	}
	full := spread(p.root, false)
	lean := spread(p.root, true)
	if full == nil || lean == nil || len(full)+len(lean) > maxVariants {
		return nil
	}
	var out []variant
	for _, n := range full {
		out = append(out, variant{root: n})
	}
	if hasOptional(p.root) {
		for _, n := range lean {
			out = append(out, variant{root: n, spare: true})
		}
	}
	return out
}

// spread gives the trees that n stands for, with all optional nodes or with none; nil if they are too many. A mixture,
// some optional nodes and not others, is not matched: queries that need one write two patterns.
func spread(n *queryNode, lean bool) []*queryNode {
	if n.kind == choiceNode {
		var out []*queryNode
		for _, c := range n.choices {
			merged := *c
			merged.captures = append(append([]string{}, c.captures...), n.captures...)
			if merged.field == "" {
				merged.field = n.field
			}
			branch := spread(&merged, lean)
			if branch == nil || len(out)+len(branch) > maxVariants {
				return nil
			}
			out = append(out, branch...)
		}
		return out
	}
	base := *n
	base.children = nil
	out := []*queryNode{&base}
	for _, c := range n.children {
		if c.optional && lean {
			continue
		}
		branch := spread(c, lean)
		if branch == nil || len(out)*len(branch) > maxVariants {
			return nil
		}
		out = product(out, branch)
	}
	return out
}

// product adds each child to a copy of each node.
func product(nodes, children []*queryNode) []*queryNode {
	var out []*queryNode
	for _, n := range nodes {
		for _, c := range children {
			grown := *n
			grown.children = append(append([]*queryNode{}, n.children...), c)
			out = append(out, &grown)
		}
	}
	return out
}

func hasOptional(n *queryNode) bool {
	for _, c := range n.children {
		if c.optional || hasOptional(c) {
			return true
		}
	}
	return false
}
