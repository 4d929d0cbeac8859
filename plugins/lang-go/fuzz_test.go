package langgo

import (
	"testing"

	"github.com/repox-dev/repox/sdk/packtest"
)

func FuzzExtract(f *testing.F) { packtest.Fuzz(f, New()) }
