//go:build !cgo

package langts

import "unsafe"

func javascriptGrammar() unsafe.Pointer { return nil }
func typescriptGrammar() unsafe.Pointer { return nil }
func tsxGrammar() unsafe.Pointer        { return nil }
