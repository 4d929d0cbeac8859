package pipeline

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"github.com/repox-dev/repox/core/diag"
)

// file reads the pipeline file and all that it extends; nil if that is not possible.
func (l *loader) file() *node {
	dir := "."
	data := l.opts.Data
	if data == nil {
		var err error
		if data, err = readBounded(l.opts.File); err != nil {
			l.diags.Errorf(diag.Place{File: l.opts.File}, "read pipeline: %v", cause(err))
			return nil
		}
		dir = filepath.Dir(l.opts.File)
	}
	tree := l.parse(l.opts.File, dir, data)
	if tree == nil {
		return nil
	}
	return l.extend(tree, []string{absolute(l.opts.File)})
}

// readBounded reads a file, up to just over the bound, so that an endless one is not read to its end.
func readBounded(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return nil, errors.New("it is a directory; name the pipeline file in it")
	}
	return io.ReadAll(io.LimitReader(f, maxBytes+1))
}

// cause leaves out the path that an error repeats.
func cause(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

func absolute(name string) string {
	if a, err := filepath.Abs(name); err == nil {
		return a
	}
	return name
}

// parse reads one file, without what it extends.
func (l *loader) parse(name, dir string, data []byte) *node {
	whole := diag.Place{File: name}
	switch {
	case len(data) > maxBytes:
		l.diags.Errorf(whole, "the file is larger than %d KiB, too large for a pipeline", maxBytes>>10)
		return nil
	case bytes.IndexByte(data, 0) >= 0 || !utf8.Valid(data):
		l.diags.Errorf(whole, "the file is not text; a pipeline is a YAML file in UTF-8")
		return nil
	}
	doc := &document{name: name, dir: dir, lines: strings.Split(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n")}
	dec := yaml.NewDecoder(bytes.NewReader(data))
	var y, second yaml.Node
	if err := dec.Decode(&y); errors.Is(err, io.EOF) {
		l.diags.Errorf(whole, "the file is empty; begin with `version: 1` and `extends: map`")
		return nil
	} else if err != nil {
		l.syntaxError(doc, err)
		return nil
	}
	if err := dec.Decode(&second); !errors.Is(err, io.EOF) {
		if err != nil {
			l.syntaxError(doc, err)
			return nil
		}
		l.diags.Errorf((&node{doc: doc, line: second.Line, column: second.Column}).place(), "a pipeline file holds one document; this is a second one")
		return nil
	}
	c := &converter{l: l, doc: doc}
	tree := c.convert(y.Content[0], 0)
	if c.over {
		return nil
	}
	if tree.kind != mappingNode {
		if tree.kind == nullNode {
			l.diags.Errorf(whole, "the file is empty; begin with `version: 1` and `extends: map`")
			return nil
		}
		l.errorf(tree, "a pipeline is a mapping of keys such as `version: 1`, found %s", tree.typeName())
		return nil
	}
	l.checkVersion(tree)
	return tree
}

var yamlLine = regexp.MustCompile(`^yaml: (?:line (\d+): )?(.*)$`)

// syntaxError gives an error of the YAML parser a place. The parser knows the line at best; the column is that of the tab
// that it does not like, or of the line's first character.
func (l *loader) syntaxError(doc *document, err error) {
	message, line := err.Error(), 1
	if m := yamlLine.FindStringSubmatch(message); m != nil {
		message = m[2]
		if m[1] != "" {
			line, _ = strconv.Atoi(m[1])
		}
	}
	if strings.HasPrefix(message, "did not find expected") {
		line++ // it counts the lines of these from 0
	}
	at := &node{doc: doc, line: min(line, len(doc.lines)), column: 1}
	for _, candidate := range []int{line, line + 1, line - 1} {
		if candidate < 1 || candidate > len(doc.lines) {
			continue
		}
		text := doc.lines[candidate-1]
		if indent := text[:len(text)-len(strings.TrimLeft(text, " \t"))]; strings.Contains(indent, "\t") {
			at.line, at.column = candidate, strings.IndexByte(indent, '\t')+1
			l.errorf(at, "YAML does not allow tabs for indentation; use spaces")
			return
		}
	}
	if at.line <= len(doc.lines) {
		text := doc.lines[at.line-1]
		at.column = len(text) - len(strings.TrimLeft(text, " ")) + 1
		at.width = utf8.RuneCountInString(strings.TrimSpace(text))
	}
	l.errorf(at, "this is not valid YAML: %s", message)
}

// extend merges what a file extends under it. chain holds the files on the way, to find circles.
func (l *loader) extend(tree *node, chain []string) *node {
	f := tree.field("extends")
	if f == nil {
		return tree
	}
	v := f.value
	if v.kind != scalarNode || v.tag != "!!str" || v.text == "" {
		l.errorf(v, "extends needs the name of a built-in pipeline or a file, found %s", v.typeName())
		return tree
	}
	base, link := l.base(v)
	if base == nil {
		return tree
	}
	for i, c := range chain {
		if c == link {
			l.errorf(v, "extends leads in a circle: %s", circle(chain[i:], link))
			return tree
		}
	}
	if len(chain) >= maxExtends {
		l.errorf(v, "extends is more than %d files long", maxExtends)
		return tree
	}
	return merge(l.extend(base, append(chain, link)), tree)
}

func circle(chain []string, link string) string {
	var names []string
	for _, c := range append(chain, link) {
		names = append(names, filepath.Base(c))
	}
	return strings.Join(names, " → ")
}

// base reads what extends names; link identifies it.
func (l *loader) base(v *node) (tree *node, link string) {
	if !strings.ContainsAny(v.text, "/\\.") {
		data, err := fs.ReadFile(l.opts.Presets, v.text+".yaml")
		if err != nil {
			d := l.errorf(v, "there is no built-in pipeline %q; a file needs a path such as ./%s.yaml", v.text, v.text)
			d.Suggestion = diag.Nearest(v.text, presetNames(l.opts.Presets))
			return nil, ""
		}
		return l.parse("built-in "+v.text, ".", data), "built-in " + v.text
	}
	name := v.text
	if !filepath.IsAbs(name) {
		name = filepath.Join(v.doc.dir, name)
	}
	data, err := readBounded(name)
	if err != nil {
		l.errorf(v, "cannot read %s: %v", name, cause(err))
		return nil, ""
	}
	return l.parse(name, filepath.Dir(name), data), absolute(name)
}

func presetNames(presets fs.FS) []string {
	var names []string
	files, _ := fs.Glob(presets, "*.yaml")
	for _, f := range files {
		names = append(names, strings.TrimSuffix(f, ".yaml"))
	}
	return names
}

// merge gives base with the values of over in their places.
func merge(base, over *node) *node {
	if base.kind != mappingNode || over.kind != mappingNode {
		return over
	}
	out := *over
	out.fields = nil
	for _, f := range base.fields {
		if g := over.field(f.name); g != nil {
			out.fields = append(out.fields, &field{name: g.name, key: g.key, value: merge(f.value, g.value)})
			continue
		}
		out.fields = append(out.fields, f)
	}
	for _, g := range over.fields {
		if base.field(g.name) == nil {
			out.fields = append(out.fields, g)
		}
	}
	return &out
}
