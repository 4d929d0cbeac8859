package tagfile

import (
	"bufio"
	"cmp"
	"io"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/repox-dev/repox/sdk/model"
	"github.com/repox-dev/repox/sdk/tag"
)

// JSONL writes one fact a line: in each file in the order of lines, and of one line imports, then definitions, then
// references, then limitations.
type JSONL struct {
	out  *bufio.Writer
	line []byte
	rows []fact
	path string
	// escaped: the path is not UTF-8 and stands in escaped form.
	escaped bool
}

// fact is the place of a fact in the lists of a file.
type fact struct {
	line  uint32
	kind  int
	index int
}

const (
	importFact = iota
	definitionFact
	referenceFact
	limitationFact
)

// NewJSONL makes a writer of JSON Lines.
func NewJSONL(w io.Writer) *JSONL { return &JSONL{out: bufio.NewWriterSize(w, 1<<16)} }

// Write implements Writer.
func (w *JSONL) Write(f *File) error {
	w.path, w.escaped = model.PathText([]byte(f.Path))
	w.order(f)
	for _, r := range w.rows {
		w.line = w.line[:0]
		switch r.kind {
		case importFact:
			w.writeImport(&f.Tags.Imports[r.index], f.Targets, r.index)
		case definitionFact:
			w.writeDefinition(&f.Tags.Definitions[r.index])
		case referenceFact:
			w.writeReference(&f.Tags.References[r.index])
		case limitationFact:
			w.writeLimitation(&f.Limitations[r.index])
		}
		w.line = append(w.line, "}\n"...)
		if _, err := w.out.Write(w.line); err != nil {
			return err
		}
	}
	return nil
}

// Close implements Writer.
func (w *JSONL) Close() error { return w.out.Flush() }

func (w *JSONL) order(f *File) {
	w.rows = w.rows[:0]
	if f.Tags != nil {
		for i := range f.Tags.Imports {
			if !f.Tags.Imports[i].Implied {
				w.rows = append(w.rows, fact{f.Tags.Imports[i].Row + 1, importFact, i})
			}
		}
		for i := range f.Tags.Definitions {
			w.rows = append(w.rows, fact{f.Tags.Definitions[i].StartRow + 1, definitionFact, i})
		}
		for i := range f.Tags.References {
			w.rows = append(w.rows, fact{f.Tags.References[i].Row + 1, referenceFact, i})
		}
	}
	for i := range f.Limitations {
		w.rows = append(w.rows, fact{f.Limitations[i].Line, limitationFact, i})
	}
	slices.SortStableFunc(w.rows, func(a, b fact) int { return cmp.Or(cmp.Compare(a.line, b.line), cmp.Compare(a.kind, b.kind)) })
}

func (w *JSONL) writeImport(i *tag.Import, targets [][]string, index int) {
	w.begin("import")
	w.text("module", i.Module)
	w.number("line", i.Row+1)
	w.list("names", i.Names)
	var resolved []string
	if index < len(targets) {
		for _, t := range targets[index] {
			text, _ := model.PathText([]byte(t))
			resolved = append(resolved, text)
		}
	}
	w.list("resolved", resolved)
}

func (w *JSONL) writeDefinition(d *tag.Definition) {
	w.begin("definition")
	w.text("name", d.Name)
	w.text("kind", d.Kind)
	w.text("scope", d.Scope)
	w.number("line_start", d.StartRow+1)
	w.number("line_end", d.EndRow+1)
	w.text("signature", d.Signature)
	if d.Doc != "" {
		w.text("doc", d.Doc)
	}
	if d.Exported {
		w.line = append(w.line, `,"exported":true`...)
	}
}

func (w *JSONL) writeReference(r *tag.Reference) {
	w.begin("reference")
	w.text("name", r.Name)
	w.number("line", r.Row+1)
	w.text("role", r.Role)
	if r.Qualifier != "" {
		w.text("qualifier", r.Qualifier)
	}
}

func (w *JSONL) writeLimitation(l *Limitation) {
	w.begin("limitation")
	w.text("code", l.Code)
	if l.Line > 0 {
		w.number("line", l.Line)
	}
	w.text("message", l.Message)
}

// begin writes what every fact begins with.
func (w *JSONL) begin(kind string) {
	w.line = append(w.line, `{"type":"`...)
	w.line = append(w.line, kind...)
	w.line = append(w.line, '"')
	w.text("file", w.path)
	if w.escaped {
		w.line = append(w.line, `,"path_escaped":true`...)
	}
}

func (w *JSONL) text(key, value string) {
	w.key(key)
	w.line = appendQuoted(w.line, value)
}

func (w *JSONL) number(key string, value uint32) {
	w.key(key)
	w.line = strconv.AppendUint(w.line, uint64(value), 10)
}

func (w *JSONL) list(key string, values []string) {
	w.key(key)
	w.line = append(w.line, '[')
	for i, v := range values {
		if i > 0 {
			w.line = append(w.line, ',')
		}
		w.line = appendQuoted(w.line, v)
	}
	w.line = append(w.line, ']')
}

func (w *JSONL) key(key string) {
	w.line = append(w.line, `,"`...)
	w.line = append(w.line, key...)
	w.line = append(w.line, `":`...)
}

// appendQuoted writes a JSON string. There are millions of them in a large repository, and encoding/json takes several
// times as long.
func appendQuoted(b []byte, s string) []byte {
	b = append(b, '"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if c >= ' ' && c != '"' && c != '\\' && c != 0x7f {
				i++
				continue
			}
			b = append(b, s[start:i]...)
			b = appendEscape(b, c)
			i++
			start = i
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 {
			b = append(b, s[start:i]...)
			b = append(b, "\ufffd"...)
			start = i + n
		}
		i += n
	}
	b = append(b, s[start:]...)
	return append(b, '"')
}

func appendEscape(b []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(b, '\\', c)
	case '\n':
		return append(b, `\n`...)
	case '\r':
		return append(b, `\r`...)
	case '\t':
		return append(b, `\t`...)
	}
	const hex = "0123456789abcdef"
	return append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
}
