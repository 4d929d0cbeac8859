package report

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"

	"github.com/repox-dev/repox/sdk/model"
)

// jsonLayout writes a JSON object with one line for each file and each definition, so that a document reads well in a
// diff. The budget holds for it too: where it is too small for all of the object, first findings go, then links, classes
// and tokenizer, and at last what is said of files and definitions beside path, name, line and signature.
type jsonLayout struct {
	*job
}

// jsonTied says of a file how its own references were tied, and who refers to it.
type jsonTied struct {
	Links     jsonLinks    `json:"links"`
	Users     uint32       `json:"users"`
	Strongest []jsonByFile `json:"strongest,omitempty"`
	Focus     []string     `json:"focus,omitempty"`
}

type jsonByFile struct {
	Path     string   `json:"path"`
	Names    []string `json:"names"`
	Resolved uint32   `json:"resolved"`
	Guessed  uint32   `json:"guessed,omitempty"`
}

type jsonDefinition struct {
	Name      string `json:"name"`
	Kind      string `json:"kind"`
	Scope     string `json:"scope"`
	LineStart uint32 `json:"line_start"`
	LineEnd   uint32 `json:"line_end"`
	Signature string `json:"signature"`
}

// jsonBare is a definition where the budget is too small for more.
type jsonBare struct {
	Name      string `json:"name"`
	LineStart uint32 `json:"line_start"`
	Signature string `json:"signature,omitempty"`
}

type jsonOmitted struct {
	Files       uint64            `json:"files"`
	Definitions uint64            `json:"definitions"`
	ByClass     map[string]uint64 `json:"by_class,omitempty"`
	Skipped     map[string]uint64 `json:"skipped,omitempty"`
	Findings    int               `json:"findings,omitempty"`
}

type jsonLinks struct {
	Resolved   uint64 `json:"resolved"`
	Guessed    uint64 `json:"guessed"`
	Unresolved uint64 `json:"unresolved"`
}

type jsonFinding struct {
	Kind    string `json:"kind"`
	Code    string `json:"code"`
	Message string `json:"message,omitempty"`
	Path    string `json:"path,omitempty"`
	Line    uint32 `json:"line,omitempty"`
	Field   string `json:"field,omitempty"`
}

// Levels of detail of the frame. From jsonBareItems on, they come once more, with bare files and definitions and in the
// other order, from the shortest to all; last, bare definitions in files with their language.
const (
	jsonAll = iota
	jsonNoFindings
	jsonShort
	jsonShortest
	jsonBareItems
	jsonBareDefinitions = 2 * jsonBareItems
)

func (l *jsonLayout) levels() int { return jsonBareDefinitions + 1 }

func (l *jsonLayout) leanest() int { return jsonShortest }

// frame is the level of detail of what stands around the files.
func frame(level int) int {
	switch {
	case level == jsonBareDefinitions:
		return jsonShortest
	case level >= jsonBareItems:
		return jsonBareDefinitions - 1 - level
	}
	return level
}

func (l *jsonLayout) around(level int) int {
	n := 0
	for line := range strings.SplitSeq(l.head(level, l.budget)+"\n"+l.tail(level, 0, 0), "\n") {
		n += l.counter.count(line + "\n")
	}
	return n
}

func (l *jsonLayout) heading(level, file, shown int) int {
	if shown == 0 {
		return 0
	}
	f := l.selection.Files[file]
	return l.counter.count(l.fileHead(level, f)+"\n") + l.counter.count(fileTail(level, f, shown)+",\n")
}

func (l *jsonLayout) fileHead(level int, f *model.SelectedFile) string {
	path, escaped := model.PathText(f.Path)
	mark := ""
	if escaped {
		mark = `,"path_escaped":true`
	}
	switch {
	case level == jsonBareDefinitions:
		return `{"path":` + quote(path) + mark + `,"language":` + quote(f.Language) + `,"definitions":[`
	case level >= jsonBareItems:
		return `{"path":` + quote(path) + mark + `,"definitions":[`
	}
	return `{"path":` + quote(path) + mark + `,"language":` + quote(f.Language) + `,"score":` + encode(significant(f.Score)) + `,"definitions":[`
}

func fileTail(level int, f *model.SelectedFile, shown int) string {
	if level >= jsonBareItems {
		return `]}`
	}
	if level < jsonShort {
		tied := jsonTied{Links: jsonLinks{uint64(f.Resolved), uint64(f.Guessed), uint64(f.Unresolved)}, Users: f.UsersTotal, Focus: f.Focus}
		for _, u := range f.Users {
			path, _ := model.PathText(u.Path)
			tied.Strongest = append(tied.Strongest, jsonByFile{path, u.Names, u.Resolved, u.Guessed})
		}
		return `],"why":` + encode(tied) + `,"omitted":` + encode(max(0, int(f.TotalDefinitions)-shown)) + `}`
	}
	return `],"omitted":` + encode(max(0, int(f.TotalDefinitions)-shown)) + `}`
}

