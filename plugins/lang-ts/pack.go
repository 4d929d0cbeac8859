// Package langts is the language pack for TypeScript and JavaScript.
package langts

import (
	"embed"
	"path"
	"strings"
	"unsafe"

	"github.com/repox-dev/repox/sdk"
	"github.com/repox-dev/repox/sdk/treesitter"
)

//go:embed javascript.scm
var javascriptQuery string

//go:embed typescript.scm
var typescriptQuery string

//go:embed untyped.scm
var untypedQuery string

//go:embed elements.scm
var elementQuery string

//go:embed fixtures
var fixtures embed.FS

const (
	typescriptVersion = "tree-sitter-typescript v0.23.2"
	javascriptVersion = "tree-sitter-javascript v0.25.0"
)

// New gives the pack.
func New() *sdk.Pack {
	return &sdk.Pack{
		Name:    "lang-ts",
		Version: "0.1.0",
		Doc:     "Definitions, references and imports of TypeScript and JavaScript source.",
		Languages: []sdk.Language{
			{Name: "typescript", Extensions: []string{".ts", ".tsx", ".mts", ".cts"}, TestPatterns: testPatterns("ts", "tsx", "mts", "cts"), Grammar: typescriptVersion},
			{Name: "javascript", Extensions: []string{".js", ".jsx", ".mjs", ".cjs"}, TestPatterns: testPatterns("js", "jsx", "mjs", "cjs"), Grammar: javascriptVersion},
		},
		Manifests: []string{"package.json", "tsconfig.json", "jsconfig.json"},
		Kinds: []string{
			"definition.class", "definition.constant", "definition.enum", "definition.function", "definition.interface",
			"definition.method", "definition.module", "definition.type", "definition.variable",
			"reference.call", "reference.decorator", "reference.implement", "reference.jsx", "reference.read",
			"reference.type",
			"import.module", "import.all", "import.names", "import.namespace",
		},
		NewExtractor: treesitter.NewByLanguage(dialect, specs()),
		Resolve:      resolve,
		Fixtures:     sdk.Folder(fixtures, "fixtures"),
	}
}

func testPatterns(extensions ...string) []string {
	var out []string
	for _, e := range extensions {
		out = append(out, "*.test."+e, "*.spec."+e, "__tests__/*."+e)
	}
	return out
}

// dialect chooses the grammar: angle brackets are type assertions in .ts and elements in .tsx, and every JavaScript
// file may hold elements. JavaScript's own grammar fails on attributes named as keywords are (for, class), so files
// that say they hold elements are read by TypeScript's.
func dialect(name string) string {
	switch ext := strings.ToLower(path.Ext(name)); ext {
	case ".tsx", ".jsx":
		return "tsx"
	case ".ts", ".mts", ".cts":
		return "ts"
	}
	return "js"
}

// notation says what follows of TypeScript's types and of common methods.
var notation = &treesitter.Notation{
	Transparent: map[string]bool{"Readonly": true, "Partial": true, "Required": true, "NonNullable": true},
	Keyed:       map[string]bool{"Map": true, "ReadonlyMap": true, "WeakMap": true, "Record": true},
	Holds:       map[string]bool{"get": true, "find": true, "pop": true, "shift": true, "at": true, "values": true},
	Self:        "this", Super: "super",
}

func specs() map[string]treesitter.Spec {
	parentheses := []string{"parenthesized_expression"}
	typed := append(parentheses, "as_expression", "satisfies_expression", "non_null_expression")
	spec := func(language unsafe.Pointer, query string) treesitter.Spec {
		return treesitter.Spec{Language: language, Query: query, Notation: notation, Mask: mask, Finish: finish}
	}
	// Of several patterns on one name the first counts, so what is narrower for TypeScript stands first.
	both := typescriptQuery + javascriptQuery
	return map[string]treesitter.Spec{
		"js":  spec(javascriptGrammar(), elementQuery+expand(javascriptQuery+untypedQuery, parentheses)),
		"tsx": spec(tsxGrammar(), elementQuery+expand(both, typed)),
		"ts":  spec(typescriptGrammar(), expand(both, append(typed, "type_assertion"))),
	}
}

// expand puts the ways to write a value for $function, $class and $object: bare, or in up to two of the wrappers that
// change nothing about what a name is bound to.
func expand(query string, wrappers []string) string {
	return strings.NewReplacer(
		"$function", wrapped("[(arrow_function body: (_) @body) (function_expression body: (statement_block) @body) (generator_function body: (statement_block) @body)]", wrappers),
		"$class", wrapped("(class body: (_) @body)", wrappers),
		"$object", wrapped(`(object "{" @name) @definition.object`, wrappers),
		"$require", "(call_expression function: (identifier) @of arguments: (arguments [(string) (template_string)] @import.module))",
		"$import", "(call_expression function: (import) arguments: (arguments [(string) (template_string)] @import.module))",
		"$members", wrapped(`(object "{" @name) @definition.members`, wrappers),
	).Replace(query)
}

func wrapped(value string, wrappers []string) string {
	inner := value
	for range 2 {
		choices := []string{value}
		for _, w := range wrappers {
			choices = append(choices, "("+w+" "+inner+")")
		}
		inner = "[" + strings.Join(choices, " ") + "]"
	}
	return inner
}
