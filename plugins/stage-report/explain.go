package report

import (
	"fmt"
	"strings"

	"github.com/repox-dev/repox/sdk/model"
)

// explanation writes why something ranks where it does, as much as fits the budget: what stands first in a list says most,
// so that lists are shortened from their ends.
func explanation(j *job, format string) string {
	x := j.selection.Explanation
	for shown := (shares{len(x.Users), len(x.Definitions), len(x.Focus)}); ; {
		text := explained(j, format, shown)
		if j.counter.exact(text) <= j.budget {
			return text
		}
		if !shown.less() {
			return noRoom(format)
		}
	}
}

// shares is how much of each list is shown.
type shares struct{ users, definitions, focus int }

// less takes one from the longest list and tells whether there was anything to take.
func (s *shares) less() bool {
	longest := &s.users
	for _, n := range []*int{&s.definitions, &s.focus} {
		if *n > *longest {
			longest = n
		}
	}
	*longest--
	return *longest >= 0
}

func noRoom(format string) string {
	if format == "json" {
		return `{"version":1,"message":"the budget is too small"}` + "\n"
	}
	return "the budget is too small for an explanation\n"
}

func explained(j *job, format string, shown shares) string {
	switch format {
	case "json":
		return explainedJSON(j, shown)
	case "markdown":
		body := explainedBody(j, shown)
		fence := fenceFor(body)
		return "### " + inlineCode(explainedHead(j.selection.Explanation)) + "\n" + fence + "\n" + body + fence + "\n"
	}
	return explainedHead(j.selection.Explanation) + "\n" + explainedBody(j, shown)
}

func explainedHead(x *model.Explanation) string {
	head := showPath(x.Path)
	if x.Name != "" {
		head += ":" + printable(x.Name)
	}
	return head
}

func explainedBody(j *job, shown shares) string {
	x := j.selection.Explanation
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, "  "+format+"\n", args...) }
	switch {
	case x.Rank > 0:
		line("file %d of %d in the map", x.Rank, x.Files)
	case x.Class == "generated" || x.Class == "vendored" || x.Class == "minified":
		line("not in the map: the file is %s", printable(x.Class))
	default:
		line("not in the map: it defines nothing")
	}
	if x.Class == "test" {
		line("a test: it ranks lower and its references count less")
	}
	for _, d := range x.Definitions[:shown.definitions] {
		line("definition %d of %d: %s, line %d; %s", d.Rank, x.DefinitionsTotal, definitionText(d), d.LineStart, usedBy(uint64(d.Users), uint64(d.Resolved), uint64(d.Guessed)))
	}
	what := "the file"
	if x.Name != "" {
		what = printable(x.Name)
	}
	line("%s: %s", what, usedBy(uint64(x.UsersTotal), x.UsedResolved, x.UsedGuessed))
	for _, u := range x.Users[:shown.users] {
		line("%5.1f %%  %s  %s; %s", 100*part(u.Score, x.Score), showPath(u.Path), namesText(u), tiedText(uint64(u.Resolved), uint64(u.Guessed)))
	}
	if more := int(x.UsersTotal) - shown.users; more > 0 && shown.users > 0 {
		line("        and %s", plural(uint64(more), "more file"))
	}
	if shown.users > 0 {
		line("(%% of the file's score that a file's references bring)")
	}
	line("what the file refers to: %d resolved, %d guessed, %d unresolved; in all files %d, %d, %d",
		x.Resolved, x.Guessed, x.Unresolved, j.selection.Resolved, j.selection.Guessed, j.selection.Unresolved)
	for _, h := range x.Focus[:shown.focus] {
		line("focus: the %s %q is in %s", printable(h.Kind), h.Text, printable(h.Where))
	}
	return b.String()
}

func definitionText(d *model.ExplainedDefinition) string {
	return printable(d.Kind + " " + joinScope(d.Scope, d.Name))
}

func joinScope(scope, name string) string {
	if scope == "" {
		return name
	}
	return scope + "." + name
}

func usedBy(files, resolved, guessed uint64) string {
	if files == 0 {
		return "no other file refers to it"
	}
	verb := "refer"
	if files == 1 {
		verb = "refers"
	}
	return fmt.Sprintf("%s %s to it, %s", plural(files, "file"), verb, tiedText(resolved, guessed))
}

func tiedText(resolved, guessed uint64) string {
	text := fmt.Sprintf("%d resolved", resolved)
	if guessed > 0 {
		text += fmt.Sprintf(", %d guessed", guessed)
	}
	return text
}

func namesText(u *model.Use) string {
	text := printable(strings.Join(u.Names, ", "))
	if more := int(u.NamesTotal) - len(u.Names); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// part is a share of a whole, 0 of nothing.
func part(share, whole float64) float64 {
	if whole <= 0 {
		return 0
	}
	return share / whole
}
