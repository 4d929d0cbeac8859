package cli

import (
	"fmt"
	"strings"

	"github.com/repox-dev/repox/core/inventory"
	"github.com/repox-dev/repox/core/source"
	"github.com/repox-dev/repox/core/tagfile"
	"github.com/repox-dev/repox/core/tags"
	"github.com/repox-dev/repox/sdk/model"
	"github.com/repox-dev/repox/sdk/tag"
)

// facts writes the facts of files in the order of paths, and those that were skipped among them.
type facts struct {
	out tagfile.Writer
	// paths are those of the entries, clean those without secrets.
	paths, clean []string
	// skipped are the files left out although a pack would read them.
	skipped []source.Skip
}

func newFacts(inv *inventory.Inventory, out tagfile.Writer, redact func(string) string) *facts {
	f := &facts{out: tagfile.NewCleaner(out, redact)}
	for i := range inv.Entries {
		f.paths = append(f.paths, inv.Entries[i].File.Path)
	}
	f.clean = append(f.clean, f.paths...)
	tagfile.CleanPaths(f.clean, redact)
	for _, s := range inv.SkippedFiles {
		if inv.Languages.Of(s.Path) != "" {
			f.skipped = append(f.skipped, s)
		}
	}
	return f
}

// write takes the facts of one file, from tags.Stream.
func (f *facts) write(t *tags.Facts) error {
	if err := f.skippedBefore(t.Entry.File.Path); err != nil {
		return err
	}
	out := &tagfile.File{Path: f.clean[t.Number], Language: t.Entry.Language}
	if out.Path != f.paths[t.Number] {
		out.Limitations = append(out.Limitations, tagfile.Limitation{Code: "redacted_secret", Message: "the path held a secret"})
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

// skippedBefore writes the skipped files that come before a path; the empty path is the end.
func (f *facts) skippedBefore(path string) error {
	for len(f.skipped) > 0 && (path == "" || f.skipped[0].Path < path) {
		s := f.skipped[0]
		f.skipped = f.skipped[1:]
		reason := string(s.Reason)
		if err := f.out.Write(&tagfile.File{Path: s.Path, Limitations: []tagfile.Limitation{skipped(reason, reason)}}); err != nil {
			return err
		}
	}
	return nil
}

func skipped(code, reason string) tagfile.Limitation {
	return tagfile.Limitation{Code: "skipped_" + strings.ReplaceAll(code, " ", "_"), Message: "no tags: " + reason}
}

// finish writes what comes after the last file: the rest of the skipped ones, and what is to be said of no file.
func (f *facts) finish(findings []*model.Finding) error {
	if err := f.skippedBefore(""); err != nil {
		return err
	}
	for _, x := range findings {
		if err := f.out.Write(&tagfile.File{Limitations: []tagfile.Limitation{{Code: x.Code, Message: x.Message}}}); err != nil {
			return err
		}
	}
	return f.out.Close()
}
