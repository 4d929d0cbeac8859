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

// notation says what follows of Rust's types and of common methods.
var notation = &treesitter.Notation{
	Transparent: treesitter.Words("Box Arc Rc Pin Ref RefMut Cow ManuallyDrop Future IntoFuture MutexGuard RwLockReadGuard RwLockWriteGuard"),
	Keyed:       treesitter.Words("HashMap BTreeMap IndexMap FxHashMap"),
	Holds: treesitter.Words(`unwrap expect unwrap_or unwrap_or_default unwrap_or_else unwrap_unchecked lock try_lock borrow borrow_mut
		as_ref as_mut as_deref as_deref_mut clone cloned copied to_owned iter iter_mut into_iter next next_back take get get_mut
		first last pop pop_front pop_back front back read write into_inner peek rev skip filter get_or_insert_with or_insert_with
		upgrade entry or_default or_insert ok_or ok_or_else map_err context with_context ok inspect_err peekable by_ref`),
	Tokens: true,
}

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
		NewExtractor: treesitter.New(treesitter.Spec{
			Language: grammar(), Query: query, Notation: notation, Mask: mask, Finish: finish,
		}),
		Resolve:  resolve,
		Fixtures: sdk.Folder(fixtures, "fixtures"),
	}
}
