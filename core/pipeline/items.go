package pipeline

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"github.com/repox-dev/repox/core/diag"
	pluginv1 "github.com/repox-dev/repox/sdk/proto"
)

// items reads the list of languages or stages; known tells whether every item names a component.
func (l *loader) items(n *node, pack bool) (out []Item, known bool) {
	if n.kind != listNode {
		l.mismatch(n, "a list")
		return nil, false
	}
	if !pack && len(n.items) == 0 {
		l.errorf(n, "the list of stages is empty; a pipeline needs at least a report")
		return nil, false
	}
	known = true
	seen := map[string]*node{}
	place := map[string]int{} // of a pack in out
	for _, item := range n.items {
		it, use := l.item(item, pack)
		if it == nil {
			known = false
			continue
		}
		if pack {
			// A pack twice would claim the same files twice; a stage may well run twice.
			if first := seen[it.Component.Name]; first != nil {
				if out[place[it.Component.Name]].join(it) {
					continue
				}
				d := l.errorf(use, "language pack %s stands here twice", it.Component.Name)
				d.Notes = append(d.Notes, diag.Note{Message: "first named here", Place: first.place()})
				continue
			}
			seen[it.Component.Name] = use
			place[it.Component.Name] = len(out)
		}
		out = append(out, *it)
	}
	return out, known
}

var itemKeys = []*keySpec{{name: "use", kind: stringValue}, {name: "with", kind: mappingValue}}

// item reads one item; use is the node that names the component.
func (l *loader) item(n *node, pack bool) (it *Item, use *node) {
	use, with := n, (*node)(nil)
	switch n.kind {
	case mappingNode:
		l.knownKeys(n, itemKeys)
		with = l.with(n)
		f := n.field("use")
		if f == nil {
			l.errorf(n, "this item does not say what it is; add `use: NAME` or `use: ./PATH`")
			return nil, nil
		}
		use = f.value
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
	if pack {
		it.Languages = it.Component.Pack.Languages
		if only := it.named(name); len(only) > 0 {
			it.Languages = only
		}
	}
	it.With = l.options(it, use, with)
	return it, use
}

// join adds the languages of another item of the same pack, as in [typescript, javascript]. That is no mistake as long as
// neither has options and they name different languages.
func (i *Item) join(other *Item) bool {
	all := union(slices.Clone(i.Languages), other.Languages)
	if i.with != nil || other.with != nil || len(all) != len(i.Languages)+len(other.Languages) {
		return false
	}
	i.Languages = all
	return true
}

// with gives the options of an item, nil if it has none.
func (l *loader) with(item *node) *node {
	f := item.field("with")
	if f == nil || f.value.kind == nullNode {
		return nil
	}
	if f.value.kind != mappingNode {
		l.mismatch(f.value, "a mapping of options")
		return nil
	}
	return f.value
}

// component finds what an item names and notes if there is no such thing.
func (l *loader) component(it *Item, use *node, pack bool) *pluginv1.Component {
	if isPath(it.Use) {
		return l.external(it, use, pack)
	}
	c := l.opts.Catalog.find(it.Use, pack)
	what := "stage"
	if pack {
		what = "language pack"
	}
	switch {
	case c == nil:
		l.unknown(use, what, use.said(), l.opts.Catalog.names(pack))
		return nil
	case (c.Pack != nil) != pack:
		l.errorf(use, "%s is no %s; it belongs under `%s`", use.said(), what, home(c))
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

// isPath tells whether what stands in `use` is the path of an executable; else it is the name of a built-in component.
func isPath(use string) bool {
	return strings.ContainsAny(use, "/\\") || strings.HasPrefix(use, ".")
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
	var names, fittingNames []string
	for _, c := range all {
		names = append(names, c.Name)
		if (c.Pack != nil) != pack {
			continue
		}
		fittingNames = append(fittingNames, c.Name)
		if want == "" || c.Name == want {
			fitting = append(fitting, c)
		}
	}
	other := slices.IndexFunc(all, func(c *pluginv1.Component) bool { return c.Name == want })
	switch {
	case len(fitting) == 1:
		return fitting[0]
	case len(fitting) > 1:
		l.errorf(use, "%s holds several components; say which one, as in %s#%s", path, cut(use.said()), fittingNames[0])
	case other >= 0:
		l.errorf(use, "%s belongs under `%s`", want, home(all[other]))
	case len(fittingNames) > 0:
		l.unknown(use, "component", want, fittingNames)
	default:
		l.errorf(use, "%s holds nothing for this list; it has %s, for `%s`", path, list(names), home(all[0]))
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
			l.errorf(use, "%s needs the option %q: %s", it.Component.Name, o.Name, strings.TrimSuffix(o.Doc, "."))
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
		l.errorf(n, "%s must be at least %v, found %s", o.Name, *o.Min, n.said())
	case o.Max != nil && v > *o.Max:
		l.errorf(n, "%s must be at most %v, found %s", o.Name, *o.Max, n.said())
	default:
		return true
	}
	return false
}
