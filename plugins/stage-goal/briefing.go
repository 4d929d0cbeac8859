package goal

import (
	"cmp"
	"slices"

	"github.com/repox-dev/repox/plugins/stage-goal/relevance"
	"github.com/repox-dev/repox/sdk/model"
)

// Reasons why something was left out.
const (
	belowThreshold = "below the relevance threshold"
	moreThanKept   = "more than are kept"
	sameFile       = "more of one file than are kept"
)

const (
	// fileThreshold and symbolThreshold are shares of the best score; what is below has little to do with the goal.
	fileThreshold   = 0.4
	symbolThreshold = 0.45
	// symbolsOfFile is how many definitions of one file are kept.
	symbolsOfFile = 6
	// mainSymbols and mainTests are how many names are given for a file.
	mainSymbols = 3
	mainTests   = 3
)

// briefing fills the section.
type briefing struct {
	repository *repository
	results    []relevance.Result
	// kept are the first of the results, those of the brief.
	kept  []relevance.Result
	users *users
	brief *model.Brief
}

func newBriefing(g *relevance.Goal, r *repository) *briefing {
	b := &briefing{repository: r, users: newUsers(r)}
	b.results = relevance.Rank(g, r.docs, r.edges)
	b.brief = &model.Brief{
		FilesIndexed: uint64(len(r.docs)), DefinitionsIndexed: uint64(len(r.graph.DefFile)),
		Resolved: r.graph.Resolved, Guessed: r.graph.Guessed, Unresolved: r.graph.Unresolved,
	}
	for _, t := range g.Terms {
		b.brief.Terms = append(b.brief.Terms, t.Shown())
	}
	b.brief.Named = slices.Concat(g.Paths, g.Identifiers, g.Literals)
	return b
}

func (b *briefing) omit(what, reason string, n int) {
	if n > 0 {
		b.brief.Omitted = append(b.brief.Omitted, &model.BriefOmission{What: what, Reason: reason, Count: uint64(n)})
	}
}

// addFiles keeps the best files, at most limit.
func (b *briefing) addFiles(limit int) {
	if len(b.results) == 0 {
		return
	}
	best := b.results[0].Score
	relevant := 0
	for _, r := range b.results {
		if r.Score >= fileThreshold*best {
			relevant++
		}
	}
	b.kept = b.results[:min(limit, relevant)]
	b.omit("files", moreThanKept, relevant-len(b.kept))
	b.omit("files", belowThreshold, len(b.results)-relevant)
	for n := range b.kept {
		b.brief.Files = append(b.brief.Files, b.file(&b.kept[n], b.kept[n].Score/best))
	}
}

func (b *briefing) file(r *relevance.Result, share float64) *model.BriefFile {
	f, doc := b.repository.files.Files[r.Document], &b.repository.docs[r.Document]
	out := &model.BriefFile{
		Path: f.Path, Language: f.Language, Class: f.Class, Lines: b.repository.lines[r.Document],
		Score: r.Score, Confidence: confidence(r.Parts, share), Signals: signals(r.Parts), Definitions: uint32(len(doc.Definitions)),
	}
	for _, s := range r.Symbols {
		if name := doc.Definitions[s.Definition].Name; len(out.Main) < mainSymbols && !slices.Contains(out.Main, name) {
			out.Main = append(out.Main, name)
		}
	}
	b.users.describe(r.Document, out)
	return out
}

// confidence says how sure it is that something belongs to the goal: what the goal spells out does, and else its score
// beside the best one tells.
func confidence(parts []relevance.Part, share float64) string {
	named := slices.ContainsFunc(parts, func(p relevance.Part) bool { return p.Kind == relevance.KindNamedPath })
	switch {
	case share >= 0.8, named && share >= 0.5:
		return "high"
	case share >= 0.5:
		return "medium"
	}
	return "low"
}

func signals(parts []relevance.Part) []*model.Signal {
	var out []*model.Signal
	for _, p := range parts {
		out = append(out, &model.Signal{Kind: p.Kind, Value: p.Value, Words: p.Words, Detail: p.Detail, Line: uint32(p.Line)})
	}
	return out
}

// candidate is a definition of a kept file.
type candidate struct {
	file   *relevance.Result
	symbol relevance.SymbolResult
}

// addSymbols keeps the best definitions of the kept files. A definition's score is scaled by its file's share of the best
// score, with all its parts: the same words in a file that has little to do with the goal say less.
func (b *briefing) addSymbols(limit int) {
	all := b.candidates()
	if len(all) == 0 {
		return
	}
	slices.SortStableFunc(all, func(x, y candidate) int { return cmp.Compare(y.symbol.Score, x.symbol.Score) })
	best := all[0].symbol.Score
	ofFile := map[int]int{}
	crowded, beyond, weak := 0, 0, 0
	for _, c := range all {
		switch {
		case c.symbol.Score < symbolThreshold*best:
			weak++
		case ofFile[c.file.Document] == symbolsOfFile:
			crowded++
		case len(b.brief.Symbols) == limit:
			beyond++
		default:
			ofFile[c.file.Document]++
			b.brief.Symbols = append(b.brief.Symbols, b.symbol(c, c.symbol.Score/best))
		}
	}
	b.omit("symbols", moreThanKept, beyond)
	b.omit("symbols", sameFile, crowded)
	b.omit("symbols", belowThreshold, weak)
}

func (b *briefing) candidates() []candidate {
	var all []candidate
	for n := range b.kept {
		r := &b.kept[n]
		share := r.Score / b.kept[0].Score
		for _, s := range r.Symbols {
			s.Score *= share
			s.Parts = slices.Clone(s.Parts)
			for p := range s.Parts {
				s.Parts[p].Value *= share
			}
			slices.SortStableFunc(s.Parts, func(x, y relevance.Part) int { return cmp.Compare(y.Value, x.Value) })
			all = append(all, candidate{r, s})
		}
	}
	return all
}

func (b *briefing) symbol(c candidate, share float64) *model.BriefSymbol {
	g, file := b.repository.graph, c.file.Document
	d := b.repository.firstDef[file] + c.symbol.Definition
	return &model.BriefSymbol{
		Name: g.Strings[g.DefName[d]], Kind: g.Strings[g.DefKind[d]], Scope: g.Strings[g.DefScope[d]],
		Path: b.repository.files.Files[file].Path, LineStart: g.DefLineStart[d], LineEnd: g.DefLineEnd[d],
		Score: c.symbol.Score, Confidence: confidence(c.symbol.Parts, share), Signals: signals(c.symbol.Parts),
		Signature: g.Strings[g.DefSignature[d]], References: b.users.references[d],
	}
}
