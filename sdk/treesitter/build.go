package treesitter

import (
	"cmp"
	"slices"
	"sort"

	"github.com/repox-dev/repox/sdk/tag"
)

// capture mirrors rx_capture in engine.h.
type capture struct {
	match            uint32
	pattern, capture uint16
	start, end       uint32
	startRow, endRow uint32
}

// Captures that the engine makes by itself; see engine.h.
const (
	captureComment = 0xfff0
	captureError   = 0xfff1
	captureBody    = 0xfff2
)

// spare marks the pattern of a match that lacks the pattern's optional nodes.
const spare = 0x8000

// query is what the builder needs of a compiled query.
type query interface {
	captureInfos() []captureInfo
	predicatesOf(pattern uint16) []predicate
}

// builder makes a tag.File of captures. It reuses its buffers: a file is valid until the next one.
type builder struct {
	file       tag.File
	comments   []capture
	candidates []candidate
	defs, kept []found
	refs       []tag.Reference
	imports    []keyed
	locals     []local
	members    []member
	inside     inside
	names      []string
}

func (b *builder) build(src []byte, q query, captures []capture, n *Notation) *tag.File {
	b.reset()
	b.inside.notation = n
	for len(captures) > 0 {
		n := 1
		for n < len(captures) && captures[n].match == captures[0].match {
			n++
		}
		b.take(src, q, captures[:n])
		captures = captures[n:]
	}
	b.settle(src)
	return &b.file
}

func (b *builder) reset() {
	f := &b.file
	f.Package = ""
	f.Definitions, f.References, f.Imports, f.Errors = f.Definitions[:0], f.References[:0], f.Imports[:0], f.Errors[:0]
	f.Members = f.Members[:0]
	b.comments, b.candidates, b.defs, b.refs = b.comments[:0], b.candidates[:0], b.defs[:0], b.refs[:0]
	b.imports, b.locals, b.members = b.imports[:0], b.locals[:0], b.members[:0]
	clear(b.inside.paths)
}

// settle keeps one tag for each name and gives definitions their scope, signature and doc line.
func (b *builder) settle(src []byte) {
	slices.SortFunc(b.candidates, func(x, y candidate) int { return cmp.Compare(x.key, y.key) })
	last := ^uint64(0)
	kept := b.kept[:0]
	for _, c := range b.candidates {
		if c.key>>keyBits == last {
			continue
		}
		if !c.isDef || !b.defs[c.index].container { // a container has its name from elsewhere: there it is a reference
			last = c.key >> keyBits
		}
		if c.isDef {
			kept = append(kept, b.defs[c.index])
		} else {
			b.file.References = append(b.file.References, b.refs[c.index])
		}
	}
	b.kept = kept
	slices.SortStableFunc(kept, func(x, y found) int {
		return cmp.Or(cmp.Compare(x.Start, y.Start), cmp.Compare(y.End, x.End))
	})
	b.nest(src, kept)
	b.placeMembers(kept)
	b.settleReferences(kept)
	b.settleImports()
}

func (b *builder) settleImports() {
	slices.SortStableFunc(b.imports, func(x, y keyed) int { return cmp.Compare(x.key, y.key) })
	last := ^uint64(0)
	for _, k := range b.imports {
		if k.key>>keyBits != last {
			b.file.Imports = append(b.file.Imports, k.imp)
		}
		last = k.key >> keyBits
	}
}

// nest walks the definitions in the order of their start with a stack of those that are still open.
func (b *builder) nest(src []byte, defs []found) {
	type open struct {
		end    uint32
		start  uint32
		prefix string
	}
	var stack []open
	for i := range defs {
		d := &defs[i]
		for len(stack) > 0 && (stack[len(stack)-1].end <= d.Start || stack[len(stack)-1].start == d.Start && stack[len(stack)-1].end == d.End) {
			stack = stack[:len(stack)-1]
		}
		scope := d.scope
		if len(stack) > 0 {
			scope = joinScope(stack[len(stack)-1].prefix, scope)
		}
		d.Scope = scope
		stack = append(stack, open{end: d.End, start: d.Start, prefix: joinScope(scope, d.Name)})
		if d.container {
			continue
		}
		d.Signature = signature(src, d, b.comments)
		d.Doc = docLine(d.doc)
		if d.doc == "" {
			d.Doc = docLine(b.commentAbove(src, d))
		}
		b.file.Definitions = append(b.file.Definitions, d.Definition)
	}
}

func joinScope(a, b string) string {
	if a == "" {
		return b
	}
	if b == "" {
		return a
	}
	return a + "." + b
}

// commentAbove gives the text of the comments that end right above d, without a blank line between.
func (b *builder) commentAbove(src []byte, d *found) string {
	i := sort.Search(len(b.comments), func(i int) bool { return b.comments[i].start >= d.Start })
	row := d.StartRow
	first := i
	for first > 0 {
		c := b.comments[first-1]
		if lastRow(src, c)+1 != row || !startsLine(src, c.start) {
			break
		}
		row = c.startRow
		first--
	}
	if first == i {
		return ""
	}
	return string(src[b.comments[first].start:b.comments[i-1].end])
}
