package rank

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/repox-dev/repox/sdk/model"
)

// What an explanation shows at most.
const (
	explainedUsers       = 12
	explainedNames       = 4
	explainedDefinitions = 8
)

// explain says why what is asked for, as FILE or FILE:NAME, ranks where it does. The file's score is that of flow, so
// that what its users bring can be held against it. The order is that of all definitions.
func (r *ranker) explain(asked string, order []uint32) (*model.Explanation, error) {
	f, name, err := r.asked(asked)
	if err != nil {
		return nil, err
	}
	g := r.graph
	out := &model.Explanation{
		Path: r.files[f].Path, Class: className(r.files[f].Class), Name: name, Score: r.flow[f],
		DefinitionsTotal: uint64(len(order)),
	}
	out.Resolved, out.Guessed, out.Unresolved = r.tied(f)
	wanted := func(d uint32) bool { return g.DefFile[d] == f && (name == "" || r.named(d, name)) }
	seen := map[uint32]bool{}
	for n, d := range order {
		file := g.DefFile[d]
		if !seen[file] {
			seen[file] = true
			out.Files++
			if file == f {
				out.Rank = uint32(out.Files)
			}
		}
		if wanted(d) && len(out.Definitions) < explainedDefinitions {
			out.Definitions = append(out.Definitions, &model.ExplainedDefinition{
				Name: g.Strings[g.DefName[d]], Kind: g.Strings[g.DefKind[d]], Scope: g.Strings[g.DefScope[d]],
				LineStart: g.DefLineStart[d], Rank: uint64(n + 1), Score: r.definition[d],
			})
		}
	}
	if name != "" && !slices.ContainsFunc(r.definitionsOf(f), wanted) {
		return nil, fmt.Errorf("explain %s: the file defines no %q; %s", asked, name, r.definedIn(f))
	}
	r.explainUsers(out, f, wanted)
	if r.focus.query != nil {
		out.Focus = r.focusHits(f, wanted)
	}
	return out, nil
}

// asked finds the file and the name that are asked for. A path may be the end of one, if that is the end of one alone.
func (r *ranker) asked(text string) (file uint32, name string, err error) {
	if found, ok := r.fileNamed(text); ok {
		return found, "", nil
	}
	where, _, _ := strings.Cut(text, ":")
	for i := range len(text) {
		if text[i] != ':' {
			continue
		}
		if found, ok := r.fileNamed(text[:i]); ok {
			return found, strings.ReplaceAll(strings.TrimLeft(text[i:], ":"), "::", "."), nil
		}
	}
	var like []string
	for _, f := range r.files {
		if path.Base(string(f.Path)) == path.Base(where) {
			like = append(like, string(f.Path))
		}
	}
	if len(like) > 0 {
		return 0, "", fmt.Errorf("explain %s: several files may be meant; say which of %s", text, strings.Join(like[:min(3, len(like))], ", "))
	}
	return 0, "", fmt.Errorf("explain %s: no file %s was read; give a path as the map shows it", text, where)
}

// fileNamed finds a file by its path, or by the end of it if no other file's ends so.
func (r *ranker) fileNamed(p string) (uint32, bool) {
	p = path.Clean(strings.ReplaceAll(p, `\`, "/"))
	found, n := uint32(0), 0
	for i, f := range r.files {
		switch s := string(f.Path); {
		case s == p:
			return uint32(i), true
		case strings.HasSuffix(s, "/"+p):
			found = uint32(i)
			n++
		}
	}
	return found, n == 1
}

// named tells whether a definition goes by a name, with or without what it is a member of.
func (r *ranker) named(d uint32, name string) bool {
	full := r.fullName(d)
	return full == name || strings.HasSuffix(full, "."+name)
}

func (r *ranker) definitionsOf(f uint32) []uint32 {
	var out []uint32
	for d := r.firstDef[f]; d < r.firstDef[f+1]; d++ {
		if r.graph.DefFlags[d]&flagImport == 0 {
			out = append(out, uint32(d))
		}
	}
	return out
}

// definedIn names the best definitions of a file.
func (r *ranker) definedIn(f uint32) string {
	defs := r.definitionsOf(f)
	if len(defs) == 0 {
		return "it defines nothing"
	}
	slices.SortStableFunc(defs, func(a, b uint32) int { return cmp.Compare(r.definition[b], r.definition[a]) })
	var names []string
	for _, d := range defs[:min(5, len(defs))] {
		names = append(names, r.fullName(d))
	}
	return "it defines " + strings.Join(names, ", ")
}

// explainUsers finds who refers to the wanted definitions of a file from elsewhere.
func (r *ranker) explainUsers(out *model.Explanation, f uint32, wanted func(uint32) bool) {
	g := r.graph
	byDefinition := map[uint32]*model.ExplainedDefinition{}
	for _, d := range r.definitionsOf(f) {
		for _, e := range out.Definitions {
			if e.LineStart == g.DefLineStart[d] && e.Name == g.Strings[g.DefName[d]] && e.Scope == g.Strings[g.DefScope[d]] {
				byDefinition[d] = e
			}
		}
	}
	var all []use
	for from := range r.files {
		if r.vote(from) == 0 {
			continue
		}
		r.eachUse(uint32(from), func(to uint32, u use) {
			if to != f {
				return
			}
			of := use{from: u.from}
			for e := u.first; e < u.end; e++ {
				d := g.EdgeTo[e]
				if !wanted(d) {
					continue
				}
				of.edges = append(of.edges, e)
				of.score += r.brings(u.from, e)
				r.countUse(out, byDefinition[d], e)
			}
			if of.edges != nil {
				all = append(all, of)
			}
		})
	}
	slices.SortFunc(all, compareUses)
	out.UsersTotal = uint32(len(all))
	for _, u := range all[:min(explainedUsers, len(all))] {
		out.Users = append(out.Users, r.describe(u, explainedNames))
	}
}

func (r *ranker) countUse(out *model.Explanation, d *model.ExplainedDefinition, e int) {
	n := r.graph.EdgeCount[e]
	if d == nil {
		d = &model.ExplainedDefinition{}
	}
	d.Users++
	if r.graph.EdgeHow[e] != 0 {
		out.UsedGuessed += uint64(n)
		d.Guessed += n
		return
	}
	out.UsedResolved += uint64(n)
	d.Resolved += n
}

// focusHits finds what the focus names in a file's path and in the wanted definitions.
func (r *ranker) focusHits(f uint32, wanted func(uint32) bool) []*model.FocusHit {
	var out []*model.FocusHit
	q, file := r.focus.query, string(r.files[f].Path)
	add := func(kind, text, where string) {
		if !slices.ContainsFunc(out, func(h *model.FocusHit) bool { return h.Kind == kind && h.Text == text && h.Where == where }) {
			out = append(out, &model.FocusHit{Kind: kind, Text: text, Where: where})
		}
	}
	for _, p := range q.paths {
		if spelledOut(strings.ToLower(file), []string{p}) > 0 {
			add("path", p, file)
		}
	}
	for _, w := range q.wordsIn(nameLike.FindAllString(strings.TrimSuffix(file, path.Ext(file)), -1)) {
		add("word", w, file)
	}
	for _, d := range r.definitionsOf(f) {
		if !wanted(d) {
			continue
		}
		name := r.graph.Strings[r.graph.DefName[d]]
		if _, ok := q.identifiers[name]; ok {
			add("identifier", name, r.fullName(d))
			continue
		}
		for _, w := range q.wordsIn([]string{name}) {
			add("word", w, r.fullName(d))
		}
	}
	return out[:min(explainedUsers, len(out))]
}
