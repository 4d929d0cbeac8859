//go:build cgo

package langrust

import (
	"unsafe"

	rust "github.com/tree-sitter/tree-sitter-rust/bindings/go"
)

func grammar() unsafe.Pointer { return rust.Language() }
