package langpython

import (
	"strings"

	"github.com/repox-dev/repox/sdk/tag"
)

// readImports takes statements apart: each comes as one import whose module is the statement's whole text.
func readImports(statements []tag.Import) []tag.Import {
	imports := make([]tag.Import, 0, len(statements))
	for _, s := range statements {
		words := importWords(s.Module)
		if len(words) == 0 {
			continue
		}
		if words[0] == "from" {
			imports = appendFrom(imports, words[1:], s.Row)
		} else {
			imports = appendModules(imports, words[1:], s.Row)
		}
	}
	return imports
}

// appendFrom adds `from MODULE import NAME as OTHER, …`.
func appendFrom(imports []tag.Import, words []string, row uint32) []tag.Import {
	imp := tag.Import{Row: row}
	for len(words) > 0 && words[0] != "import" {
		imp.Module += words[0]
		words = words[1:]
	}
	if imp.Module == "" || len(words) == 0 {
		return imports
	}
	for _, item := range importItems(words[1:]) {
		name := item.name
		if item.as != "" {
			name += " as " + item.as
		}
		imp.Names = append(imp.Names, name)
	}
	return append(imports, imp)
}

// appendModules adds `import MODULE as NAME, …`.
func appendModules(imports []tag.Import, words []string, row uint32) []tag.Import {
	for _, item := range importItems(words) {
		imp := tag.Import{Module: item.name, Row: row, Local: item.as}
		if item.as != "" {
			imp.Names = []string{"* as " + item.as}
		}
		imports = append(imports, imp)
	}
	return imports
}

type importItem struct{ name, as string }

// importItems reads a list of names between commas; dotted names come as several words.
func importItems(words []string) []importItem {
	var items []importItem
	var item importItem
	flush := func() {
		if item.name != "" {
			items = append(items, item)
		}
		item = importItem{}
	}
	as := false
	for _, w := range words {
		switch {
		case w == ",":
			flush()
			as = false
		case w == "as":
			as = true
		case as:
			item.as = w
		default:
			item.name += w
		}
	}
	flush()
	return items
}

// importWords splits a statement into names, dots, commas and stars. Parentheses and line continuations only lay it out.
func importWords(text string) []string {
	var words []string
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == '#':
			if end := strings.IndexByte(text[i:], '\n'); end >= 0 {
				i += end
			} else {
				i = len(text)
			}
		case c == '.' || c == ',' || c == '*':
			words = append(words, text[i:i+1])
			i++
		case isNameByte(c):
			start := i
			for i < len(text) && isNameByte(text[i]) {
				i++
			}
			words = append(words, text[start:i])
		default:
			i++
		}
	}
	return words
}

func isNameByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}
