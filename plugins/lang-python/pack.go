// Package langpython is the language pack for Python.
package langpython

import (
	"embed"

	"github.com/repox-dev/repox/sdk"
	"github.com/repox-dev/repox/sdk/treesitter"
)

//go:embed tags.scm
var query string

//go:embed fixtures
var fixtures embed.FS

// notation says what follows of Python's types and of common methods.
var notation = &treesitter.Notation{
	Transparent: treesitter.Words("Optional ClassVar Final Annotated Type type Awaitable Required NotRequired"),
	Keyed:       treesitter.Words("dict Dict Mapping MutableMapping defaultdict OrderedDict"),
	Holds:       treesitter.Words("copy get pop first last values"),
	Super:       "super",
}

// New gives the pack.
func New() *sdk.Pack {
	return &sdk.Pack{
		Name:    "lang-python",
		Version: "0.1.0",
		Doc:     "Definitions, references and imports of Python source and stubs.",
		Languages: []sdk.Language{{
			Name: "python", Extensions: []string{".py", ".pyi"},
			TestPatterns: []string{"test_*.py", "*_test.py", "tests.py", "conftest.py", "tests/**", "**/tests/**"},
			Grammar:      "tree-sitter-python v0.25.0",
		}},
		Manifests: []string{"pyproject.toml", "setup.cfg", "setup.py"},
		Kinds: []string{
			"definition.class", "definition.constant", "definition.function", "definition.method", "definition.type",
			"definition.variable",
			"reference.call", "reference.decorator", "reference.implement", "reference.read", "reference.type",
			"import.all", "import.module", "import.names", "import.namespace",
		},
		NewExtractor: treesitter.New(treesitter.Spec{
			Language: grammar(), Query: query, Notation: notation, Finish: finish,
		}),
		Resolve:  resolve,
		Fixtures: sdk.Folder(fixtures, "fixtures"),
	}
}
