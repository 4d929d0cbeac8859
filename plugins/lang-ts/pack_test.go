package langts

import (
	"testing"

	"github.com/repox-dev/repox/sdk/packtest"
)

func TestFixtures(t *testing.T) { packtest.Run(t, New(), "fixtures") }

func TestTypeScriptCases(t *testing.T) { packtest.Cases(t, New(), "testdata/cases/typescript") }

func TestJavaScriptCases(t *testing.T) { packtest.Cases(t, New(), "testdata/cases/javascript") }
