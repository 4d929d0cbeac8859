package tagfile

import (
	"fmt"
	"strings"
)

// Cleaner takes secrets out of files before they are written, all but those in paths: see CleanPaths.
type Cleaner struct {
	redact func(string) string
	next   Writer
	fields []field
}

// field is a string of a file.
type field struct {
	text *string
	line uint32
	name string
}

// NewCleaner makes a writer that hands clean files on. Redact takes the secrets out of a text and keeps the number of its
// lines.
func NewCleaner(next Writer, redact func(string) string) *Cleaner {
	return &Cleaner{redact: redact, next: next}
}

// CleanPaths takes the secrets out of all paths at once: each of them is written many times.
func CleanPaths(paths []string, redact func(string) string) {
	fields := make([]field, len(paths))
	for i := range paths {
		fields[i] = field{text: &paths[i]}
	}
	clean(fields, redact)
}

// Close implements Writer.
func (c *Cleaner) Close() error { return c.next.Close() }

// Write implements Writer. It changes the file.
func (c *Cleaner) Write(f *File) error {
	c.gather(f)
	f.Limitations = append(f.Limitations, clean(c.fields, c.redact)...)
	return c.next.Write(f)
}

// gather lists every string of a file that comes from the repository, but for paths.
func (c *Cleaner) gather(f *File) {
	c.fields = c.fields[:0]
	for i := range f.Limitations {
		l := &f.Limitations[i]
		c.fields = append(c.fields, field{&l.Message, l.Line, "message"})
	}
	if f.Tags == nil {
		return
	}
	for i := range f.Tags.Imports {
		m := &f.Tags.Imports[i]
		c.fields = append(c.fields, field{&m.Module, m.Row + 1, "module"})
		for k := range m.Names {
			c.fields = append(c.fields, field{&m.Names[k], m.Row + 1, "names"})
		}
	}
	for i := range f.Tags.Definitions {
		d := &f.Tags.Definitions[i]
		for _, x := range []field{{&d.Name, 0, "name"}, {&d.Scope, 0, "scope"}, {&d.Signature, 0, "signature"}, {&d.Doc, 0, "doc"}} {
			if *x.text != "" {
				c.fields = append(c.fields, field{x.text, d.StartRow + 1, x.name})
			}
		}
	}
	for i := range f.Tags.References {
		r := &f.Tags.References[i]
		c.fields = append(c.fields, field{&r.Name, r.Row + 1, "name"})
		if r.Qualifier != "" {
			c.fields = append(c.fields, field{&r.Qualifier, r.Row + 1, "qualifier"})
		}
	}
}

// clean redacts fields. Hardly any file has a secret among them, so the different ones are looked at as one text first;
// since its lines stay in number, each finds its own again, and a secret that is known by one line is taken out of others.
func clean(fields []field, redact func(string) string) []Limitation {
	lines := make(map[string]int, len(fields)) // number of the line that holds a text
	var b strings.Builder
	for _, x := range fields {
		if _, ok := lines[*x.text]; !ok {
			lines[*x.text] = len(lines)
			b.WriteString(strings.ReplaceAll(*x.text, "\n", " "))
			b.WriteByte('\n')
		}
	}
	block := b.String()
	redacted := redact(block)
	if redacted == block {
		return nil
	}
	clean := strings.Split(redacted, "\n")
	before := strings.Split(block, "\n")
	var out []Limitation
	for _, x := range fields {
		n := lines[*x.text]
		text := *x.text
		switch {
		case len(clean) != len(before):
			text = redact(text)
		case clean[n] != before[n]:
			text = clean[n]
		}
		out = x.set(out, text)
	}
	return out
}

// set puts a clean text into its field, and notes what was done.
func (x field) set(out []Limitation, text string) []Limitation {
	if text == *x.text {
		return out
	}
	*x.text = text
	return append(out, Limitation{Code: "redacted_secret", Line: x.line, Message: fmt.Sprintf("the %s held a secret", x.name)})
}
