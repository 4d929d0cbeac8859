package extract

import (
	pluginv1 "github.com/repox-dev/repox/sdk/proto"
	"github.com/repox-dev/repox/sdk/tag"
)

// decoded holds the columns of one file at a time and reuses its memory. The strings are those of the encoded tags.
type decoded struct {
	decoder tag.Decoder
	tags    *pluginv1.Tags
	// parents gives for each definition the one around it, counted from 1; 0 for none. starts has their first bytes.
	parents, starts []uint32
	open            []openDefinition
}

type openDefinition struct{ number, end uint32 }

// definition is what the table knows of one.
type definition struct {
	name, kind, scope, signature, doc string
	flags, lineStart, lineEnd         uint32
	// inner: it stands inside of another one and is a name by itself.
	inner bool
}

// decode changes to the columns of s.
func (d *decoded) decode(s *source) (err error) {
	if d.tags, err = d.decoder.Columns(s.tags); err == nil {
		d.findParents()
	}
	return err
}

// findParents walks the definitions, which are in the order of their first byte, with a stack of those still open.
func (d *decoded) findParents() {
	d.parents, d.starts, d.open = d.parents[:0], d.starts[:0], d.open[:0]
	var start uint32
	for i, delta := range d.tags.DefStart {
		start += delta
		for len(d.open) > 0 && d.open[len(d.open)-1].end <= start {
			d.open = d.open[:len(d.open)-1]
		}
		parent := uint32(0)
		if len(d.open) > 0 {
			parent = d.open[len(d.open)-1].number
		}
		d.parents = append(d.parents, parent)
		d.starts = append(d.starts, start)
		d.open = append(d.open, openDefinition{uint32(i + 1), start + d.tags.DefSize[i]})
	}
}

// extent gives the range of a definition.
func (d *decoded) extent(def uint32) (start, end uint32) {
	return d.starts[def], d.starts[def] + d.tags.DefSize[def]
}

func (d *decoded) definitions() []definition {
	m := d.tags
	out := make([]definition, len(m.DefName))
	var row uint32
	for i, name := range m.DefName {
		row += m.DefStartRow[i]
		kind := m.Strings[m.DefKind[i]]
		out[i] = definition{
			name: m.Strings[name], kind: kind, scope: m.Strings[m.DefScope[i]],
			signature: m.Strings[m.DefSignature[i]], doc: m.Strings[m.DefDoc[i]],
			flags: m.DefFlags[i], lineStart: row + 1, lineEnd: row + m.DefRows[i] + 1,
			inner: d.parents[i] != 0 && kind != tag.Method && !d.inTrait(i),
		}
	}
	return out
}

// inTrait tells whether the innermost definition around one is a trait. What stands there is no name by itself.
func (d *decoded) inTrait(def int) bool {
	parent := d.parents[def]
	return parent != 0 && d.tags.Strings[d.tags.DefKind[parent-1]] == tag.Trait
}
