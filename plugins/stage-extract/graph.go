package extract

import (
	"fmt"
	"strings"

	"github.com/repox-dev/repox/sdk/model"
	pluginv1 "github.com/repox-dev/repox/sdk/proto"
)

// assemble puts the graph together, in the order of files.
func assemble(t *table, sources []*source, all []links, files int) *model.Graph {
	g := &model.Graph{
		Strings: t.strings.all, DefFile: t.file, DefName: t.name, DefKind: t.kind, DefScope: t.scope,
		DefSignature: t.signature, DefDoc: t.doc, DefFlags: t.flags, DefLineStart: t.lineStart, DefLineEnd: t.lineEnd,
	}
	edges, imports := 0, 0
	for i := range all {
		edges += len(all[i].to)
		imports += len(all[i].imports)
	}
	columns := make([]uint32, 4*edges+2*imports)
	take := func(n int) []uint32 {
		c := columns[:0:n]
		columns = columns[n:]
		return c
	}
	g.EdgeFrom, g.EdgeTo, g.EdgeCount, g.EdgeHow = take(edges), take(edges), take(edges), take(edges)
	g.ImportFrom, g.ImportTo = take(imports), take(imports)
	g.FileResolved, g.FileGuessed, g.FileUnresolved = make([]uint32, files), make([]uint32, files), make([]uint32, files)
	for i := range all {
		addLinks(g, sources[i].file, &all[i])
	}
	return g
}

func addLinks(g *model.Graph, from uint32, l *links) {
	g.EdgeTo = append(g.EdgeTo, l.to...)
	g.EdgeCount = append(g.EdgeCount, l.count...)
	for _, guess := range l.guessed {
		how := uint32(0)
		if guess {
			how = 1
		}
		g.EdgeFrom = append(g.EdgeFrom, from)
		g.EdgeHow = append(g.EdgeHow, how)
	}
	for range l.imports {
		g.ImportFrom = append(g.ImportFrom, from)
	}
	g.ImportTo = append(g.ImportTo, l.imports...)
	g.FileResolved[from], g.FileGuessed[from], g.FileUnresolved[from] = uint32(l.resolved), uint32(l.guesses), uint32(l.unresolved)
	g.Resolved += l.resolved
	g.Guessed += l.guesses
	g.Unresolved += l.unresolved
}

// partlyParsed gives a limitation for a file with places that its parser could not read, else nil.
func partlyParsed(path string, places []*pluginv1.Place) *model.Finding {
	if len(places) == 0 {
		return nil
	}
	return &model.Finding{
		Kind: model.FindingLimitation, Code: "parse_error", Path: []byte(path),
		Line: places[0].StartRow + 1, Message: "partly parsed: " + errorLines(places),
	}
}

// errorLines names the first few ranges of lines; places that touch are one.
func errorLines(places []*pluginv1.Place) string {
	const most = 3
	var ranges [][2]uint32
	for _, p := range places {
		first, last := p.StartRow+1, max(p.StartRow, p.EndRow)+1
		if n := len(ranges); n > 0 && first <= ranges[n-1][1]+1 {
			ranges[n-1][1] = max(ranges[n-1][1], last)
			continue
		}
		ranges = append(ranges, [2]uint32{first, last})
	}
	var parts []string
	for _, r := range ranges[:min(most, len(ranges))] {
		parts = append(parts, fmt.Sprintf("%d-%d", r[0], r[1]))
	}
	text := "lines " + strings.Join(parts, ", ")
	if more := len(ranges) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
