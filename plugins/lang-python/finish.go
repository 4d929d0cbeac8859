package langpython

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/repox-dev/repox/sdk/tag"
)

// Words that the query uses for what finish settles; see tags.scm.
const (
	rawLambda  = tag.Method
	rawAlias   = "alias"
	markBinder = "binder"
)

// finish applies what the query cannot say: what a definition lies in, where it ends, doc strings, import lists.
func finish(src []byte, f *tag.File) {
	w := walker{src: src, seen: map[string]bool{}}
	f.Definitions = w.walk(f.Definitions, outline(src, len(f.Errors) > 0))
	f.Imports = readImports(f.Imports)
	finishReferences(f)
}

// walker goes over the definitions of a file in the order of their start.
type walker struct {
	src  []byte
	open []opened
	seen map[string]bool // module-level names that have been given a value or a body
}

// opened is a class or function that the walk is inside of.
type opened struct {
	end     uint32
	path    string
	isClass bool
}

// walk joins the definitions that the query found with the blocks. Of classes and functions the blocks are what counts;
// the query only has the comments above them.
func (w *walker) walk(found []tag.Definition, blocks []block) []tag.Definition {
	defs := make([]tag.Definition, 0, len(found))
	comments := map[uint32]*tag.Definition{}
	for i := range found {
		if d := &found[i]; isBlock(d) {
			comments[d.NameStart] = d
		}
	}
	for i := range found {
		d := &found[i]
		if isBlock(d) {
			continue
		}
		for len(blocks) > 0 && blocks[0].start <= d.Start {
			defs = append(defs, w.enter(&blocks[0], comments))
			blocks = blocks[1:]
		}
		if w.settle(d) {
			defs = append(defs, *d)
		}
	}
	for i := range blocks {
		defs = append(defs, w.enter(&blocks[i], comments))
	}
	return defs
}

func isBlock(d *tag.Definition) bool { return d.Kind == tag.Class || d.Kind == tag.Function }

// leave closes what ends before an offset and tells what is still open there.
func (w *walker) leave(at uint32) (path string, inClass, inFunction bool) {
	for len(w.open) > 0 && w.open[len(w.open)-1].end <= at {
		w.open = w.open[:len(w.open)-1]
	}
	for _, o := range w.open {
		path, inClass = o.path, o.isClass
		inFunction = inFunction || !o.isClass
	}
	return path, inClass, inFunction
}

// enter makes the definition of a block.
func (w *walker) enter(b *block, comments map[uint32]*tag.Definition) tag.Definition {
	path, inClass, inFunction := w.leave(b.start)
	d := tag.Definition{Name: string(w.src[b.nameStart:b.nameEnd]), Kind: tag.Function, Scope: path, NameStart: b.nameStart}
	d.Signature = signature(w.src[b.start:b.headerEnd])
	if c := comments[b.nameStart]; c != nil {
		d.Doc = c.Doc
	}
	d.Span = tag.Span{Start: b.start, End: b.end, StartRow: b.row, EndRow: b.endRow}
	if doc := docLine(w.src[b.doc:b.docEnd]); doc != "" {
		d.Doc = doc
	}
	switch {
	case b.isClass:
		d.Kind = tag.Class
	case inClass:
		d.Kind = tag.Method
	}
	d.Exported = exported(d.Name) && !inFunction
	if path == "" {
		w.seen[d.Name] = true
	} else {
		path += "."
	}
	w.open = append(w.open, opened{end: b.reach, path: path + d.Name, isClass: b.isClass})
	return d
}

// settle gives a value or type its final kind; false drops it.
func (w *walker) settle(d *tag.Definition) bool {
	path, inClass, inFunction := w.leave(d.Start)
	d.Scope = path
	d.Exported = exported(d.Name) && !inFunction
	switch d.Kind {
	case tag.Type:
		if path == "" {
			w.seen[d.Name] = true
		}
		return true
	case rawLambda:
		if inClass {
			return true
		}
		d.Kind = tag.Function
	default:
		d.Kind = valueKind(d)
	}
	return path == "" && w.first(d.Name)
}

// first tells whether a module-level name is given for the first time: later values do not define it anew.
func (w *walker) first(name string) bool {
	known := w.seen[name]
	w.seen[name] = true
	return !known
}

