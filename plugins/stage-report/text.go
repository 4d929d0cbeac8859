package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/repox-dev/repox/sdk/model"
)

// textLayout writes the plain form and, with a heading and a fence for each file, Markdown.
type textLayout struct {
	*job
	markdown bool
}

// nothing is said of an empty selection.
const nothing = "no source files with definitions"

func (t *textLayout) levels() int { return 3 }

func (t *textLayout) leanest() int { return 2 }

func (t *textLayout) around(level int) int {
	return t.counter.count(t.closing(level, len(t.selection.Files), len(t.order)))
}

// heading is linear in nothing: the remark about what is left out changes with the number shown.
func (t *textLayout) heading(_, file, shown int) int {
	if shown == 0 {
		return 0
	}
	f := t.selection.Files[file]
	n := t.counter.count(t.headLine(f)+"\n") + t.counter.count(remark(f, shown)+"\n") - t.counter.count("\n")
	if t.markdown {
		n += 2 * t.counter.count("```\n")
	}
	return n
}

func (t *textLayout) headLine(f *model.SelectedFile) string {
	path := showPath(f.Path)
	if !t.markdown {
		return path
	}
	return "### " + inlineCode(path)
}

func remark(f *model.SelectedFile, shown int) string {
	if more := int(f.TotalDefinitions) - shown; more > 0 {
		return fmt.Sprintf(" (+%d more)", more)
	}
	return ""
}

func (t *textLayout) line(_ int, i item, max int) int { return t.counter.count(t.lineText(i, max)) }

func (t *textLayout) lineText(i item, max int) string {
	d := t.definition(i)
	return fmt.Sprintf("%6d  %s%s\n", d.LineStart, strings.Repeat("  ", int(min(d.Depth, 8))), shorten(d, max))
}

func (t *textLayout) render(p *plan) string {
	if len(t.order) == 0 {
		return t.empty()
	}
	var b strings.Builder
	for _, f := range p.files {
		file := t.selection.Files[f]
		body := t.body(p, f)
		b.WriteString(t.headLine(file) + remark(file, len(p.chosen[f])) + "\n")
		if t.markdown {
			fence := fenceFor(body)
			b.WriteString(fence + "\n" + body + fence + "\n")
		} else {
			b.WriteString(body)
		}
	}
	b.WriteString(t.closing(p.level, len(p.files), p.definitions))
	return b.String()
}

func (t *textLayout) body(p *plan, file int) string {
	var b strings.Builder
	for _, d := range p.chosen[file] {
		b.WriteString(t.lineText(item{file: file, definition: d}, p.cut(item{file: file, definition: d})))
	}
	return b.String()
}

func (t *textLayout) empty() string {
	parts := []string{nothing}
	for _, left := range []string{leftOut(t.selection.Hidden), skipped(t.selection.Skipped)} {
		if left != "" {
			parts = append(parts, left)
		}
	}
	return strings.Join(parts, "; ") + "\n"
}

// closing says what was left out.
func (t *textLayout) closing(level, files, definitions int) string {
	totalFiles, total := t.totals()
	switch level {
	case 1:
		return fmt.Sprintf("[%d of %d files, %d of %d definitions]\n", files, totalFiles, definitions, total)
	case 2:
		return fmt.Sprintf("[%d of %d definitions]\n", definitions, total)
	}
	parts := []string{fmt.Sprintf("%d of %d files, %d of %d definitions shown", files, totalFiles, definitions, total)}
	for _, left := range []string{leftOut(t.selection.Hidden), skipped(t.selection.Skipped)} {
		if left != "" {
			parts = append(parts, left)
		}
	}
	if t.redactions > 0 {
		parts = append(parts, plural(uint64(t.redactions), "secret")+" redacted")
	}
	if t.limitations > 0 {
		parts = append(parts, plural(uint64(t.limitations), "limitation"))
	}
	return "[" + strings.Join(parts, "; ") + "]\n"
}

// totals gives the number of files and definitions that could have been shown.
func (j *job) totals() (files, definitions uint64) {
	return max(j.selection.TotalFiles, uint64(len(j.selection.Files))), max(j.selection.TotalDefinitions, uint64(len(j.order)))
}

// leftOut names the classes of files that are not shown.
func leftOut(hidden map[string]uint64) string {
	var parts []string
	total := uint64(0)
	for _, class := range slices.Sorted(maps.Keys(hidden)) {
		if n := hidden[class]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, printable(class)))
			total += n
		}
	}
	if total == 0 {
		return ""
	}
	list := strings.Join(parts, ", ")
	if n := len(parts); n > 1 {
		list = strings.Join(parts[:n-1], ", ") + " and " + parts[n-1]
	}
	if total == 1 {
		return list + " file left out"
	}
	return list + " files left out"
}

// skipped names the reasons for which files were not read.
func skipped(reasons map[string]uint64) string {
	var parts []string
	for _, reason := range slices.Sorted(maps.Keys(reasons)) {
		if n := reasons[reason]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, printable(reason)))
		}
	}
	if parts == nil {
		return ""
	}
	return "skipped: " + strings.Join(parts, ", ")
}

func plural(n uint64, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}
