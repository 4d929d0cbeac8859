package pipeline

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"github.com/repox-dev/repox/core/diag"
	pluginv1 "github.com/repox-dev/repox/sdk/proto"
)

// items reads the list of languages or stages.
func (l *loader) items(n *node, pack bool) []Item {
	if n.kind != listNode {
		l.mismatch(n, "a list")
		return nil
	}
	if !pack && len(n.items) == 0 {
		l.errorf(n, "the list of stages is empty; a pipeline needs at least a report")
	}
	var out []Item
	seen := map[string]*node{}
	for _, item := range n.items {
		it, use := l.item(item, pack)
		if it == nil {
			continue
		}
		if pack {
			// A pack twice would claim the same files twice; a stage may well run twice.
			if first := seen[it.Component.Name]; first != nil {
				d := l.errorf(use, "language pack %s stands here twice", it.Component.Name)
				d.Notes = append(d.Notes, diag.Note{Message: "first named here", Place: first.place()})
				continue
			}
			seen[it.Component.Name] = use
		}
		out = append(out, *it)
	}
	return out
}

var itemKeys = []*keySpec{{name: "use", kind: stringValue}, {name: "with", kind: mappingValue}}

// item reads one item; use is the node that names the component.
func (l *loader) item(n *node, pack bool) (it *Item, use *node) {
	use, with := n, (*node)(nil)
	switch n.kind {
	case mappingNode:
		l.knownKeys(n, itemKeys)
		f := n.field("use")
		if f == nil {
			l.errorf(n, "this item does not say what it is; add `use: NAME` or `use: ./PATH`")
			return nil, nil
		}
		use = f.value
		if w := n.field("with"); w != nil && w.value.kind != nullNode {
			if with = w.value; with.kind != mappingNode {
				l.mismatch(with, "a mapping of options")
				return nil, nil
			}
		}
	case scalarNode:
	default:
		l.mismatch(n, "a name or {use, with}")
		return nil, nil
	}
	name, ok := l.str(use)
	if !ok {
		return nil, nil
	}
	it = &Item{Use: name, Place: use.place(), with: with}
	if it.Component = l.component(it, use, pack); it.Component == nil {
		return nil, nil
	}
	it.With = l.options(it, use, with)
	return it, use
}

// component finds what an item names and notes if there is no such thing.
func (l *loader) component(it *Item, use *node, pack bool) *pluginv1.Component {
	if strings.ContainsAny(it.Use, "/\\") || strings.HasPrefix(it.Use, ".") {
		return l.external(it, use, pack)
	}
	c := l.opts.Catalog.find(it.Use, pack)
	what := "stage"
	if pack {
		what = "language pack"
	}
	switch {
	case c == nil:
		l.unknown(use, what, it.Use, l.opts.Catalog.names(pack))
		return nil
	case (c.Pack != nil) != pack:
		l.errorf(use, "%s is no %s; it belongs under `%s`", it.Use, what, home(c))
		return nil
	}
	return c
}

// home is the key whose list a component belongs into.
func home(c *pluginv1.Component) string {
	if c.Pack != nil {
		return "languages"
	}
	return "stages"
}

func (l *loader) external(it *Item, use *node, pack bool) *pluginv1.Component {
	path, want, _ := strings.Cut(it.Use, "#")
	if !filepath.IsAbs(path) {
		path = filepath.Join(use.doc.dir, path)
	}
	it.Path = absolute(path)
	all, err := l.opts.Catalog.ofExecutable(l.ctx, it.Path)
	if err != nil {
		l.errorf(use, "%v", err).Cause = err
		return nil
	}
	var fitting []*pluginv1.Component
	var names []string
	for _, c := range all {
		if (c.Pack != nil) == pack && (want == "" || c.Name == want) {
			fitting = append(fitting, c)
		}
		names = append(names, c.Name)
	}
	switch {
	case len(fitting) == 1:
		return fitting[0]
	case len(fitting) == 0 && want != "":
		l.unknown(use, "component", want, names)
	case len(fitting) == 0:
		l.errorf(use, "%s holds nothing for this list; it has %s, for `%s`", path, list(names), home(all[0]))
	default:
		l.errorf(use, "%s holds several components; say which one, as in %s#%s", path, it.Use, names[0])
	}
	return nil
}

// options checks a with: block against the component's declarations and fills in the defaults.
func (l *loader) options(it *Item, use, with *node) map[string]any {
	values := map[string]any{}
	var names []string
	for _, o := range it.Component.Options {
		names = append(names, o.Name)
		f := with.field(o.Name)
		switch {
		case f != nil:
			if v, ok := l.option(o, f.value); ok {
				values[o.Name] = v
			}
		case o.Required:
			l.errorf(use, "%s needs the option %q: %s", it.Component.Name, o.Name, o.Doc)
		case o.DefaultJson != "":
			var v any
			if err := json.Unmarshal([]byte(o.DefaultJson), &v); err == nil {
				values[o.Name] = v
			}
		}
	}
	if with == nil {
		return values
	}
	for _, f := range with.fields {
		if !slices.Contains(names, f.name) {
			l.unknown(f.key, "option", f.name, names)
		}
	}
	return values
}

func (l *loader) option(o *pluginv1.Option, n *node) (any, bool) {
	switch o.Type {
	case pluginv1.Option_TYPE_INT:
		v, ok := l.integer(n)
		return v, ok && l.inBounds(o, n, float64(v))
	case pluginv1.Option_TYPE_FLOAT:
		v, ok := l.number(n)
		return v, ok && l.inBounds(o, n, v)
	case pluginv1.Option_TYPE_BOOL:
		return first(l.boolean(n))
	case pluginv1.Option_TYPE_STRING_LIST:
		return l.stringList(o, n)
	}
	if len(o.Values) > 0 {
		return first(l.enum(n, o.Values))
	}
	return first(l.str(n))
}

// first makes a value of any type of a typed one.
func first[T any](v T, ok bool) (any, bool) { return v, ok }

func (l *loader) stringList(o *pluginv1.Option, n *node) (any, bool) {
	v, ok := l.strs(n)
	if v == nil {
		v = []string{}
	}
	if !ok || len(o.Values) == 0 {
		return v, ok
	}
	for _, item := range n.items {
		if _, fine := l.enum(item, o.Values); !fine {
			ok = false
		}
	}
	return v, ok
}

func (l *loader) inBounds(o *pluginv1.Option, n *node, v float64) bool {
	switch {
	case o.Min != nil && v < *o.Min:
		l.errorf(n, "%s must be at least %v, found %s", o.Name, *o.Min, n.text)
	case o.Max != nil && v > *o.Max:
		l.errorf(n, "%s must be at most %v, found %s", o.Name, *o.Max, n.text)
	default:
		return true
	}
	return false
}
