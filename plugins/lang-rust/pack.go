// Package langrust is the language pack for Rust.
package langrust

import (
	"embed"

	"github.com/repox-dev/repox/sdk"
	"github.com/repox-dev/repox/sdk/treesitter"
)

//go:embed tags.scm
var query string

//go:embed fixtures
var fixtures embed.FS

// New gives the pack.
func New() *sdk.Pack {
	return &sdk.Pack{
		Name:    "lang-rust",
		Version: "0.1.0",
		Doc:     "Definitions, references and imports of Rust source.",
		Languages: []sdk.Language{{
			Name: "rust", Extensions: []string{".rs"}, Grammar: "tree-sitter-rust v0.24.0",
			TestPatterns: []string{"tests/**", "**/tests/**", "tests.rs", "test.rs", "*_test.rs", "*_tests.rs"},
		}},
		Manifests: []string{"Cargo.toml"},
		Kinds: []string{
			"definition.constant", "definition.enum", "definition.function", "definition.macro", "definition.method",
			"definition.module", "definition.struct", "definition.trait", "definition.type", "definition.variable",
			"reference.call", "reference.decorator", "reference.implement", "reference.macro", "reference.read",
			"reference.type",
			"import.all", "import.module", "import.names", "import.namespace",
		},
		NewExtractor: treesitter.New(treesitter.Spec{Language: grammar(), Query: query, Mask: mask, Finish: finish}),
		Resolve:      resolve,
		Fixtures:     sdk.Folder(fixtures, "fixtures"),
	}
}
