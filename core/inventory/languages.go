package inventory

import (
	"path"
	"strings"

	pluginv1 "github.com/repox-dev/repox/sdk/proto"
)

// Languages tells the language of a file by its name.
type Languages struct {
	byExtension map[string]string
	byName      map[string]string
}

// NewLanguages gathers the languages of packs; where two claim the same name, the first has it.
func NewLanguages(languages []*pluginv1.Language) *Languages {
	l := &Languages{byExtension: map[string]string{}, byName: map[string]string{}}
	for _, lang := range languages {
		for _, ext := range lang.Extensions {
			claim(l.byExtension, strings.ToLower(ext), lang.Name)
		}
		for _, name := range lang.Filenames {
			claim(l.byName, name, lang.Name)
		}
	}
	return l
}

func claim(m map[string]string, key, language string) {
	if _, ok := m[key]; !ok {
		m[key] = language
	}
}

// Of gives the language of a path, empty if no pack knows it.
func (l *Languages) Of(name string) string {
	base := path.Base(name)
	if lang, ok := l.byName[base]; ok {
		return lang
	}
	// The longest extension counts: .d.ts before .ts.
	for i := strings.IndexByte(base, '.'); i >= 0; {
		if lang, ok := l.byExtension[strings.ToLower(base[i:])]; ok {
			return lang
		}
		next := strings.IndexByte(base[i+1:], '.')
		if next < 0 {
			break
		}
		i += 1 + next
	}
	return ""
}
