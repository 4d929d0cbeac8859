package langts

import (
	"regexp"
	"strings"

	"github.com/repox-dev/repox/sdk/tag"
)

var comments = regexp.MustCompile(`//[^\n]*|/\*[\s\S]*?\*/`)

// finishImport reads what an import brings in from the text of its clause, pattern or name.
func finishImport(i *tag.Import) {
	local := i.Local
	i.Local = ""
	if len(i.Names) == 0 {
		return
	}
	text := comments.ReplaceAllString(i.Names[0], " ")
	switch {
	case len(i.Names) == 2: // x = require("m").y
		i.Names = []string{renamed(i.Names[1], text)}
	case local == "":
		i.Names = clauseNames(text)
	case local == "module.exports":
		i.Names = []string{"*"}
	case strings.HasPrefix(text, "{"):
		i.Names = clauseNames(text)
	case strings.HasPrefix(text, "["):
		i.Names = nil
	default:
		i.Names = []string{"* as " + local}
	}
	for _, n := range i.Names {
		if rest, ok := strings.CutPrefix(n, "* as "); ok {
			i.Local = rest
		}
	}
}

func renamed(name, local string) string {
	if name == local {
		return name
	}
	return name + " as " + local
}

// clauseNames reads an import or export clause, or an object pattern.
func clauseNames(text string) []string {
	outside, inside, _ := strings.Cut(text, "{")
	var names []string
	for part := range strings.SplitSeq(outside, ",") {
		part = strings.Join(strings.Fields(part), " ")
		switch {
		case part == "":
		case strings.HasPrefix(part, "*"):
			names = append(names, unquoted(part))
		default:
			names = append(names, "default as "+part)
		}
	}
	if i := strings.LastIndexByte(inside, '}'); i >= 0 {
		inside = inside[:i]
	}
	for _, part := range members(inside) {
		if n := specifier(part); n != "" {
			names = append(names, n)
		}
	}
	return names
}

// members splits a clause or a pattern at its own commas.
func members(text string) []string {
	var out []string
	depth, start := 0, 0
	for i := range len(text) {
		switch text[i] {
		case '{', '[', '(':
			depth++
		case '}', ']', ')':
			depth--
		case ',':
			if depth == 0 {
				out = append(out, text[start:i])
				start = i + 1
			}
		}
	}
	return append(out, text[start:])
}

// specifier reads one name of a clause: without the modifier type, without quotes, a pattern's key in the words of an
// import.
func specifier(part string) string {
	part, _, _ = strings.Cut(part, "=")
	if strings.HasPrefix(strings.TrimSpace(part), "...") {
		return "*"
	}
	key, value, ok := strings.Cut(part, ":")
	if ok && !strings.ContainsAny(key, `"'`) {
		if inner := strings.TrimSpace(value); inner != "" && (inner[0] == '{' || inner[0] == '[') {
			return strings.TrimSpace(key) // taken apart further
		}
		return renamed(strings.TrimSpace(key), strings.TrimSpace(value))
	}
	part = unquoted(strings.Join(strings.Fields(part), " "))
	for _, modifier := range []string{"type ", "typeof "} {
		rest, ok := strings.CutPrefix(part, modifier)
		if ok && (!strings.HasPrefix(rest, "as ") || strings.HasPrefix(rest, "as as ") || rest == "as") {
			return rest
		}
	}
	return part
}

func unquoted(s string) string { return strings.NewReplacer(`"`, "", "'", "").Replace(s) }
