package langrust

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/repox-dev/repox/sdk/tag"
)

// Roles that the query gives to what finishReferences decides.
const (
	roleToken     = "token"
	roleAttribute = "attribute"
)

// finishReferences drops what is no reference after all, and writes qualifiers that depend on their place (Self, self,
// super) as names.
func finishReferences(src []byte, f *tag.File, names scopeNames) {
	around := surroundings{defs: f.Definitions}
	out := f.References[:0]
	for _, r := range f.References {
		if meansNothing(&r) {
			continue
		}
		around.move(r.Start)
		if r.Role == roleToken && !readToken(src, &r, &around) {
			continue
		}
		if r.Qualifier == tag.UnknownQualifier {
			r.Qualifier = pathBefore(src, r.Start)
		}
		r.Name = plain(r.Name)
		if r.Qualifier != "" && r.Qualifier != tag.UnknownQualifier {
			if r.Role == tag.TypeUse && r.Qualifier == "Self" && !allCapitals(r.Name) && !around.inTrait() {
				r.Qualifier = tag.UnknownQualifier // what the trait that is implemented calls so
			} else {
				r.Qualifier = around.settle(names.qualifier(r.Qualifier))
			}
		}
		out = append(out, r)
	}
	f.References = out
}

// meansNothing tells of a reference by itself that no definition of a repository stands behind it. Single capitals are
// type parameters, which an impl block declares out of the sight of its methods.
func meansNothing(r *tag.Reference) bool {
	switch r.Role {
	case roleAttribute:
		return true
	case tag.Decorator:
		return r.Qualifier == "" && builtinAttributes[r.Name]
	case tag.TypeUse:
		if r.Qualifier == "" && len(r.Name) == 1 && unicode.IsUpper(rune(r.Name[0])) {
			return true
		}
	}
	return r.Name == "Self" || r.Name == "_"
}

// builtinAttributes are the compiler's own attributes that are often met; they mean no name of a repository.
var builtinAttributes = map[string]bool{
	"allow": true, "cfg": true, "cfg_attr": true, "cold": true, "deny": true, "deprecated": true, "derive": true,
	"doc": true, "expect": true, "export_name": true, "feature": true, "forbid": true, "global_allocator": true, "ignore": true,
	"inline": true, "link": true, "link_name": true, "macro_export": true, "macro_use": true, "must_use": true,
	"no_mangle": true, "no_std": true, "non_exhaustive": true, "path": true, "proc_macro": true,
	"proc_macro_attribute": true, "proc_macro_derive": true, "repr": true, "rustfmt": true, "should_panic": true,
	"target_feature": true, "test": true, "track_caller": true, "unsafe": true, "used": true, "warn": true,
}

// qualifier writes a qualifier as names. The place of self may have been taken by the type of an impl block.
func (s scopeNames) qualifier(q string) string {
	if !strings.ContainsAny(q, "#<&*[('! \n") {
		return q
	}
	if strings.Contains(q, "r#") {
		q = strings.ReplaceAll(q, "r#", "")
	}
	return s.of(q)
}

// surroundings knows the definitions around a place that moves forward.
type surroundings struct {
	defs []tag.Definition // in the order of their start
	next int
	open []int
}

func (s *surroundings) move(at uint32) {
	for s.next < len(s.defs) && s.defs[s.next].Start <= at {
		s.drop(s.defs[s.next].Start)
		s.open = append(s.open, s.next)
		s.next++
	}
	s.drop(at)
}

func (s *surroundings) drop(at uint32) {
	for n := len(s.open); n > 0 && s.defs[s.open[n-1]].End <= at; n-- {
		s.open = s.open[:n-1]
	}
}

// local tells whether a definition is a value inside of a body. The definitions are asked for in their order.
func (s *surroundings) local(d tag.Definition) bool {
	s.drop(d.Start)
	outer := len(s.open) - 1
	s.open = append(s.open, s.next)
	s.next++
	if outer < 0 || d.Kind != tag.Constant && d.Kind != tag.Variable {
		return false
	}
	switch s.defs[s.open[outer]].Kind {
	case tag.Function, tag.Method, tag.Constant, tag.Variable:
		return true
	}
	return false
}

// self is the name of the type or trait whose member the place lies in.
func (s *surroundings) self() string {
	for i := len(s.open) - 1; i >= 0; i-- {
		switch d := &s.defs[s.open[i]]; d.Kind {
		case tag.Method, tag.Constant:
			return d.Scope
		case tag.Struct, tag.Enum, tag.Trait:
			return join(d.Scope, d.Name)
		}
	}
	return ""
}

// allCapitals tells the name of a constant, which patterns and lengths have where types stand.
func allCapitals(name string) bool { return strings.ToUpper(name) == name }

