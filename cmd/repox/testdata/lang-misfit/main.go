// Command lang-misfit is a language pack whose query names a node that its grammar does not have.
package main

import (
	grammar "github.com/tree-sitter/tree-sitter-go/bindings/go"

	"github.com/repox-dev/repox/sdk"
	"github.com/repox-dev/repox/sdk/treesitter"
)

const query = `(function_declaration name: (identifier) @name) @definition.function
(class_declaration name: (identifier) @name) @definition.class
`

func main() {
	sdk.Main(&sdk.Pack{
		Name: "lang-misfit", Version: "0.1.0", Doc: "Fits no grammar.",
		Languages:    []sdk.Language{{Name: "misfit", Extensions: []string{".misfit"}}},
		Kinds:        []string{"definition.function", "definition.class"},
		NewExtractor: treesitter.New(treesitter.Spec{Language: grammar.Language(), Query: query}),
	})
}
