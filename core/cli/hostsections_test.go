package cli

import (
	"bytes"
	"testing"

	"github.com/repox-dev/repox/core/inventory"
	"github.com/repox-dev/repox/core/source"
	"github.com/repox-dev/repox/sdk/model"
)

// TestTheKeyOfFilesHasTheFoldersName: the section has it too. What is costly to make is shared between copies.
func TestTheKeyOfFilesHasTheFoldersName(t *testing.T) {
	keys := func(root string) map[string][]byte {
		h := &hostSections{inv: &inventory.Inventory{Tree: &source.Tree{Root: root}}}
		return h.source().Keys
	}
	a, b := keys("/x/a"), keys("/x/b")
	if bytes.Equal(a[model.SectionFiles], b[model.SectionFiles]) {
		t.Error("files: two names, one key")
	}
	if !bytes.Equal(a[model.SectionTags], b[model.SectionTags]) {
		t.Error("tags: one tree, two keys")
	}
}
