package extract

import (
	"context"

	"github.com/repox-dev/repox/sdk/model"
)

// Link is how one reference was tied.
type Link struct {
	File                  string
	Start, Line           uint32 // byte offset from 0, line from 1
	Name, Qualifier, Role string
	How                   string // resolved, guessed, unresolved or external
	To                    []Target
}

// Target is a definition that a reference means.
type Target struct {
	File, Scope, Name string
	NameStart         uint32 // byte offset of the name, from 0
	Line              uint32 // first line of the definition, from 1
}

var outcomeNames = [...]string{unresolved: "unresolved", resolved: "resolved", guessed: "guessed", external: "external"}

// Trace ties every reference as the stage does and tells each link, in the order of files and positions. It is for
// comparing with what a language's own front end says.
func Trace(ctx context.Context, files *model.Files, tags *model.TagSet, tell func(*Link) error) error {
	sources, _, err := decode(ctx, files, tags, true)
	if err != nil {
		return err
	}
	l := newLinker(len(files.Files), sources, newTable(sources), tags.Sets)
	if err := l.bindAll(ctx); err != nil {
		return err
	}
	names, err := nameStarts(sources)
	if err != nil {
		return err
	}
	w := newWorker(l)
	for _, s := range sources {
		err := w.each(s, func(i int, at, row uint32, how outcome, definitions []uint32) error {
			m := w.tags
			link := &Link{
				File: s.path, Start: at, Line: row + 1, Name: m.Strings[m.RefName[i]],
				Qualifier: m.Strings[m.RefQualifier[i]], Role: m.Strings[m.RefRole[i]], How: outcomeNames[how],
			}
			for _, d := range definitions {
				t := l.table
				link.To = append(link.To, Target{
					File: l.byFile[t.file[d]].path, Scope: t.strings.all[t.scope[d]], Name: t.strings.all[t.name[d]],
					NameStart: names[d], Line: t.lineStart[d],
				})
			}
			return tell(link)
		})
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}

// nameStarts gives the offset of each definition's name in its file.
func nameStarts(sources []*source) ([]uint32, error) {
	var out []uint32
	var d decoded
	for _, s := range sources {
		if err := d.decode(s); err != nil {
			return nil, err
		}
		for i, start := range d.starts {
			out = append(out, start+d.tags.DefNameStart[i])
		}
	}
	return out, nil
}