func (l *jsonLayout) line(level int, i item, max int) int {
	return l.counter.count(l.lineText(level, i, max) + ",\n")
}

func (l *jsonLayout) lineText(level int, i item, max int) string {
	d := l.definition(i)
	signature := ""
	if max != nameOnly {
		signature = cut(printable(d.Signature), max)
	}
	if level >= jsonBareItems {
		return encode(jsonBare{d.Name, d.LineStart, signature})
	}
	return encode(jsonDefinition{d.Name, d.Kind, d.Scope, d.LineStart, d.LineEnd, signature})
}

// render writes the object; the number of tokens that it states includes itself.
func (l *jsonLayout) render(p *plan) string {
	body := l.body(p)
	tail := l.tail(p.level, len(p.files), p.definitions)
	tokens := 0
	for range 8 {
		text := l.head(p.level, tokens) + body + tail
		n := l.counter.exact(text)
		if n == tokens {
			break
		}
		tokens = n
	}
	return l.head(p.level, tokens) + body + tail
}

func (l *jsonLayout) body(p *plan) string {
	var b strings.Builder
	for n, f := range p.files {
		file := l.selection.Files[f]
		b.WriteString("\n" + l.fileHead(p.level, file) + "\n")
		for k, d := range p.chosen[f] {
			b.WriteString(l.lineText(p.level, item{file: f, definition: d}, p.cut(item{file: f, definition: d})))
			if k < len(p.chosen[f])-1 {
				b.WriteByte(',')
			}
			b.WriteByte('\n')
		}
		b.WriteString(fileTail(p.level, file, len(p.chosen[f])))
		if n < len(p.files)-1 {
			b.WriteByte(',')
		}
	}
	if len(p.files) > 0 {
		b.WriteByte('\n')
	}
	return b.String()
}

func (l *jsonLayout) head(level, tokens int) string {
	tokenizer := ""
	if frame(level) < jsonShortest {
		tokenizer = `,"tokenizer":` + quote(l.counter.codec.GetName())
	}
	return `{"version":1,"budget":` + encode(l.budget) + `,"tokens":` + encode(tokens) + tokenizer + `,"files":[`
}

func (l *jsonLayout) tail(level, files, definitions int) string {
	totalFiles, total := l.totals()
	omitted := jsonOmitted{Files: totalFiles - uint64(files), Definitions: total - uint64(definitions)}
	if frame(level) < jsonShortest {
		omitted.ByClass, omitted.Skipped = l.selection.Hidden, l.selection.Skipped
	}
	shown := 0
	if frame(level) == jsonAll {
		shown = l.shownFindings()
		omitted.Findings = len(l.findings) - shown
	}
	var b strings.Builder
	if len(l.order) == 0 {
		b.WriteString(`],"message":` + quote(nothing))
	} else {
		b.WriteString(`]`)
	}
	b.WriteString(`,"omitted":` + encode(omitted))
	if frame(level) < jsonShort {
		b.WriteString(`,"links":` + encode(jsonLinks{l.selection.Resolved, l.selection.Guessed, l.selection.Unresolved}))
		b.WriteString(`,"findings":[`)
		for n := range shown {
			b.WriteString("\n" + l.findingText(n))
			if n < shown-1 {
				b.WriteByte(',')
			}
		}
		if shown > 0 {
			b.WriteByte('\n')
		}
		b.WriteByte(']')
	}
	return b.String() + "}\n"
}

// shownFindings is how many findings take at most a tenth of the budget.
func (l *jsonLayout) shownFindings() int {
	left := l.budget / 10
	for n := range l.findings {
		if left -= l.counter.count(l.findingText(n) + ",\n"); left < 0 {
			return n
		}
	}
	return len(l.findings)
}

func (l *jsonLayout) findingText(n int) string {
	f := l.findings[n]
	path, _ := model.PathText(f.Path)
	return encode(jsonFinding{f.Kind, f.Code, f.Message, path, f.Line, f.Field})
}

func quote(s string) string { return encode(s) }

// encode writes v as JSON on one line, without the escapes that only HTML needs. The values here always encode.
func encode(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(v)
	return strings.TrimSuffix(b.String(), "\n")
}

// significant rounds to three digits: more would only cost tokens.
func significant(v float64) float64 {
	if v == 0 || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0
	}
	scale := math.Pow(10, 2-math.Floor(math.Log10(math.Abs(v))))
	return math.Round(v*scale) / scale
}
