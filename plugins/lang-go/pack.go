// Package langgo is the language pack for Go.
package langgo

import (
	"embed"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/repox-dev/repox/sdk"
	"github.com/repox-dev/repox/sdk/tag"
	"github.com/repox-dev/repox/sdk/treesitter"
)

//go:embed tags.scm
var query string

//go:embed fixtures
var fixtures embed.FS

// New gives the pack.
func New() *sdk.Pack {
	return &sdk.Pack{
		Name:    "lang-go",
		Version: "0.1.0",
		Doc:     "Definitions, references and imports of Go source.",
		Languages: []sdk.Language{{
			Name: "go", Extensions: []string{".go"}, TestPatterns: []string{"*_test.go"}, Grammar: "tree-sitter-go v0.25.0",
		}},
		Manifests: []string{"go.mod", "go.work", "vendor/modules.txt"},
		Kinds: []string{
			"definition.constant", "definition.function", "definition.interface", "definition.method",
			"definition.struct", "definition.type", "definition.variable",
			"reference.call", "reference.read", "reference.type",
			"import.all", "import.blank", "import.module", "import.namespace",
		},
		NewExtractor: treesitter.New(treesitter.Spec{
			Language: grammar(), Query: query, Notation: &treesitter.Notation{Results: true}, Finish: finish,
		}),
		Resolve:  resolve,
		Fixtures: sdk.Folder(fixtures, "fixtures"),
	}
}

// finish applies what the query cannot say: visibility, blank names, keywords of grouped specs, forms of import.
func finish(_ []byte, f *tag.File) {
	defs := f.Definitions[:0]
	var value tag.Definition // the variable or constant that the walk is inside of: it is no scope
	for _, d := range f.Definitions {
		if d.Start < value.End {
			d.Scope = strings.TrimPrefix(strings.TrimPrefix(d.Scope, value.Name), ".")
		} else if d.Kind == tag.Variable || d.Kind == tag.Constant {
			value = d
		}
		if d.Name == "_" {
			continue
		}
		d.Exported = exported(d.Name)
		d.Signature = withKeyword(d)
		defs = append(defs, d)
	}
	f.Definitions = defs
	packages := map[string]bool{"_": true}
	for i := range f.Imports {
		imp := &f.Imports[i]
		packages[packageName(imp)] = true
		importForm(imp)
	}
	// A package's name before a selector is no reference of its own.
	f.References = slices.DeleteFunc(f.References, func(r tag.Reference) bool {
		return r.Qualifier == "" && r.Role == tag.Read && packages[r.Name]
	})
}

// packageName is the name that a package most likely goes by in the importing file.
func packageName(imp *tag.Import) string {
	if imp.Local != "" {
		return imp.Local
	}
	name := path.Base(imp.Module)
	if majorVersion.MatchString(name) && name != imp.Module {
		name = path.Base(path.Dir(imp.Module))
	}
	return name
}

var majorVersion = regexp.MustCompile(`^v[0-9]+$`)

func exported(name string) bool {
	r, _ := utf8.DecodeRuneInString(name)
	return unicode.IsUpper(r)
}

// withKeyword puts the keyword of a group before the signature of one of its specs.
func withKeyword(d tag.Definition) string {
	keyword := ""
	switch d.Kind {
	case tag.Constant:
		keyword = "const "
	case tag.Variable:
		keyword = "var "
	case tag.Struct, tag.Interface, tag.Type:
		keyword = "type "
	}
	if keyword == "" || strings.HasPrefix(d.Signature, keyword) {
		return d.Signature
	}
	return keyword + d.Signature
}

// importForm says what an import brings in: the whole package under a name, all its names, or nothing.
func importForm(i *tag.Import) {
	switch i.Local {
	case "":
	case ".":
		i.Names, i.Local = []string{"*"}, ""
	case "_":
		i.Names, i.Local = []string{"_"}, ""
	default:
		i.Names = []string{"* as " + i.Local}
	}
}
