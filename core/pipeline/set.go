package pipeline

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/repox-dev/repox/core/diag"
)

// settingsName is the file name in the places of settings.
const settingsName = "--set"

var stepPattern = regexp.MustCompile(`^([^\[\]]+)(?:\[(\d+)\])?$`)

// applySettings puts the settings of the command line into the tree.
func (l *loader) applySettings(tree *node) {
	for _, s := range l.opts.Set {
		if err := l.applySetting(tree, s); err != nil {
			l.diags = append(l.diags, *err)
		}
	}
}

// setting is one --set on its way; its argument is a document of one line.
type setting struct {
	doc  *document
	text string
}

func (s *setting) node(kind nodeKind, text string) *node {
	return &node{doc: s.doc, line: 1, column: 1, width: len(s.text), kind: kind, text: text}
}

func (s *setting) fault(format string, args ...any) *diag.Diagnostic {
	return &diag.Diagnostic{Message: fmt.Sprintf(format, args...), Place: s.node(scalarNode, "").place()}
}

func (l *loader) applySetting(tree *node, text string) *diag.Diagnostic {
	s := &setting{doc: &document{name: settingsName, dir: ".", lines: []string{text}}, text: text}
	path, value, ok := strings.Cut(text, "=")
	steps := strings.Split(path, ".")
	if !ok || path == "" {
		return s.fault("a setting has the form stage.option=value, or key=value for a key of the pipeline")
	}
	top := steps[0]
	if _, isKey := keySpecs[top]; isKey && top != "stages" && top != "languages" && top != "extends" {
		put(s, tree, steps, l.settingValue(s, value))
		return nil
	}
	item, err := findItem(s, tree, top)
	if err != nil {
		return err
	}
	if len(steps) < 2 {
		return s.fault("%s is a stage; name its option as in %s.option=value", top, top)
	}
	put(s, item, append([]string{"with"}, steps[1:]...), l.settingValue(s, value))
	return nil
}

// settingValue reads a value: a list in brackets, else a scalar that takes the type that is wanted.
func (l *loader) settingValue(s *setting, value string) *node {
	if strings.HasPrefix(value, "[") {
		var y yaml.Node
		if err := yaml.Unmarshal([]byte(value), &y); err == nil && len(y.Content) == 1 {
			n := (&converter{l: l, doc: s.doc}).convert(y.Content[0], 0)
			at := s.node(listNode, "")
			n.line, n.column, n.width = at.line, at.column, at.width
			return n
		}
	}
	n := s.node(scalarNode, value)
	n.loosen()
	return n
}

// put sets the value at a path of keys below n and makes the mappings on the way.
func put(s *setting, n *node, steps []string, value *node) {
	for i, step := range steps {
		f := n.field(step)
		if f == nil {
			f = &field{name: step, key: s.node(scalarNode, step)}
			n.fields = append(n.fields, f)
		}
		if i == len(steps)-1 {
			f.key, f.value = s.node(scalarNode, step), value
			return
		}
		if f.value == nil || f.value.kind != mappingNode {
			f.value = s.node(mappingNode, "")
		}
		n = f.value
	}
}

// findItem finds the stage or pack that a setting names, and makes a mapping of it if it is a bare name.
func findItem(s *setting, tree *node, step string) (*node, *diag.Diagnostic) {
	m := stepPattern.FindStringSubmatch(step)
	if m == nil {
		return nil, s.fault("%q names no stage; write name or name[2]", step)
	}
	type slot struct {
		list *node
		i    int
	}
	var found []slot
	var names []string
	for _, key := range []string{"stages", "languages"} {
		f := tree.field(key)
		if f == nil {
			continue
		}
		for i, item := range f.value.items {
			name := useText(item)
			names = append(names, name)
			if name == m[1] {
				found = append(found, slot{f.value, i})
			}
		}
	}
	which := 0
	switch {
	case len(found) == 0:
		for k := range keySpecs {
			names = append(names, k)
		}
		d := s.fault("there is no stage, language or key %q in this pipeline", m[1])
		d.Suggestion = diag.Nearest(m[1], names)
		return nil, d
	case m[2] != "":
		n, err := strconv.Atoi(m[2])
		if err != nil || n < 1 || n > len(found) {
			return nil, s.fault("%s stands in the pipeline %d times; there is no %s", m[1], len(found), step)
		}
		which = n - 1
	case len(found) > 1:
		return nil, s.fault("%s stands in the pipeline %d times; say which one, as in %s[2].option=value", m[1], len(found), m[1])
	}
	slot0 := found[which]
	item := slot0.list.items[slot0.i]
	if item.kind != mappingNode {
		use := *item
		wrapped := use
		wrapped.kind = mappingNode
		wrapped.fields = []*field{{name: "use", key: &use, value: &use}}
		slot0.list.items[slot0.i] = &wrapped
		item = &wrapped
	}
	return item, nil
}

// useText is the name by which an item of a list goes.
func useText(item *node) string {
	if f := item.field("use"); f != nil {
		item = f.value
	}
	return item.text
}
