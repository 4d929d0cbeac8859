package langpython

import (
	"testing"

	"github.com/repox-dev/repox/sdk/packtest"
)

func TestFixtures(t *testing.T) { packtest.Run(t, New(), "fixtures") }

func TestCases(t *testing.T) { packtest.Cases(t, New(), "testdata/cases") }
