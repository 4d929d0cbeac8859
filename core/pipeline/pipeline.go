// Package pipeline reads a pipeline file, checks it completely and plans its run. Load is the whole job; the Plan says
// which section flows from which stage to which. The package runs nothing.
//
// The file is read as YAML nodes, so that every mistake has a place: line, column and the offending text. All mistakes of
// a file are told at once.
//
// A file may extend a built-in pipeline or another file. Mappings are merged key by key, the extending file's value wins,
// and lists (languages, stages, include, exclude) are replaced as a whole. ${VAR}, ${VAR:-default} and $${ are replaced
// in values after the file is parsed, so that a variable can never add keys; such a value takes the type that is wanted,
// in quotes too, because YAML asks for quotes around ${} in lists and mappings of one line. Settings of the command line
// (stage.option=value) come last and are taken as they are.
//
// Anchors and aliases are followed, within bounds; merge keys, tags and more than one document are refused.
//
// Text that comes from the repository is unclean until a redacting stage has passed it. What a stage gives is clean if the
// stage cleans, or if all that it consumed is clean; documents must be.
package pipeline

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"github.com/repox-dev/repox/core/diag"
	pluginv1 "github.com/repox-dev/repox/sdk/proto"
)

// Verify is what an unverified language pack gets.
type Verify string

// The policies.
const (
	VerifyRequire Verify = "require"
	VerifyWarn    Verify = "warn"
	VerifyOff     Verify = "off"
)

// Options say what to load.
type Options struct {
	// File is the name of the pipeline file, for messages and, without Data, to read. Paths in it are relative to its
	// folder.
	File string
	// Data is the content of the file, if it does not come from disk: then paths are relative to the working directory.
	Data []byte
	// Set holds settings of the command line, in the form stage.option=value.
	Set []string
	// LookupEnv gives variables; nil knows none.
	LookupEnv func(string) (string, bool)
	// Catalog holds the components; nil holds none.
	Catalog *Catalog
	// Presets holds the built-in pipelines as NAME.yaml; nil holds none.
	Presets fs.FS
}

// Pipeline is a checked pipeline.
type Pipeline struct {
	Source          Source
	Languages       []Item
	Stages          []Item
	Verify          Verify
	Cache           bool
	Limits          Limits
	AllowUnredacted bool
	Plan            *Plan

	tree *node
}

// Source says what to read.
type Source struct {
	// Path is absolute or relative to the working directory.
	Path             string
	Include, Exclude []string
	Rev              string
	MaxFileBytes     int64
}

// Limits bound what a run may spend; zero leaves it to the default of whoever spends.
type Limits struct {
	File, Stage Limit
}

// Limit bounds time, and memory in bytes.
type Limit struct {
	Time   time.Duration
	Memory int64
}

// Item is a language pack or a stage of the pipeline.
type Item struct {
	// Use is the name or path as it stands in the file.
	Use string
	// Path is the executable of an external plugin, empty for built-in ones.
	Path      string
	Component *pluginv1.Component
	// Languages are those of a pack that are read: the one that the file or a flag names, or all.
	Languages []*pluginv1.Language
	// With holds the options with defaults filled in.
	With map[string]any
	// Place is where Use stands.
	Place diag.Place

	with *node
}

// OnlyLanguages leaves out all other languages. The name of a pack stands for its languages.
func (p *Pipeline) OnlyLanguages(names []string) error {
	kept := make([][]*pluginv1.Language, len(p.Languages))
	for _, name := range names {
		known := false
		for i := range p.Languages {
			found := p.Languages[i].named(name)
			known = known || len(found) > 0
			kept[i] = union(kept[i], found)
		}
		if !known {
			return fmt.Errorf("no language pack of the pipeline reads %q; it has %s", name, list(p.languageNames()))
		}
	}
	var items []Item
	for i, item := range p.Languages {
		if item.Languages = kept[i]; len(item.Languages) > 0 {
			items = append(items, item)
		}
	}
	p.Languages = items
	return nil
}

// named gives the languages of an item that a name stands for.
func (i *Item) named(name string) []*pluginv1.Language {
	if i.Component.Name == name {
		return i.Languages
	}
	for _, l := range i.Languages {
		if l.Name == name {
			return []*pluginv1.Language{l}
		}
	}
	return nil
}

func union(a, b []*pluginv1.Language) []*pluginv1.Language {
	for _, l := range b {
		if !slices.Contains(a, l) {
			a = append(a, l)
		}
	}
	return a
}

func (p *Pipeline) languageNames() []string {
	var out []string
	for _, item := range p.Languages {
		for _, l := range item.Languages {
			out = append(out, l.Name)
		}
	}
	return out
}

// ConfigJSON gives the options as the plugin gets them.
func (i *Item) ConfigJSON() []byte {
	b, err := json.Marshal(i.With)
	if err != nil {
		return []byte("{}") // the values come from JSON or from checked scalars
	}
	return b
}

// WithPlace maps a path into the with: block, as a plugin's diagnostic names it, to its place in the file.
func (i *Item) WithPlace(path []string) diag.Place {
	n := i.with
	if n == nil {
		return i.Place
	}
	place := i.Place
	for _, step := range path {
		f := n.field(step)
		switch {
		case f != nil:
			n, place = f.value, f.value.place()
		case n.kind == listNode && index(step) >= 0 && index(step) < len(n.items):
			n = n.items[index(step)]
			place = n.place()
		default:
			return place
		}
	}
	return place
}

// Load reads, checks and plans a pipeline. The pipeline is nil if the diagnostics hold an error.
func Load(ctx context.Context, o Options) (*Pipeline, diag.List) {
	if o.Catalog == nil {
		o.Catalog = NewCatalog(nil, nil)
	}
	l := &loader{ctx: ctx, opts: o}
	tree := l.file()
	if tree == nil {
		return l.done(nil)
	}
	l.applySettings(tree)
	l.expand(tree)
	p := l.check(tree)
	if l.chainKnown {
		p.Plan = l.plan(p)
	}
	return l.done(p)
}

// loader holds what the steps of Load share.
type loader struct {
	ctx   context.Context
	opts  Options
	diags diag.List
	// chainKnown: all stages are known, so that the chain can be judged whatever else is wrong.
	chainKnown bool
	// packsUnknown: a language pack is not known, and it would have given tags.
	packsUnknown bool
}

// maxMistakes bounds what is told: whoever has more mends the first ones first.
const maxMistakes = 100

func (l *loader) done(p *Pipeline) (*Pipeline, diag.List) {
	l.diags.Sort()
	l.diags = slices.CompactFunc(l.diags, func(a, b diag.Diagnostic) bool {
		return a.Place == b.Place && a.Message == b.Message // an alias repeats what is wrong with its anchor
	})
	if more := len(l.diags) - maxMistakes; more > 0 {
		failed := l.diags.HasErrors()
		l.diags = l.diags[:maxMistakes]
		if failed {
			l.diags.Errorf(diag.Place{File: l.opts.File}, "%d more mistakes are not shown", more)
		}
	}
	if l.diags.HasErrors() {
		p = nil
	}
	return p, l.diags
}

// errorf notes an error at n and gives it for a suggestion or notes.
func (l *loader) errorf(n *node, format string, args ...any) *diag.Diagnostic {
	if n.broken {
		return &diag.Diagnostic{}
	}
	return l.diags.Errorf(n.place(), format, args...)
}
