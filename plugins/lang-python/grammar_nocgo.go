//go:build !cgo

package langpython

import "unsafe"

func grammar() unsafe.Pointer { return nil }
