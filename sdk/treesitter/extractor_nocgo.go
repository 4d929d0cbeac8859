//go:build !cgo

package treesitter

import (
	"errors"

	"github.com/repox-dev/repox/sdk"
)

// errNoCgo is what every pack on this package says in a program built without cgo.
var errNoCgo = errors.New("built without a C compiler, so no grammar is inside: install gcc or clang and build with CGO_ENABLED=1")

type sharedPrograms struct{ specs map[string]Spec }

func newExtractor(*sharedPrograms, func(string) string, sdk.Config) (sdk.Extractor, error) {
	return nil, errNoCgo
}
