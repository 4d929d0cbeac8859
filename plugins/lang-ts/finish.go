package langts

import (
	"bytes"
	"slices"
	"strings"

	"github.com/repox-dev/repox/sdk/tag"
)

// frame is a definition, or a helper of the query, that encloses what comes next.
type frame struct {
	def      tag.Definition
	scope    string // of what lies inside
	origin   uint32 // where the node begins, before its lines are set
	local    bool
	members  string // the kind that function members have; empty if they are not reported
	exported bool
	out      int // the place among the definitions reported; notReported, or aPattern
}

const (
	notReported = -1
	aPattern    = -2 // not reported itself, but the names in it are
)

// finisher decides which of the definitions found are reported, and under which scope.
type finisher struct {
	src        []byte
	out        []tag.Definition
	stack      []frame
	names      map[string]bool // exported by a list
	statics    []int           // members given to a name that the file may not declare
	parameters []tag.Definition
}

// finish applies what the query cannot say: what encloses what, which names are local, lines with modifiers and without
// decorators, exported names, and what an import brings in.
func finish(src []byte, f *tag.File) {
	z := &finisher{src: src, names: map[string]bool{}}
	nestedGlobals(src, f)
	for _, d := range f.Definitions {
		z.take(d)
	}
	f.Definitions = z.settle()
	finishReferences(f, z.parameters)
	for i := range f.Imports {
		finishImport(&f.Imports[i])
	}
}

func (z *finisher) take(d tag.Definition) {
	for len(z.stack) > 0 {
		if t := z.stack[len(z.stack)-1].def.Span; t.End > d.Start && (t.End != d.End || z.top().origin != d.Start) {
			break
		}
		z.stack = z.stack[:len(z.stack)-1]
	}
	p := z.top()
	f := frame{def: d, scope: p.scope, origin: d.Start, local: p.local, out: notReported}
	d.Name = strings.Trim(d.Name, "\"'`")
	f.def.Name = d.Name
	switch d.Kind {
	case "export":
		z.names[d.Name] = true
		return
	case "reexport":
		return
	case "parameter":
		d.Span = p.def.Span
		z.parameters = append(z.parameters, d)
		return
	case "binding":
		z.binding(p, d)
		return
	case "decorator":
		z.decorator(p, d)
		return
	case "block":
		f.local = p.local || p.def.Kind != tag.Module
		f.exported = p.exported && !f.local
	case "literal", "object", "members":
		z.literal(&f, p)
	case "field":
	case tag.Constant, tag.Variable:
		z.value(&f, p)
	case tag.Method:
		z.method(&f, p)
	case "exported", "exported-class", "unit", "unit-class", "prototype", "static", "assigned":
		z.assigned(&f, p)
	default:
		z.named(&f, p)
	}
	z.stack = append(z.stack, f)
}

// top is the innermost frame; outside of all it is that of the file.
func (z *finisher) top() frame {
	if len(z.stack) == 0 {
		return frame{out: notReported, exported: true}
	}
	return z.stack[len(z.stack)-1]
}

// report adds a definition under the scope of its parent.
func (z *finisher) report(f *frame, scope, kind string) {
	f.def.Scope, f.def.Kind = scope, kind
	f.def.Exported = f.exported
	f.out = len(z.out)
	z.out = append(z.out, f.def)
}

func (z *finisher) named(f *frame, p frame) {
	d := &f.def
	if d.Kind == tag.Function && (d.Name == "=>" || d.Name == "function") {
		f.local = true
		return
	}
	if (d.Kind == tag.Function || d.Kind == tag.Class) && bindsValue(p) {
		z.bound(f, p)
		return
	}
	kind := d.Kind
	if kind == "bound" {
		kind = tag.Function
		d.Signature = tight.Replace(d.Signature)
	}
	before := *d
	z.place(d)
	f.exported = p.exported && !f.local && (d.Name == "default" || startsWithWord(z.src[d.Start:before.Start], "export") || startsWithWord(z.src[d.Start:], "export"))
	f.scope = join(p.scope, d.Name)
	switch kind {
	case tag.Class, tag.Interface:
		f.members = tag.Method
	case tag.Function:
		f.local = true
	}
	z.report(f, p.scope, kind)
}

// bindsValue tells whether a named function or class right inside p, without a body in between, is the value that p is
// bound to.
func bindsValue(p frame) bool {
	switch p.def.Kind {
	case tag.Function, tag.Method, tag.Class, "exported", "exported-class", "unit", "unit-class", "static", "prototype", "assigned":
		return true
	}
	return false
}

// bound makes f stand for p. What a file exports as a whole goes by its own name.
func (z *finisher) bound(f *frame, p frame) {
	if p.def.Kind == "unit" || p.def.Kind == "unit-class" {
		kind, scope := f.def.Kind, p.def.Scope
		f.def.Span = p.def.Span
		f.scope, f.exported = join(scope, f.def.Name), true
		f.local = kind == tag.Function
		if kind == tag.Class {
			f.members = tag.Method
		}
		z.report(f, scope, kind)
		return
	}
	def := f.def
	*f = p
	f.def.Span, f.origin = def.Span, def.Start
}

func (z *finisher) literal(f *frame, p frame) {
	switch {
	case f.def.Kind == "members" && len(z.stack) == 0:
		f.members, f.exported = tag.Function, true
	case f.def.Kind == "object" && (p.def.Kind == tag.Constant || p.def.Kind == tag.Variable || p.def.Kind == "field"):
		f.scope = join(p.scope, p.def.Name)
		if p.out >= 0 {
			f.members, f.exported = tag.Method, p.exported
		}
	case f.def.Kind == "object" && len(z.stack) == 0:
		f.scope = f.def.Scope // default, or the owner of a prototype
		f.members, f.exported = tag.Method, true
	case z.src[f.def.Start] == 'c' && bindsValue(p):
		f.members, f.exported = p.members, p.exported
		if p.def.Kind == "unit-class" || p.def.Kind == "exported-class" {
			f.members = tag.Method
		}
	}
}

