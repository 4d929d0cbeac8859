package pipeline

import (
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/repox-dev/repox/core/diag"
)

// settingsName is the file name in the places of settings.
const settingsName = "--set"

// applySettings puts the settings of the command line into the tree.
func (l *loader) applySettings(tree *node) {
	for _, text := range l.opts.Set {
		s := &setting{l: l, tree: tree, doc: &document{name: settingsName, dir: ".", lines: []string{text}}, text: text}
		s.apply()
	}
}

// setting is one --set on its way; its argument is a document of one line.
type setting struct {
	l    *loader
	tree *node
	doc  *document
	text string
}

// step is a word of a setting's path, with its offset in the argument.
type step struct {
	text string
	at   int
}

// node makes a node for a piece of the argument.
func (s *setting) node(kind nodeKind, at int, text string) *node {
	return &node{
		doc: s.doc, line: 1, column: utf8.RuneCountInString(s.text[:at]) + 1, width: utf8.RuneCountInString(text),
		kind: kind, text: text, tag: "!!str", literal: true,
	}
}

func (s *setting) fault(at step, format string, args ...any) *diag.Diagnostic {
	return s.l.errorf(s.node(scalarNode, at.at, at.text), format, args...)
}

func (s *setting) apply() {
	whole := step{text: s.text}
	left, value, ok := strings.Cut(s.text, "=")
	if !ok || left == "" {
		s.fault(whole, "a setting has the form stage.option=value, or key=value for a key of the pipeline")
		return
	}
	v := s.node(scalarNode, len(left)+1, value)
	v.loosen()
	path := steps(left, 0)
	switch top := path[0].text; {
	case slices.Contains([]string{"version", "extends", "stages", "languages"}, top):
		s.fault(path[0], "%s cannot be set here; write it into a pipeline file", top)
	case keySpecs[top] != nil:
		s.put(s.tree, path, v)
	default:
		s.option(left, v)
	}
}

// option sets an option of a stage or pack.
func (s *setting) option(left string, value *node) {
	found, name := s.items(left)
	if len(found) == 0 {
		s.unknown(steps(left, 0)[0])
		return
	}
	tail, i := left[len(name):], 0
	if m := which.FindStringSubmatch(tail); m != nil {
		tail = tail[len(m[0]):]
		n, err := strconv.Atoi(m[1])
		if err != nil || n < 1 || n > len(found) {
			s.fault(step{text: name + m[0]}, "%s stands in the pipeline %s; there is no %s%s", name, times(len(found)), name, cut(m[0]))
			return
		}
		i = n - 1
	} else if len(found) > 1 {
		s.fault(step{text: name}, "%s stands in the pipeline %s; say which one, as in %s[2].%s", name, times(len(found)), name, optionOf(tail))
		return
	}
	option, ok := strings.CutPrefix(tail, ".")
	if !ok {
		s.fault(step{text: left}, "name the option too, as in %s.option=value", name)
		return
	}
	path := append([]step{{text: "with"}}, steps(option, len(left)-len(option))...)
	s.put(found[i].mapping(), path, value)
}

func steps(path string, at int) []step {
	var out []step
	for word := range strings.SplitSeq(path, ".") {
		out = append(out, step{text: word, at: at})
		at += len(word) + 1
	}
	return out
}

// put sets the value at a path of keys below n and makes the mappings on the way.
func (s *setting) put(n *node, path []step, value *node) {
	for i, p := range path {
		key := s.node(scalarNode, p.at, p.text)
		f := n.field(p.text)
		if f == nil {
			f = &field{name: p.text, key: key}
			n.fields = append(n.fields, f)
		}
		if i == len(path)-1 {
			f.key, f.value = key, value
			return
		}
		if f.value == nil || f.value.kind != mappingNode {
			f.value = s.node(mappingNode, p.at, "")
		}
		n = f.value
	}
}

// slot is an item's place in its list.
type slot struct {
	list *node
	i    int
}

// slots gives all items of the pipeline, stages first.
func (s *setting) slots() []slot {
	var out []slot
	for _, key := range []string{"stages", "languages"} {
		f := s.tree.field(key)
		if f == nil {
			continue
		}
		for i := range f.value.items {
			out = append(out, slot{list: f.value, i: i})
		}
	}
	return out
}

var which = regexp.MustCompile(`^\[(\d+)\]`)

// items finds the stages or packs that the path of a setting begins with. Names may hold dots, so each item is asked
// whether the path begins with its name; the longest one counts.
func (s *setting) items(left string) (found []slot, name string) {
	packs := s.listOf("languages")
	for _, sl := range s.slots() {
		for _, n := range s.names(sl.list.items[sl.i], sl.list == packs) {
			if !strings.HasPrefix(left, n) || len(n) < len(name) || !ends(left[len(n):]) {
				continue
			}
			if len(n) > len(name) {
				found, name = nil, n
			}
			found = append(found, sl)
			break
		}
	}
	return found, name
}

func (s *setting) listOf(key string) *node {
	if f := s.tree.field(key); f != nil {
		return f.value
	}
	return nil
}

// ends tells whether a name may end before the rest of a path.
func ends(rest string) bool {
	return rest == "" || rest[0] == '.' || which.MatchString(rest) && ends(rest[len(which.FindString(rest)):])
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return strconv.Itoa(n) + " times"
}

func optionOf(tail string) string {
	if option := strings.TrimPrefix(tail, "."); option != "" {
		return cut(option)
	}
	return "option"
}

// mapping gives the item as a mapping, which it becomes if it is a bare name.
func (sl slot) mapping() *node {
	item := sl.list.items[sl.i]
	if item.kind == scalarNode {
		use := *item
		item = &node{doc: use.doc, line: use.line, column: use.column, width: use.width, kind: mappingNode}
		item.fields = []*field{{name: "use", key: &use, value: &use}}
		sl.list.items[sl.i] = item
	}
	return item
}

// names are the words by which a setting may call an item: what stands in its `use`, for built-in ones the name of the
// component, and for executables the name of the file or of the component in it.
func (s *setting) names(item *node, pack bool) []string {
	if f := item.field("use"); f != nil {
		item = f.value
	}
	if item.kind != scalarNode {
		return nil
	}
	s.l.expand(item)
	if item.broken || item.text == "" {
		return nil
	}
	names := []string{item.text}
	if !isPath(item.text) {
		if c := s.l.opts.Catalog.find(item.text, pack); c != nil {
			names = append(names, c.Name)
		}
		return names
	}
	file, component, _ := strings.Cut(filepath.ToSlash(item.text), "#")
	for _, n := range []string{component, path.Base(file)} {
		if n != "" && !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	return names
}

// unknown tells of a path that leads nowhere.
func (s *setting) unknown(at step) {
	name, _, _ := strings.Cut(at.text, "[")
	var valid []string
	for _, sl := range s.slots() {
		valid = append(valid, s.names(sl.list.items[sl.i], sl.list == s.listOf("languages"))...)
	}
	if slices.Contains(valid, name) {
		s.fault(at, "%s names no stage; write name or name[2]", quote(at.text))
		return
	}
	for _, k := range topKeys {
		valid = append(valid, k.name)
	}
	d := s.fault(at, "there is no stage, language or key %s in this pipeline", quote(name))
	d.Suggestion = diag.Nearest(name, valid)
}
