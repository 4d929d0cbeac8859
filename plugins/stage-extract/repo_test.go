package extract

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"

	"github.com/repox-dev/repox/sdk"
	"github.com/repox-dev/repox/sdk/model"
	"github.com/repox-dev/repox/sdk/tag"
)

// repo builds the sections of a small repository.
type repo struct {
	t     testing.TB
	files model.Files
	tags  model.TagSet
}

// file adds a file in a few words. Each line of text is one fact:
//
//	package NAME | def [Scope.]Name | private Name | method Scope.Name | default Name
//	kind KIND [Scope.]Name | hidden KIND Name | field [Scope.]Name [type] | base Scope type
//	ref [qualifier.]name | role ROLE name | on path name | import module [as local] [names…] -> file, file
//	open Name | trait Name (both around all that follows) | whole name definition (what the file exports under a name)
//	bound Name module [names…] -> file, file (a constant that is an import)
func (r *repo) file(path, language string, class model.Class, text string) {
	f := &tag.File{}
	ft := &model.FileTags{File: uint32(len(r.files.Files))}
	at := uint32(0)
	for line := range strings.Lines(text) {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		at += 10
		switch word {
		case "":
		case "package":
			f.Package = rest
		case "ref", "role", "on":
			f.References = append(f.References, reference(word, rest, at))
		case "field":
			name, typ, _ := strings.Cut(rest, " ")
			x := tag.Member{Type: typ}
			x.Scope, x.Name = scopeAndName(name)
			f.Members = append(f.Members, x)
		case "whole":
			name, typ, _ := strings.Cut(rest, " ")
			f.Members = append(f.Members, tag.Member{Name: name, Type: typ})
		case "bound":
			name, imp, _ := strings.Cut(rest, " ")
			f.Definitions = append(f.Definitions, r.definition("hidden", "constant "+name, at))
			r.addImport(f, ft, imp, at/10)
		case "base":
			scope, typ, _ := strings.Cut(rest, " ")
			f.Members = append(f.Members, tag.Member{Scope: scope, Type: typ})
		case "error":
			f.Errors = append(f.Errors, tag.Span{Start: at, End: at + 1, StartRow: at / 10, EndRow: at/10 + 1})
		case "import":
			r.addImport(f, ft, rest, at/10)
		default:
			f.Definitions = append(f.Definitions, r.definition(word, rest, at))
		}
	}
	var e tag.Encoder
	var err error
	if ft.Tags, ft.Imports, err = e.Encode(f); err != nil {
		r.t.Fatal(err)
	}
	r.files.Files = append(r.files.Files, &model.File{Path: []byte(path), Language: language, Class: class})
	r.tags.Files = append(r.tags.Files, ft)
}

// definition reads the facts that define a name.
func (r *repo) definition(word, rest string, at uint32) tag.Definition {
	d := tag.Definition{
		Kind: tag.Function, Exported: word != "private", Signature: "func " + rest, NameStart: at,
		Span: tag.Span{Start: at, End: at + 5, StartRow: at / 10, EndRow: at / 10},
	}
	switch word {
	case "def", "private":
	case "method":
		d.Kind = tag.Method
	case "default":
		d.Signature = "export default function " + rest
	case "kind", "hidden":
		d.Exported = word == "kind"
		d.Kind, rest, _ = strings.Cut(rest, " ")
	case "open", "trait":
		d.End, d.EndRow, d.Exported = 1<<20, 9999, false
		if word == "trait" {
			d.Kind = tag.Trait
		}
	default:
		r.t.Fatalf("fact %q of %q", word, rest)
	}
	d.Scope, d.Name = scopeAndName(rest)
	return d
}

