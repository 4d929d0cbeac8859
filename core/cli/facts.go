package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/repox-dev/repox/core/inventory"
	"github.com/repox-dev/repox/core/source"
	"github.com/repox-dev/repox/core/tagfile"
	"github.com/repox-dev/repox/core/tags"
	"github.com/repox-dev/repox/sdk/model"
	"github.com/repox-dev/repox/sdk/secrets"
	"github.com/repox-dev/repox/sdk/tag"
)

// facts writes the facts of files in the order of paths, and at the end what is not known.
type facts struct {
	out tagfile.Writer
	// paths are those of the entries, clean those without secrets.
	paths, clean []string
	// skipped are the paths of files left out although a pack would read them, by reason.
	skipped map[source.SkipReason][]string
}

func newFacts(inv *inventory.Inventory, out tagfile.Writer) *facts {
	f := &facts{out: out, clean: inv.ShownPaths(), skipped: map[source.SkipReason][]string{}}
	for i := range inv.Entries {
		f.paths = append(f.paths, inv.Entries[i].File.Path)
	}
	for _, s := range inv.SkippedFiles {
		if inv.Languages.Of(s.Path) != "" {
			f.skipped[s.Reason] = append(f.skipped[s.Reason], s.Path)
		}
	}
	return f
}

// write takes the facts of one file, from tags.Stream.
func (f *facts) write(t *tags.Facts) error {
	out := &tagfile.File{Path: f.clean[t.Number], Language: t.Entry.Language}
	if out.Path != f.paths[t.Number] {
		out.Limitations = append(out.Limitations, tagfile.Limitation{Code: "redacted_secret", Message: "the path held a secret"})
	}
	for _, r := range t.Result.Redacted {
		out.Limitations = append(out.Limitations, tagfile.Limitation{
			Code: "redacted_secret", Line: r.Line, Message: fmt.Sprintf("the %s held a secret: %s", r.Field, r.Kind),
		})
	}
	if skip := t.Result.Skip; skip != nil {
		out.Limitations = append(out.Limitations, skipped(skip.Code, skip.Message))
		return f.out.Write(out)
	}
	var err error
	if out.Tags, err = tag.Decode(t.Result.Tags, t.Result.Imports); err != nil {
		out.Tags = nil
		out.Limitations = append(out.Limitations, skipped("unreadable_tags", err.Error()))
		return f.out.Write(out)
	}
	out.Limitations = partlyParsed(out.Limitations, out.Tags.Errors)
	for _, set := range t.Targets {
		var paths []string
		for _, n := range set {
			paths = append(paths, f.clean[n])
		}
		out.Targets = append(out.Targets, paths)
	}
	return f.out.Write(out)
}

// partlyParsed names the lines that the parser could not read, each stretch once.
func partlyParsed(out []tagfile.Limitation, errors []tag.Span) []tagfile.Limitation {
	end := int64(-1) // the last row that was named
	for _, e := range errors {
		if int64(e.EndRow) <= end {
			continue
		}
		end = int64(e.EndRow)
		where := fmt.Sprintf("line %d", e.StartRow+1)
		if e.EndRow > e.StartRow {
			where = fmt.Sprintf("lines %d to %d", e.StartRow+1, e.EndRow+1)
		}
		out = append(out, tagfile.Limitation{Code: "parse_error", Line: e.StartRow + 1, Message: "partly parsed: a syntax error in " + where})
	}
	return out
}

func skipped(code, reason string) tagfile.Limitation {
	return tagfile.Limitation{Code: skipCode(code), Message: "no tags: " + reason}
}

func skipCode(reason string) string { return "skipped_" + strings.ReplaceAll(reason, " ", "_") }

// finish writes what is to be said of no file alone: those that were not read, and the packs that broke down.
func (f *facts) finish(findings []*model.Finding) error {
	last := &tagfile.File{}
	for _, reason := range slices.Sorted(maps.Keys(f.skipped)) {
		last.Limitations = append(last.Limitations, tagfile.Limitation{
			Code: skipCode(string(reason)), Message: leftOut(reason, f.skipped[reason]),
		})
	}
	for _, x := range findings {
		last.Limitations = append(last.Limitations, tagfile.Limitation{Code: x.Code, Message: secrets.Redact(x.Message)})
	}
	if err := f.out.Write(last); err != nil {
		return err
	}
	return f.out.Close()
}

// leftOut names the files that were not read for a reason, the first of them if there are many.
func leftOut(reason source.SkipReason, paths []string) string {
	const most = 50
	var shown []string
	for _, p := range paths[:min(len(paths), most)] {
		text, _ := model.PathText([]byte(p))
		shown = append(shown, text)
	}
	secrets.Each(shown)
	if more := len(paths) - len(shown); more > 0 {
		shown = append(shown, fmt.Sprintf("and %d more", more))
	}
	return fmt.Sprintf("not read, %s: %s", reason, strings.Join(shown, ", "))
}
