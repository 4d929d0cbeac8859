package pipeline

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

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

// readRegular reads a file that another one names. Only the user may name a pipe, which could keep a reader forever.
func readRegular(name string) ([]byte, error) {
	info, err := os.Stat(name)
	if err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		err = errors.New("it is not a regular file")
	}
	if err != nil {
		return nil, err
	}
	return readBounded(name)
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
	doc := &document{name: name, dir: dir, lines: splitLines(string(data))}
	all, err := decode(data)
	switch {
	case err != nil:
		l.syntaxError(doc, err)
		return nil
	case len(all) == 0:
		l.empty(whole)
		return nil
	case len(all) > 1:
		l.diags.Errorf((&node{doc: doc, line: all[1].Line, column: all[1].Column}).place(), "a pipeline file holds one document; this is a second one")
		return nil
	}
	c := &converter{l: l, doc: doc}
	tree := c.convert(all[0].Content[0], 0)
	if c.over {
		return nil
	}
	if tree.kind != mappingNode {
		if tree.kind == nullNode {
			l.empty(whole)
			return nil
		}
		l.errorf(tree, "a pipeline is a mapping of keys such as `version: 1`, found %s", tree.typeName())
		return nil
	}
	l.checkVersion(tree)
	return tree
}

func (l *loader) empty(whole diag.Place) {
	l.diags.Errorf(whole, "the file is empty; begin with `version: 1` and `extends: map`")
}

// splitLines cuts a text where the YAML parser counts a line, so that a place and the line shown with it agree.
func splitLines(text string) []string {
	text = strings.TrimPrefix(text, "\ufeff")
	return strings.Split(lineBreaks.Replace(text), "\n")
}

var lineBreaks = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u0085", "\n", "\u2028", "\n", "\u2029", "\n")

// extend merges what a file extends under it. chain holds the files on the way, to find circles.
func (l *loader) extend(tree *node, chain []string) *node {
	f := tree.field("extends")
	if f == nil {
		return tree
	}
	v := f.value
	l.expand(v)
	if v.kind != scalarNode || v.tag != "!!str" && !v.loose || v.text == "" {
		l.errorf(v, "extends needs the name of a built-in pipeline or a file, found %s", v.typeName())
		return tree
	}
	b := l.base(v)
	if i := slices.Index(chain, b.link); i >= 0 {
		l.errorf(v, "extends leads in a circle: %s", circle(chain[i:], b.link))
		return tree
	}
	if len(chain) >= maxExtends {
		l.errorf(v, "extends leads through more than %d pipelines", maxExtends)
		return tree
	}
	base := l.readBase(v, b)
	if base == nil {
		return tree
	}
	return merge(l.extend(base, append(chain, b.link)), tree)
}

func circle(chain []string, link string) string {
	var names []string
	for _, c := range append(slices.Clone(chain), link) {
		names = append(names, filepath.Base(c))
	}
	return strings.Join(names, " → ")
}

// base is a file, or a built-in pipeline, that another extends. Its link identifies it.
type base struct {
	name, link string
	builtin    bool
}

func (l *loader) base(v *node) base {
	if !strings.ContainsAny(v.text, "/\\.") {
		return base{name: v.text, link: "built-in " + v.text, builtin: true}
	}
	name := v.text
	if !filepath.IsAbs(name) {
		name = filepath.Join(v.doc.dir, name)
	}
	return base{name: name, link: absolute(name)}
}

// readBase reads what v names, without what that extends in turn.
func (l *loader) readBase(v *node, b base) *node {
	if !b.builtin {
		data, err := readRegular(b.name)
		if err != nil {
			l.errorf(v, "cannot read %s: %v", b.name, cause(err))
			return nil
		}
		return l.parse(b.name, filepath.Dir(b.name), data)
	}
	if l.opts.Presets != nil {
		if data, err := fs.ReadFile(l.opts.Presets, b.name+".yaml"); err == nil {
			return l.parse(b.link, ".", data)
		}
	}
	d := l.errorf(v, "there is no built-in pipeline %s; a file needs a path such as ./%s.yaml", quote(v.said()), cut(v.said()))
	d.Suggestion = diag.Nearest(v.text, presetNames(l.opts.Presets))
	return nil
}

func presetNames(presets fs.FS) []string {
	if presets == nil {
		return nil
	}
	var names []string
	files, _ := fs.Glob(presets, "*.yaml")
	for _, f := range files {
		names = append(names, strings.TrimSuffix(f, ".yaml"))
	}
	return names
}

// merge gives base with the values of over in their places. An empty value is an empty mapping here too: it changes
// nothing of a mapping.
func merge(base, over *node) *node {
	if base.kind == mappingNode && over.kind == nullNode {
		return base
	}
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