// reference reads the facts that refer to a name.
func reference(word, rest string, at uint32) tag.Reference {
	ref := tag.Reference{Name: rest, Role: tag.Call, Start: at, Row: at / 10}
	switch word {
	case "ref":
		if i := strings.LastIndexAny(rest, ".:"); i >= 0 {
			ref.Qualifier, ref.Name = strings.TrimRight(rest[:i], ":"), rest[i+1:]
		}
	case "role":
		ref.Role, ref.Name, _ = strings.Cut(rest, " ")
	case "on":
		ref.Qualifier = tag.UnknownQualifier
		ref.Receiver, ref.Name, _ = strings.Cut(rest, " ")
	}
	return ref
}

// scopeAndName splits a name behind its last dot.
func scopeAndName(s string) (scope, name string) {
	i := strings.LastIndexByte(s, '.')
	return s[:max(0, i)], s[i+1:]
}

func (r *repo) addImport(f *tag.File, ft *model.FileTags, text string, row uint32) {
	text, to, _ := strings.Cut(text, "->")
	module, names, _ := strings.Cut(strings.TrimSpace(text), " ")
	imp := tag.Import{Module: module, Row: row}
	for n := range strings.SplitSeq(names, ",") {
		if n = strings.TrimSpace(n); n != "" {
			imp.Names = append(imp.Names, n)
		}
	}
	f.Imports = append(f.Imports, imp)
	set := &model.FileSet{}
	for n := range strings.FieldsSeq(to) {
		var index uint32
		if _, err := fmt.Sscan(n, &index); err != nil {
			r.t.Fatal(err)
		}
		set.Files = append(set.Files, index)
	}
	if len(set.Files) == 0 {
		ft.Targets = append(ft.Targets, 0)
		return
	}
	r.tags.Sets = append(r.tags.Sets, set)
	ft.Targets = append(ft.Targets, uint32(len(r.tags.Sets)))
}

func (r *repo) run() (*model.Graph, *model.Findings) {
	r.t.Helper()
	m, err := sdk.NewModel(map[string]proto.Message{model.SectionFiles: &r.files, model.SectionTags: &r.tags})
	if err != nil {
		r.t.Fatal(err)
	}
	c, err := sdk.NewConfig(New().Options, nil)
	if err != nil {
		r.t.Fatal(err)
	}
	if err := run(context.Background(), c, m); err != nil {
		r.t.Fatal(err)
	}
	var g model.Graph
	var f model.Findings
	if err := m.Result(model.SectionGraph, &g); err != nil {
		r.t.Fatal(err)
	}
	if err := m.Result(model.SectionFindings, &f); err != nil {
		r.t.Fatal(err)
	}
	return &g, &f
}

// edges writes the edges of a graph as "from -> to file: scope.name".
func (r *repo) edges(g *model.Graph) []string {
	var out []string
	for i, to := range g.EdgeTo {
		name := g.Strings[g.DefName[to]]
		if s := g.Strings[g.DefScope[to]]; s != "" {
			name = s + "." + name
		}
		how := ""
		if g.EdgeHow[i] != 0 {
			how = " guessed"
		}
		out = append(out, fmt.Sprintf("%s -> %s %s%s", r.files.Files[g.EdgeFrom[i]].Path, r.files.Files[g.DefFile[to]].Path, name, how))
	}
	return out
}

// facts are those of a file, as repo.file reads them.
type facts struct{ path, text string }

// checkEdges ties the references of files in one language and compares the edges, in any order.
func checkEdges(t *testing.T, language string, files []facts, want []string, unresolved uint64) {
	t.Helper()
	r := &repo{t: t}
	for _, f := range files {
		class := model.ClassSource
		if strings.HasSuffix(f.path, "_test.go") {
			class = model.ClassTest
		}
		r.file(f.path, language, class, f.text)
	}
	g, _ := r.run()
	got := r.edges(g)
	slices.Sort(got)
	want = slices.Sorted(slices.Values(want))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("edges differ (-want +got):\n%s", diff)
	}
	if g.Unresolved != unresolved {
		t.Errorf("%d unresolved, want %d", g.Unresolved, unresolved)
	}
}