// value takes a variable that holds neither a function nor a class. Only those of the file or a namespace count.
func (z *finisher) value(f *frame, p frame) {
	if p.local {
		return
	}
	start := f.def.Start
	z.place(&f.def)
	f.exported = p.exported && startsWithWord(z.src[f.def.Start:start], "export")
	if f.def.Name == "{" || f.def.Name == "[" {
		f.out = aPattern
		return
	}
	z.report(f, p.scope, f.def.Kind)
}

func (z *finisher) binding(p frame, d tag.Definition) {
	if p.out != aPattern {
		return
	}
	f := frame{def: p.def, exported: p.exported}
	f.def.Name, f.def.NameStart = d.Name, d.NameStart
	z.report(&f, p.scope, p.def.Kind)
}

func (z *finisher) method(f *frame, p frame) {
	f.scope = join(p.scope, f.def.Name)
	f.local = true
	if p.members == "" {
		return
	}
	z.placeMethod(&f.def)
	f.exported = p.exported && !strings.HasPrefix(f.def.Name, "#") && !strings.HasPrefix(f.def.Signature, "private ")
	z.report(f, p.scope, p.members)
}

// assigned takes functions and classes that are put somewhere. At the top of a file that may define a member or an
// export; elsewhere it only names what lies inside.
func (z *finisher) assigned(f *frame, p frame) {
	owner := f.def.Scope
	top := len(z.stack) == 0
	if p.origin != 0 && p.def.End == f.def.End && p.local && (p.def.Kind == tag.Function || p.def.Kind == tag.Class || p.def.Kind == "exported" || p.def.Kind == "exported-class") {
		// A link of a chain has the lines of the statement.
		top = true
		f.scope = p.def.Scope
	}
	class := strings.HasSuffix(f.def.Kind, "-class")
	f.local = !class
	kind := f.def.Kind
	scope := f.scope
	f.scope = join(scope, f.def.Name)
	if !top {
		return
	}
	if class {
		f.members = tag.Method
	}
	f.exported = true
	switch kind {
	case "exported":
		z.report(f, scope, tag.Function)
	case "exported-class":
		z.report(f, scope, tag.Class)
	case "unit", "unit-class":
		f.def.Scope = scope
	case "prototype", "static":
		f.scope = join(owner, f.def.Name)
		z.report(f, owner, tag.Method)
		if kind == "static" {
			z.statics = append(z.statics, f.out)
		}
	}
}

// decorator leaves a decorator out of the lines of what it stands on.
func (z *finisher) decorator(p frame, d tag.Definition) {
	if p.out < 0 || len(z.stack) == 0 {
		return
	}
	def := &z.out[p.out]
	if d.Start != p.origin && (d.Start != def.Start || d.Start < p.origin) {
		return
	}
	next := d.End + blank(z.src[d.End:])
	if def.Start < p.origin && next > p.origin {
		// Modifiers before the decorators stay; the signature loses them.
		def.Signature = strings.TrimPrefix(def.Signature, oneLine(z.src[p.origin:next])+" ")
		z.stack[len(z.stack)-1].origin = next
		return
	}
	def.Signature = strings.TrimPrefix(def.Signature, oneLine(z.src[def.Start:next])+" ")
	def.StartRow += uint32(bytes.Count(z.src[def.Start:next], []byte("\n")))
	def.Start = next
	z.stack[len(z.stack)-1].origin = next
}

// settle drops members of names that the file does not declare and marks what a list exports.
func (z *finisher) settle() []tag.Definition {
	declared := map[string]bool{}
	for _, d := range z.out {
		if d.Scope == "" {
			declared[d.Name] = true
		}
	}
	drop := map[int]bool{}
	for _, i := range z.statics {
		drop[i] = !declared[z.out[i].Scope]
	}
	kept := z.out[:0]
	for i, d := range z.out {
		if drop[i] {
			continue
		}
		head, _, _ := strings.Cut(d.Scope, ".")
		if d.Scope == "" && z.names[d.Name] || z.names[head] && d.Kind == tag.Method && !strings.HasPrefix(d.Name, "#") {
			d.Exported = true
		}
		kept = append(kept, d)
	}
	return kept
}

// finishReferences says what this means, and drops type parameters of classes.
func finishReferences(f *tag.File, parameters []tag.Definition) {
	var classes []tag.Definition
	for _, d := range f.Definitions {
		if d.Kind == tag.Class {
			classes = append(classes, d)
		}
	}
	for i := range f.References {
		r := &f.References[i]
		r.Name = strings.TrimPrefix(r.Name, "#")
		head, _, _ := strings.Cut(r.Qualifier, ".")
		if head != "this" && head != "super" {
			continue
		}
		own := r.Qualifier == "this"
		r.Qualifier = tag.UnknownQualifier
		for _, c := range classes {
			if own && c.Start <= r.Start && r.Start < c.End {
				r.Qualifier = join(c.Scope, c.Name)
			}
		}
	}
	if len(parameters) == 0 {
		return
	}
	f.References = slices.DeleteFunc(f.References, func(r tag.Reference) bool {
		return r.Role == tag.TypeUse && r.Qualifier == "" && slices.ContainsFunc(parameters, func(p tag.Definition) bool {
			return p.Name == r.Name && p.Start <= r.Start && r.Start < p.End
		})
	})
}

func join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "." + b
}
