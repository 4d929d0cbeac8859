package langrust

import (
	"bytes"
	"slices"
	"strings"

	"github.com/repox-dev/repox/sdk/tag"
)

// finish applies what the query cannot say: names of impl blocks, visibility, use trees, and what the loose tokens of a
// macro mean.
func finish(src []byte, f *tag.File) {
	names := scopeNames{}
	around := surroundings{defs: f.Definitions}
	defs := make([]tag.Definition, 0, len(f.Definitions))
	for _, d := range f.Definitions {
		d.Name = plain(d.Name)
		if d.Name == "_" || around.local(d) {
			continue
		}
		d.Scope = names.of(d.Scope)
		d.Exported = isPublic(d.Signature)
		defs = append(defs, d)
	}
	f.Definitions = defs
	paths := readAttributes(src, f)
	finishMembers(f, names)
	finishReferences(src, f, names)
	finishImports(src, f, paths)
	f.Imports = append(f.Imports, namedInFull(f)...)
}

// plain cuts the mark of a raw name.
func plain(name string) string { return strings.TrimPrefix(name, "r#") }

func isPublic(signature string) bool {
	rest, ok := strings.CutPrefix(signature, "pub")
	return ok && (strings.HasPrefix(rest, " ") || strings.HasPrefix(rest, "("))
}

// readAttributes looks at the attributes above each definition: a doc comment may stand above them, a macro may be
// exported by one, and a module may lie in a file that one names. It gives those files by the row of the module.
func readAttributes(src []byte, f *tag.File) map[uint32]string {
	var paths map[uint32]string
	for i := range f.Definitions {
		d := &f.Definitions[i]
		above := attributesAbove(src, int(d.Start))
		if above.count == 0 {
			continue
		}
		if d.Doc == "" {
			d.Doc = above.doc
		}
		if d.Kind == tag.Macro && above.exported {
			d.Exported = true
		}
		if d.Kind == tag.Module && above.path != "" {
			if paths == nil {
				paths = map[uint32]string{}
			}
			paths[d.StartRow] = above.path
		}
	}
	return paths
}

// attributes is what stands above a definition.
type attributes struct {
	count     int
	exported  bool
	path, doc string
}

// attributesAbove walks up from a definition over attributes and line comments.
func attributesAbove(src []byte, at int) attributes {
	var a attributes
	for {
		at = len(bytes.TrimRight(src[:at], " \t\r\n"))
		if at == 0 {
			return a
		}
		if start := attributeStart(src, at); start >= 0 {
			a.add(string(bytes.TrimSpace(src[start+2 : at-1])))
			at = start
			continue
		}
		lineStart := bytes.LastIndexByte(src[:at], '\n') + 1
		line := strings.TrimSpace(string(src[lineStart:at]))
		switch {
		case strings.HasPrefix(line, "///") && !strings.HasPrefix(line, "////"):
			if text := strings.Trim(line, "/ \t"); text != "" {
				a.doc = cut(text)
			}
		case strings.HasPrefix(line, "//") && !strings.HasPrefix(line, "//!"):
		default:
			return a
		}
		at = lineStart
	}
}

// cut bounds a doc line, at a whole character.
func cut(text string) string {
	const longest = 200
	if len(text) <= longest {
		return text
	}
	return strings.ToValidUTF8(text[:longest], "") + "…"
}

func (a *attributes) add(text string) {
	a.count++
	if text == "macro_export" || strings.HasPrefix(text, "macro_export(") {
		a.exported = true
	}
	if rest, ok := strings.CutPrefix(text, "path"); ok {
		rest, ok = strings.CutPrefix(strings.TrimSpace(rest), "=")
		if ok {
			a.path = strings.Trim(rest, " \t\r\n\"")
		}
	}
}

