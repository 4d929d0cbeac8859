//go:build cgo

package langgo

import (
	"unsafe"

	golang "github.com/tree-sitter/tree-sitter-go/bindings/go"
)

func grammar() unsafe.Pointer { return golang.Language() }
