//go:build cgo

package langts

import (
	"unsafe"

	javascript "github.com/tree-sitter/tree-sitter-javascript/bindings/go"
	typescript "github.com/tree-sitter/tree-sitter-typescript/bindings/go"
)

func javascriptGrammar() unsafe.Pointer { return javascript.Language() }
func typescriptGrammar() unsafe.Pointer { return typescript.LanguageTypescript() }
func tsxGrammar() unsafe.Pointer        { return typescript.LanguageTSX() }