// attributeStart gives where the attribute that ends at end begins, -1 if none does. Brackets in its strings are not
// told apart: they come in pairs nearly always.
func attributeStart(src []byte, end int) int {
	const longest = 1 << 12
	if src[end-1] != ']' {
		return -1
	}
	depth := 0
	for i := end - 1; i > 0 && i > end-longest; i-- {
		switch src[i] {
		case ']':
			depth++
		case '[':
			depth--
			if depth == 0 {
				if src[i-1] == '#' {
					return i - 1
				}
				return -1
			}
		}
	}
	return -1
}

// scopeNames makes names of scopes that hold whole types, as impl blocks go by the type that they are for.
type scopeNames map[string]string

func (s scopeNames) of(scope string) string {
	if strings.IndexFunc(scope, func(r rune) bool { return r != '.' && !isWord(r) }) < 0 {
		return scope
	}
	name, ok := s[scope]
	if !ok {
		var parts []string
		for _, p := range splitScope(scope) {
			if n := typeName(p); n != "" {
				parts = append(parts, n)
			}
		}
		name = strings.Join(parts, ".")
		s[scope] = name
	}
	return name
}

// splitScope splits at the dots that do not belong to a type.
func splitScope(scope string) []string {
	var parts []string
	depth, start := 0, 0
	for i := range len(scope) {
		switch scope[i] {
		case '<', '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case '>':
			if i == 0 || scope[i-1] != '-' {
				depth--
			}
		case '.':
			if depth == 0 {
				parts = append(parts, scope[start:i])
				start = i + 1
			}
		}
	}
	return append(parts, scope[start:])
}

// typeName gives the last name of the first path in a type, leaving out type arguments: Foo for &'a mut a::Foo<T>.
func typeName(t string) string {
	name := ""
	for i := 0; i < len(t); {
		n := wordLength(t[i:])
		switch {
		case strings.HasPrefix(t[i:], "//"):
			i += lineLength(t[i:])
		case strings.HasPrefix(t[i:], "/*"):
			i += blockLength(t[i:])
		case t[i] == '\'':
			i += 1 + wordLength(t[i+1:])
		case t[i] == '<':
			i += anglesLength(t[i:])
		case n > 0:
			if word := t[i : i+n]; !typeWords[word] {
				name = plain(word)
			}
			i += n
		case name != "" && !strings.HasPrefix(t[i:], "::") && strings.IndexByte(" \t\r\n", t[i]) < 0:
			return name
		case strings.HasPrefix(t[i:], "::"):
			i += 2
		default:
			i++
		}
	}
	return name
}

// typeWords are the words that may stand before a path in a type.
var typeWords = map[string]bool{
	"mut": true, "const": true, "dyn": true, "impl": true, "for": true, "fn": true, "unsafe": true, "extern": true,
}

func anglesLength(s string) int {
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '<':
			depth++
		case '>':
			if s[i-1] == '-' {
				continue
			}
			depth--
			if depth == 0 {
				return i + 1
			}
		}
	}
	return len(s)
}

// finishImports takes use trees apart and says where a path starts that is relative to a module inside the file. Such
// paths mean nothing without the place they stand at, which a resolver does not know: Local carries them as seen from
// the file's top, as self::path. No name of the source has that form, so nothing is bound by it.
func finishImports(src []byte, f *tag.File, paths map[uint32]string) {
	inline, files := modulesOf(src, f)
	out := make([]tag.Import, 0, len(f.Imports))
	for _, imp := range f.Imports {
		if imp.Local != "" { // a renamed crate
			imp.Module, imp.Local = plain(imp.Module), plain(imp.Local)
			imp.Names = []string{"* as " + imp.Local}
			out = append(out, imp)
			continue
		}
		first := len(out)
		if strings.HasPrefix(imp.Module, "{") {
			out = readTokens(out, imp.Module, imp.Row)
		} else {
			out = readUse(out, imp.Module, imp.Row)
		}
		for i := first; i < len(out); i++ {
			place(&out[i], inline, files, paths)
		}
	}
	followLocal(out, f.Definitions)
	f.Imports = out
}

