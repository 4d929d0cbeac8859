//go:build cgo

package langpython

import (
	"unsafe"

	python "github.com/tree-sitter/tree-sitter-python/bindings/go"
)

func grammar() unsafe.Pointer { return python.Language() }