func valueKind(d *tag.Definition) string {
	switch {
	case d.Kind == rawAlias:
		return tag.Type
	case isConstant(d.Name):
		return tag.Constant
	}
	return tag.Variable
}

// isConstant tells whether a name is written as constants are: capitals, digits and underscores, a capital first.
func isConstant(name string) bool {
	name = strings.TrimLeft(name, "_")
	for i := range len(name) {
		c := name[i]
		if (c < 'A' || c > 'Z') && (i == 0 || c != '_' && (c < '0' || c > '9')) {
			return false
		}
	}
	return name != ""
}

// exported follows the custom of the leading underscore; names such as __init__ are called from outside.
func exported(name string) bool {
	dunder := len(name) > 4 && strings.HasPrefix(name, "__") && strings.HasSuffix(name, "__")
	return dunder || !strings.HasPrefix(name, "_")
}

// signature puts the head of a class or function on one line, without comments. Long literals are left out: they are
// noise or secrets.
func signature(head []byte) string {
	const longest, longestLiteral = 300, 18
	var b strings.Builder
	gap := false
	for at := 0; at < len(head); {
		c, end := head[at], at+1
		switch c {
		case ' ', '\t', '\r', '\n', '\f', '\\', '#':
			if c == '#' {
				end = at + len(firstLine(head[at:]))
			}
			gap, at = true, end
			continue
		case '"', '\'':
			end = int(stringEnd(head, uint32(at)))
		}
		opened := strings.HasSuffix(b.String(), "(") || strings.HasSuffix(b.String(), "[")
		if gap && !opened && c != ')' && c != ']' {
			b.WriteByte(' ')
		}
		gap = false
		if end-at > longestLiteral {
			b.WriteString(string(c) + "…" + string(c))
		} else {
			b.Write(head[at:end])
		}
		at = end
		if b.Len() >= longest && (at == len(head) || utf8.RuneStart(head[at])) {
			b.WriteString("…")
			break
		}
	}
	return strings.ReplaceAll(strings.TrimRight(b.String(), " ,:(=[{"), ",)", ")")
}

func firstLine(text []byte) []byte {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	return line
}

// docLine gives the first line of a doc string that says something. Long words that mix letters and digits are keys and
// digests rather than language, and left out.
func docLine(literal []byte) string {
	const longest, longestWord = 200, 16
	text := strings.TrimLeft(string(literal), "rRuUbB")
	for line := range strings.Lines(strings.Trim(text, "\"' \t\r\n")) {
		words := strings.Fields(line)
		for i, word := range words {
			if len(word) >= longestWord && strings.ContainsAny(word, "0123456789") && !strings.ContainsAny(word, "/.(") {
				words[i] = "…"
			}
		}
		if line = strings.Trim(strings.Join(words, " "), "#-=*`"); line == "" {
			continue
		}
		if len(line) > longest {
			line = strings.ToValidUTF8(line[:longest], "") + "…"
		}
		return line
	}
	return ""
}

// finishReferences splits dotted names and drops what only leads to a member of a module.
func finishReferences(f *tag.File) {
	modules := map[string]bool{}
	for _, i := range f.Imports {
		switch {
		case i.Local != "":
			modules[i.Local] = true
		case len(i.Names) == 0:
			for at, c := range i.Module {
				if c == '.' {
					modules[i.Module[:at]] = true
				}
			}
			modules[i.Module] = true
		}
	}
	for i := range f.References {
		splitName(&f.References[i])
	}
	f.References = slices.DeleteFunc(f.References, func(r tag.Reference) bool {
		if r.Role != tag.Read {
			return r.Role == markBinder
		}
		if r.Qualifier != "" {
			return modules[r.Qualifier+"."+r.Name]
		}
		return modules[r.Name]
	})
}

// splitName puts what stands before the last dot of a name where it belongs.
func splitName(r *tag.Reference) {
	i := strings.LastIndexByte(r.Name, '.')
	if i < 0 {
		return
	}
	r.Qualifier = strings.TrimSpace(r.Name[:i])
	name := strings.TrimLeft(r.Name[i+1:], " \t")
	r.Start += uint32(len(r.Name) - len(name))
	r.Name = name
}
