package tagfile

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/repox-dev/repox/sdk/tag"
)

// CTags writes a tags file of the definitions, sorted by name, in the format of Universal Ctags (ctags(1), tags(5)), which
// vi's kin, Emacs' ctags readers and readtags know. Places are line numbers: a search pattern would carry source lines.
type CTags struct {
	out    io.Writer
	sorter *sorter
	line   []byte
}

// NewCTags makes a writer of a tags file. Version is that of the program. Nothing is written before Close.
func NewCTags(w io.Writer, version string) (*CTags, error) {
	_, err := fmt.Fprintf(w, "!_TAG_FILE_FORMAT\t2\t/extended format/\n"+
		"!_TAG_FILE_SORTED\t1\t/0=unsorted, 1=sorted, 2=foldcase/\n"+
		"!_TAG_OUTPUT_EXCMD\tnumber\t/number, pattern, mixed, or combineV2/\n"+
		"!_TAG_OUTPUT_FILESEP\tslash\t/slash or backslash/\n"+
		"!_TAG_OUTPUT_MODE\tu-ctags\t/u-ctags or e-ctags/\n"+
		"!_TAG_PROGRAM_NAME\trepox\t//\n"+
		"!_TAG_PROGRAM_VERSION\t%s\t//\n", version)
	return &CTags{out: w, sorter: &sorter{}}, err
}

// Write implements Writer.
func (w *CTags) Write(f *File) error {
	if f.Tags == nil {
		return nil
	}
	kinds := scopeKinds(f.Tags.Definitions)
	path := escapeTag(f.Path)
	for i := range f.Tags.Definitions {
		d := &f.Tags.Definitions[i]
		if d.Name == "" {
			continue
		}
		w.entry(d, path, f.Language, kinds)
		if err := w.sorter.add(w.line); err != nil {
			return err
		}
	}
	return nil
}

func (w *CTags) entry(d *tag.Definition, path, language string, kinds map[string]string) {
	name := escapeTag(d.Name)
	if name[0] == '!' {
		name = `\x21` + name[1:] // lines that begin so are about the file
	}
	b := append(w.line[:0], name...)
	b = append(b, '\t')
	b = append(b, path...)
	b = append(b, '\t')
	b = strconv.AppendUint(b, uint64(d.StartRow)+1, 10)
	b = append(b, `;"`...)
	b = append(b, '\t')
	b = append(b, d.Kind...)
	b = append(b, "\tline:"...)
	b = strconv.AppendUint(b, uint64(d.StartRow)+1, 10)
	b = appendField(b, "language", language)
	if d.Scope != "" {
		kind := kinds[d.Scope]
		if kind == "" {
			kind = "unknown" // it is declared in another file
		}
		b = appendField(b, "scope", kind+":"+d.Scope)
	}
	if d.Signature != "" {
		b = appendField(b, "signature", d.Signature)
	}
	b = append(b, "\tend:"...)
	b = strconv.AppendUint(b, uint64(d.EndRow)+1, 10)
	w.line = append(b, '\n')
}

func appendField(b []byte, key, value string) []byte {
	b = append(b, '\t')
	b = append(b, key...)
	b = append(b, ':')
	return append(b, escapeTag(value)...)
}

// scopeKinds gives the kind of each definition by its full name, for those that lie in it.
func scopeKinds(definitions []tag.Definition) map[string]string {
	kinds := map[string]string{}
	for i := range definitions {
		d := &definitions[i]
		full := d.Name
		if d.Scope != "" {
			full = d.Scope + "." + d.Name
		}
		if kinds[full] == "" {
			kinds[full] = d.Kind
		}
	}
	return kinds
}

// escapeTag writes what would end a field or a line, and the backslash, as tags(5) has it.
func escapeTag(s string) string {
	plain := true
	for i := range len(s) {
		plain = plain && s[i] >= ' ' && s[i] != '\\' && s[i] != 0x7f
	}
	if plain {
		return s
	}
	var b strings.Builder
	for i := range len(s) {
		switch c := s[i]; {
		case c == '\\':
			b.WriteString(`\\`)
		case c == '\t':
			b.WriteString(`\t`)
		case c == '\r':
			b.WriteString(`\r`)
		case c == '\n':
			b.WriteString(`\n`)
		case c < ' ' || c == 0x7f:
			fmt.Fprintf(&b, `\x%02x`, c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// Close implements Writer: it writes the sorted lines.
func (w *CTags) Close() error {
	out := bufio.NewWriterSize(w.out, 1<<16)
	if err := w.sorter.merge(out); err != nil {
		return err
	}
	return out.Flush()
}

// Discard frees what a writer that is not closed holds.
func (w *CTags) Discard() { w.sorter.discard() }
