package redact

import "github.com/repox-dev/repox/sdk/model"

// spot is a line of a file.
type spot struct {
	path string
	line uint32
}

// relevant drops what the host says of secrets in places that are not in the answer: it reads the whole repository. What has
// no line concerns its whole file.
func relevant(findings []*model.Finding, s *model.Selection, b *model.Brief) []*model.Finding {
	files, spots := map[string]bool{}, map[spot]bool{}
	for _, f := range s.Files {
		files[string(f.Path)] = true
		for _, d := range f.Definitions {
			spots[spot{string(f.Path), d.LineStart}] = true
		}
	}
	for _, f := range b.Files {
		files[string(f.Path)] = true
	}
	for _, x := range b.Symbols {
		spots[spot{string(x.Path), x.LineStart}] = true
	}
	var out []*model.Finding
	for _, f := range findings {
		if f.Kind == model.FindingRedaction && len(f.Path) > 0 {
			if f.Line == 0 && !files[string(f.Path)] || f.Line > 0 && !spots[spot{string(f.Path), f.Line}] {
				continue
			}
		}
		out = append(out, f)
	}
	return out
}
