package langrust

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/repox-dev/repox/sdk/tag"
)

// finishMembers writes the scopes of members as names. What a type derefs to is a base: its members are found there.
func finishMembers(f *tag.File, names scopeNames) {
	for i := range f.Members {
		m := &f.Members[i]
		m.Scope = names.of(m.Scope)
		if m.Name == "Target" && m.Scope != "" && m.Type != "" {
			f.Members = append(f.Members, tag.Member{Scope: m.Scope, Type: m.Type})
		}
	}
}

// itemTokens matches uses and modules without a body among the tokens of a macro.
var itemTokens = regexp.MustCompile(`(?:^|[{};\])\n])\s*(?:pub(?:\([^)]*\))?\s+)?(use|mod)\s+([^;{}]*(?:\{[^;]*\})?)\s*;`)

// readTokens gives the imports among the items in the braces of a macro. No grammar can know that these are items, so the
// imports are implied.
func readTokens(into []tag.Import, tokens string, row uint32) []tag.Import {
	for at := 0; at < len(tokens); {
		m := itemTokens.FindStringSubmatchIndex(tokens[at:])
		if m == nil {
			break
		}
		text := tokens[at+m[4] : at+m[5]]
		line := row + uint32(strings.Count(tokens[:at+m[4]], "\n"))
		first := len(into)
		if tokens[at+m[2]:at+m[3]] == "use" {
			into = readUse(into, text, line)
		} else if name := strings.TrimSpace(text); name != "" && wordLength(name) == len(name) {
			into = append(into, tag.Import{Module: name, Row: line})
		}
		for i := first; i < len(into); i++ {
			into[i].Implied = true
		}
		at += m[5]
	}
	return into
}

// namedInFull gives an import for each path that the file writes out where it uses it: crate::a::b, or one that starts at
// another crate. Each goes by the whole path, with dots.
func namedInFull(f *tag.File) []tag.Import {
	bound := map[string]bool{"std": true, "core": true, "alloc": true, "Self": true, "": true}
	for _, i := range f.Imports {
		for _, n := range i.Names {
			name, as, renamed := strings.Cut(n, " as ")
			if renamed {
				name = as
			}
			bound[name] = true
		}
		if len(i.Names) == 0 {
			bound[i.Module] = true
		}
		if i.Local != "" || len(i.Names) == 1 && i.Names[0] == "self" {
			bound[i.Module[strings.LastIndexByte(i.Module, ':')+1:]] = true
		}
	}
	for i := range f.Definitions {
		if d := &f.Definitions[i]; d.Scope == "" {
			bound[d.Name] = true
		}
	}
	var out []tag.Import
	seen := map[string]bool{}
	add := func(path string, row uint32) {
		head, _, more := strings.Cut(path, ".")
		first, _ := utf8.DecodeRuneInString(head)
		if bound[head] || seen[path] || !unicode.IsLower(first) || !more && (head == "crate" || head == "super" || head == "self") {
			return
		}
		seen[path] = true
		imp := tag.Import{Module: path, Names: []string{"* as " + path}, Row: row, Implied: true}
		if i := strings.LastIndexByte(path, '.'); i >= 0 {
			imp.Module, imp.Names = path[:i], []string{path[i+1:] + " as " + path}
		}
		imp.Module = strings.ReplaceAll(imp.Module, ".", "::")
		out = append(out, imp)
	}
	for i := range f.References {
		r := &f.References[i]
		if r.Qualifier != "" && r.Qualifier != tag.UnknownQualifier {
			add(strings.ReplaceAll(r.Qualifier, "::", "."), r.Row)
		} else if head := fullName(r.Receiver); head != "" {
			add(head, r.Row)
		}
	}
	for i := range f.Members {
		if head := fullName(f.Members[i].Type); head != "" {
			add(head, 0)
		}
	}
	return out
}

// fullName gives the start of a path to a type, up to the type, if it starts at a crate or module.
func fullName(path string) string {
	path = strings.TrimLeft(path, "<")
	if i := strings.IndexAny(path, "<>!,"); i >= 0 {
		path = path[:i]
	}
	parts := strings.Split(path, ".")
	i := slices.IndexFunc(parts, func(p string) bool { return p != "" && unicode.IsUpper(rune(p[0])) })
	switch {
	case i > 0:
		return strings.Join(parts[:i+1], ".")
	case i < 0 && len(parts) > 1:
		return strings.Join(parts[:len(parts)-1], ".")
	}
	return ""
}
