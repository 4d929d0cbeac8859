package langpython

import (
	"testing"

	"github.com/repox-dev/repox/sdk/packtest"
)

func TestFixtures(t *testing.T) { packtest.Run(t, New(), "fixtures") }

func TestCases(t *testing.T) { packtest.Cases(t, New(), "testdata/cases") }

func TestPublished(t *testing.T) {
	packtest.Published(t, New(), "github.com/tree-sitter/tree-sitter-python", "test/tags/main.py", packtest.Reading{
		Same: map[string][]string{"definition.function": {"definition.method"}},
	})
}
