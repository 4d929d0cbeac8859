package goal

import (
	"errors"
	"math"

	"github.com/repox-dev/repox/plugins/stage-goal/relevance"
	"github.com/repox-dev/repox/sdk"
	"github.com/repox-dev/repox/sdk/model"
)

// repository is what the stage was given, by file.
type repository struct {
	files *model.Files
	graph *model.Graph
	docs  []relevance.Document
	edges []relevance.Edge
	// firstDef is the number in the graph of each file's first definition.
	firstDef []int
	// lines counts those of each file.
	lines []uint32
}

var (
	errGraph   = errors.New("read graph: its columns do not agree with each other or with the files")
	errContent = errors.New("read content: it has a file that is not listed")
)

func readRepository(m *sdk.Model) (*repository, error) {
	files, err := m.Files()
	if err != nil {
		return nil, err
	}
	content, err := m.Content()
	if err != nil {
		return nil, err
	}
	graph, err := m.Graph()
	if err != nil {
		return nil, err
	}
	r := &repository{files: files, graph: graph, lines: make([]uint32, len(files.Files))}
	if !r.sound() {
		return nil, errGraph
	}
	for _, f := range files.Files {
		r.docs = append(r.docs, relevance.Document{Path: string(f.Path), Language: f.Language, Class: f.Class})
	}
	for _, f := range content.Files {
		if int(f.File) >= len(r.docs) {
			return nil, errContent
		}
		r.docs[f.File].Text = f.Text
		r.lines[f.File] = countLines(f.Text)
	}
	r.addDefinitions()
	r.addEdges()
	return r, nil
}

// sound keeps a broken graph from being walked.
func (r *repository) sound() bool {
	g := r.graph
	files, texts, defs := len(r.files.Files), len(g.Strings), len(g.DefFile)
	for _, c := range [][]uint32{g.DefName, g.DefKind, g.DefScope, g.DefSignature, g.DefDoc} {
		if len(c) != defs || !below(c, texts) {
			return false
		}
	}
	if len(g.DefLineStart) != defs || len(g.DefLineEnd) != defs || !below(g.DefFile, files) {
		return false
	}
	for i := 1; i < defs; i++ {
		if g.DefFile[i] < g.DefFile[i-1] {
			return false
		}
	}
	edges := len(g.EdgeFrom)
	return len(g.EdgeTo) == edges && len(g.EdgeCount) == edges && len(g.EdgeHow) == edges && len(g.ImportFrom) == len(g.ImportTo) &&
		below(g.EdgeFrom, files) && below(g.EdgeTo, defs) && below(g.ImportFrom, files) && below(g.ImportTo, files)
}

func below(c []uint32, limit int) bool {
	for _, v := range c {
		if int(v) >= limit {
			return false
		}
	}
	return true
}

func countLines(text []byte) uint32 {
	n := uint32(0)
	for _, b := range text {
		if b == '\n' {
			n++
		}
	}
	if len(text) > 0 && text[len(text)-1] != '\n' {
		n++
	}
	return n
}

func (r *repository) addDefinitions() {
	g := r.graph
	r.firstDef = make([]int, len(r.docs))
	for d := range g.DefFile {
		doc := &r.docs[g.DefFile[d]]
		if len(doc.Definitions) == 0 {
			r.firstDef[g.DefFile[d]] = d
		}
		doc.Definitions = append(doc.Definitions, relevance.Definition{
			Name: g.Strings[g.DefName[d]], Scope: g.Strings[g.DefScope[d]], Doc: g.Strings[g.DefDoc[d]],
			LineStart: int(g.DefLineStart[d]), LineEnd: int(g.DefLineEnd[d]),
		})
	}
}

// guess is what a guessed edge is worth beside a resolved one.
const guess = 0.3

// addEdges weighs references by the rarity of what they lead to: what one file uses ties it to that file, what every
// file uses ties nothing.
func (r *repository) addEdges() {
	g := r.graph
	users := make([]float64, len(g.DefFile))
	for _, d := range g.EdgeTo {
		users[d]++
	}
	for e, d := range g.EdgeTo {
		w := math.Sqrt(float64(g.EdgeCount[e])) / math.Sqrt(users[d])
		if g.EdgeHow[e] != 0 {
			w *= guess
		}
		r.edges = append(r.edges, relevance.Edge{From: int(g.EdgeFrom[e]), To: int(g.DefFile[d]), Weight: w})
	}
	imported := make([]float64, len(r.docs))
	for _, to := range g.ImportTo {
		imported[to]++
	}
	for i, to := range g.ImportTo {
		r.edges = append(r.edges, relevance.Edge{From: int(g.ImportFrom[i]), To: int(to), Weight: 1 / math.Sqrt(imported[to])})
	}
}