// followLocal sets Local of imports at the top of a file whose path starts at a name that the file itself has: of an item,
// as in use Shape::*, or of another import, whose path then stands before the rest. Such a path begins with colons.
func followLocal(imports []tag.Import, defs []tag.Definition) {
	bound := map[string]string{}
	for i := range defs {
		switch d := &defs[i]; d.Kind {
		case tag.Enum, tag.Struct, tag.Trait, tag.Type:
			bound[d.Name] = "self::" + d.Name
		}
	}
	for i := range imports {
		imp := &imports[i]
		if imp.Local != "" || len(imp.Names) != 1 || imp.Names[0] == "*" {
			continue
		}
		name, as, renamed := strings.Cut(imp.Names[0], " as ")
		whole := imp.Module + "::" + name
		switch {
		case name == "*" && renamed:
			whole, name = imp.Module, as
		case name == "self":
			whole, name = imp.Module, imp.Module[strings.LastIndexByte(imp.Module, ':')+1:]
		}
		if renamed {
			name = as
		}
		if head, _, _ := strings.Cut(whole, "::"); bound[name] == "" && head != name {
			bound[name] = "::" + whole
		}
	}
	for i := range imports {
		imp := &imports[i]
		head, rest, more := strings.Cut(imp.Module, "::")
		whole := bound[head]
		if imp.Local != "" || whole == "" || len(imp.Names) == 0 {
			continue
		}
		if more {
			whole += "::" + rest
		}
		setLocal(imp, whole)
	}
}

// fileModule is a module that lies in another file.
type fileModule struct {
	row  uint32
	name string
}

func modulesOf(src []byte, f *tag.File) (inline []tag.Definition, files map[fileModule]bool) {
	files = map[fileModule]bool{}
	for _, d := range f.Definitions {
		switch {
		case d.Kind != tag.Module:
		case src[d.End-1] == '}':
			inline = append(inline, d)
		default:
			files[fileModule{d.StartRow, d.Name}] = true
		}
	}
	return inline, files
}

// place sets Local where the module of an import depends on where in the file the import stands.
func place(imp *tag.Import, inline []tag.Definition, files map[fileModule]bool, paths map[uint32]string) {
	module := files[fileModule{imp.Row, imp.Module}]
	if p := paths[imp.Row]; module && p != "" {
		setLocal(imp, "./"+p)
		return
	}
	if len(inline) == 0 {
		return
	}
	var around []string
	for _, d := range inline {
		if d.StartRow <= imp.Row && imp.Row <= d.EndRow && d.StartRow < d.EndRow {
			around = strings.Split(join(d.Scope, d.Name), ".")
		}
	}
	path := strings.Split(imp.Module, "::")
	switch {
	case len(around) > 0 && (module || path[0] == "self" || path[0] == "super"):
		setLocal(imp, fromTop(around, path))
	case declares(inline, around, path[0]):
		setLocal(imp, fromTop(around, path))
	}
}

// declares tells whether a module in around declares the module called name.
func declares(inline []tag.Definition, around []string, name string) bool {
	scope := strings.Join(around, ".")
	return slices.ContainsFunc(inline, func(d tag.Definition) bool { return d.Name == name && d.Scope == scope })
}

// fromTop writes a path that stands inside of modules as seen from the top of the file.
func fromTop(around, path []string) string {
	up := slices.Clone(around)
	out := []string{"self"}
	for len(path) > 0 && (path[0] == "self" || path[0] == "super") {
		if path[0] == "super" {
			if len(up) > 0 {
				up = up[:len(up)-1]
			} else {
				out = append(out, "super")
			}
		}
		path = path[1:]
	}
	return strings.Join(append(append(out, up...), path...), "::")
}

// setLocal keeps the module bound under its own name, which an import without names would lose by a Local.
func setLocal(imp *tag.Import, local string) {
	if !strings.Contains(local, "::") && !strings.HasPrefix(local, "./") {
		local += "::"
	}
	imp.Local = local
	if len(imp.Names) == 0 {
		imp.Names = []string{"self"}
	}
}

func join(scope, name string) string {
	if scope == "" {
		return name
	}
	return scope + "." + name
}