// inTrait tells whether the place lies in the definition of a trait.
func (s *surroundings) inTrait() bool {
	for _, i := range s.open {
		if s.defs[i].Kind == tag.Trait {
			return true
		}
	}
	return false
}

// module is the path of the modules around the place.
func (s *surroundings) module() []string {
	for i := len(s.open) - 1; i >= 0; i-- {
		if d := &s.defs[s.open[i]]; d.Kind == tag.Module {
			return strings.Split(join(d.Scope, d.Name), ".")
		}
	}
	return nil
}

// settle writes the words Self, self and super at the start of a path as the names they stand for. Paths that leave the
// file stay as they are.
func (s *surroundings) settle(q string) string {
	head, rest, more := strings.Cut(q, "::")
	switch head {
	case "Self":
		self := s.self()
		if self == "" {
			return q
		}
		if more {
			return strings.ReplaceAll(self, ".", "::") + "::" + rest
		}
		return self
	case "super":
		if len(s.module()) == 0 {
			return q
		}
	case "self":
	default:
		return q
	}
	path := strings.Split(fromTop(s.module(), strings.Split(q, "::")), "::")[1:]
	if len(path) > 0 && path[0] == "super" {
		return q
	}
	return strings.Join(path, "::")
}

// readToken decides what a name among the tokens of a macro is, by its neighbours; false if it is most likely nothing
// that a definition stands for: a variable, a field, a word of the macro's own.
func readToken(src []byte, r *tag.Reference, around *surroundings) bool {
	if !tokenRole(src[int(r.Start)+len(r.Name):], r) {
		return false
	}
	before := strings.TrimRight(string(src[max(0, int(r.Start)-maxPath):r.Start]), " \t\r\n")
	switch {
	case strings.HasSuffix(before, "..") || before == "":
	case strings.HasSuffix(before, "."):
		r.Qualifier = tag.UnknownQualifier
		if value := before[:len(before)-1]; lastWord(value) == "self" && !strings.HasSuffix(value, ".self") {
			r.Qualifier = around.self()
		}
	case strings.HasSuffix(before, "::"):
		r.Qualifier = lastPath(before[:len(before)-2])
	case strings.HasSuffix(before, "'") || strings.HasSuffix(before, "#["):
		return false
	default:
		return !declaring[lastWord(before)]
	}
	return true
}

// pathBefore reads the path before a name. A module may bear the name of a local, but before colons no local can stand;
// anything but a path stays unknown.
func pathBefore(src []byte, at uint32) string {
	if !bytes.HasSuffix(src[:at], []byte("::")) {
		return tag.UnknownQualifier
	}
	start := max(0, int(at)-maxPath)
	if path := lastPath(string(src[start : at-2])); path != "" {
		return path
	}
	return tag.UnknownQualifier
}

// maxPath is how far back a path is read.
const maxPath = 120

// tokenRole reads a role from what follows a name.
func tokenRole(after []byte, r *tag.Reference) bool {
	first, _ := utf8.DecodeRuneInString(r.Name)
	next := func(i int) byte {
		if i < len(after) {
			return after[i]
		}
		return 0
	}
	switch {
	case tokenWords[r.Name]:
		return false
	case next(0) == '(', next(0) == ':' && next(1) == ':' && next(2) == '<' && unicode.IsLower(first):
		r.Role = tag.Call
	case next(0) == '!' && next(1) != '=':
		r.Role = tag.MacroUse
	case unicode.IsUpper(first) && next(0) != ':' || unicode.IsUpper(first) && next(1) == ':':
		r.Role = tag.TypeUse
	default:
		return false
	}
	return true
}

// declaring are the words after which a name is a new one.
var declaring = map[string]bool{
	"fn": true, "struct": true, "enum": true, "union": true, "trait": true, "mod": true, "type": true, "const": true,
	"static": true, "let": true, "mut": true, "ref": true, "use": true,
}

// tokenWords are keywords that the grammar takes for names among tokens.
var tokenWords = map[string]bool{
	"else": true, "in": true, "ref": true, "dyn": true, "move": true, "extern": true, "try": true, "yield": true,
	"macro_rules": true, "box": true, "Self": true,
}

func lastWord(s string) string {
	i := strings.LastIndexFunc(s, func(r rune) bool { return !isWord(r) })
	if i < 0 {
		return s
	}
	_, size := utf8.DecodeRuneInString(s[i:])
	return s[i+size:]
}

// lastPath gives the path of names at the end of s, the mark for an expression if there is none.
func lastPath(s string) string {
	i := strings.LastIndexFunc(s, func(r rune) bool { return !isWord(r) && r != ':' })
	if i >= 0 {
		_, size := utf8.DecodeRuneInString(s[i:])
		s = s[i+size:]
	}
	s = strings.TrimPrefix(strings.TrimPrefix(s, "$crate"), "::")
	return strings.TrimLeft(s, ":")
}
