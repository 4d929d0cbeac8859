package relevance

import (
	"bytes"
	"path"
	"strings"

	"github.com/repox-dev/repox/sdk/model"
)

// Document is one file.
type Document struct {
	Path string
	// Language is empty where no pack reads the file.
	Language string
	Class    model.Class
	Text     []byte
	// Definitions in the order of their first line.
	Definitions []Definition
}

// Definition is one definition of a Document. Lines are one-based and inclusive.
type Definition struct {
	Name, Scope, Doc   string
	LineStart, LineEnd int
}

// field is where in a document a word is met.
type field int

const (
	fieldFolder field = iota
	fieldFileName
	fieldSymbol
	fieldDoc
	fieldBody
	fields
)

// kindOf names the signal of each field.
var kindOf = [fields]string{KindPath, KindFileName, KindSymbol, KindDoc, KindBody}

// indexed is what a document has of the goal's terms.
type indexed struct {
	// counts by term and field; nil where the document has no term at all.
	counts [][fields]float64
	// length counts the terms of the body, whether the goal has them or not.
	length float64
	// met are the terms of the body in the order of lines.
	met []meeting
	// literals are the goal's literals that it holds.
	literals []literalAt
}

type meeting struct {
	term int32
	line int32
}

type literalAt struct{ literal, line int }

// indexer finds the terms of one goal in names. It remembers names, since most are used again and again.
type indexer struct {
	goal  *Goal
	known map[string]*nameTerms
}

type nameTerms struct {
	all   int
	terms []int32
}

func newIndexer(g *Goal) *indexer { return &indexer{goal: g, known: map[string]*nameTerms{}} }

func (x *indexer) name(name []byte) *nameTerms {
	if n, ok := x.known[string(name)]; ok {
		return n
	}
	n := x.terms(string(name))
	x.known[string(name)] = n
	return n
}

func (x *indexer) terms(name string) *nameTerms {
	n := &nameTerms{}
	for _, t := range Terms(name) {
		n.all++
		if i, ok := x.goal.index[t]; ok {
			n.terms = append(n.terms, int32(i))
		}
	}
	return n
}

func (x *indexer) document(d *Document) *indexed {
	out := &indexed{}
	counts := make([][fields]float64, len(x.goal.Terms))
	hits := 0
	count := func(f field, text string) {
		eachName([]byte(text), func(name []byte, _ int) {
			for _, t := range x.name(name).terms {
				counts[t][f]++
				hits++
			}
		})
	}
	dir, file := path.Split(d.Path)
	count(fieldFolder, strings.ReplaceAll(dir, "-", "_"))
	count(fieldFileName, strings.NewReplacer("-", "_", ".", " ").Replace(strings.TrimSuffix(file, path.Ext(file))))
	for i := range d.Definitions {
		count(fieldSymbol, d.Definitions[i].Name)
		count(fieldDoc, d.Definitions[i].Doc)
	}
	eachName(d.Text, func(name []byte, line int) {
		n := x.name(name)
		out.length += float64(n.all)
		for _, t := range n.terms {
			counts[t][fieldBody]++
			out.met = append(out.met, meeting{t, int32(line)})
			hits++
		}
	})
	if hits > 0 {
		out.counts = counts
	}
	for i, l := range x.goal.Literals {
		if at := bytes.Index(d.Text, []byte(l)); at >= 0 {
			out.literals = append(out.literals, literalAt{i, 1 + bytes.Count(d.Text[:at], []byte("\n"))})
		}
	}
	return out
}
