//go:build !cgo

package langrust

import "unsafe"

func grammar() unsafe.Pointer { return nil }
