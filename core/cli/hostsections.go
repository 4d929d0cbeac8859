package cli

import (
	"context"
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"sync"

	"google.golang.org/protobuf/proto"

	"github.com/repox-dev/repox/core/cache"
	"github.com/repox-dev/repox/core/engine"
	"github.com/repox-dev/repox/core/inventory"
	"github.com/repox-dev/repox/core/source"
	"github.com/repox-dev/repox/core/tags"
	"github.com/repox-dev/repox/sdk/heap"
	"github.com/repox-dev/repox/sdk/model"
)

// hostSections makes the sections that come from the host itself: files, content, tags, history, and the findings of
// reading.
type hostSections struct {
	inv   *inventory.Inventory
	packs []tags.Pack
	store *cache.Store
	warn  func(error)
	// past stands for the history; nil where no stage wants it.
	past []byte
	// begin, if given, is called before tags are gathered.
	begin func()

	mu        sync.Mutex
	collected *tags.Result
	err       error
	tagged    []byte // the section tags
	// tagUsers is how many stages may still ask for it.
	tagUsers   int
	pastMissed bool
}

// source describes the sections to the engine.
func (h *hostSections) source() engine.Source {
	files := h.inv.Key[:]
	// The section of files names the folder; the others are the same in every copy.
	named := sha256.Sum256(append([]byte(filepath.Base(h.inv.Tree.Root)+"\x00"), files...))
	sum := sha256.New()
	sum.Write(files)
	for _, p := range h.packs {
		sum.Write(p.Identity)
	}
	rules := h.inv.Secrets.Fingerprint()
	sum.Write(rules[:])
	tagged := sum.Sum(nil)
	return engine.Source{
		Keys: map[string][]byte{
			model.SectionFiles:    named[:],
			model.SectionContent:  files,
			model.SectionTags:     tagged,
			model.SectionHistory:  h.past,
			model.SectionFindings: tagged,
		},
		Load: func(ctx context.Context, section string) ([]byte, error) { return h.load(ctx, section, tagged) },
		Unsettled: func() bool {
			h.mu.Lock()
			defer h.mu.Unlock()
			return h.pastMissed || h.collected != nil && h.collected.Unsettled
		},
	}
}

func (h *hostSections) load(ctx context.Context, section string, tagged []byte) ([]byte, error) {
	switch section {
	case model.SectionFiles:
		return proto.Marshal(h.files())
	case model.SectionContent:
		return proto.Marshal(h.content())
	case model.SectionTags:
		if err := h.collect(ctx); err != nil {
			return nil, err
		}
		return h.tags()
	case model.SectionHistory:
		return h.history(ctx)
	case model.SectionFindings:
		return h.findings(ctx, tagged)
	}
	return nil, fmt.Errorf("the host has no section %q", section)
}

// tags encodes what was collected, once. The set is let go then, and the section with its last user: each is as large as
// all tags together.
func (h *hostSections) tags() ([]byte, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if set := h.collected.Set; set != nil {
		h.collected.Set = nil
		var err error
		if h.tagged, err = proto.Marshal(set); err != nil {
			return nil, err
		}
		heap.Trim()
	}
	section := h.tagged
	if h.tagUsers--; h.tagUsers <= 0 {
		h.tagged = nil
	}
	return section, nil
}

func (h *hostSections) collect(ctx context.Context) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.collected == nil && h.err == nil {
		if h.begin != nil {
			h.begin()
		}
		h.collected, h.err = tags.Collect(ctx, h.inv, h.packs, h.store, h.warn)
	}
	return h.err
}

// findings are remembered, so that they do not make an unchanged repository's tags be gathered again.
func (h *hostSections) findings(ctx context.Context, tagged []byte) ([]byte, error) {
	key := append([]byte("host findings "), tagged...)
	if values, err := h.store.Get(ctx, cache.Section, [][]byte{key}); err == nil && values[0] != nil {
		return values[0], nil
	}
	if err := h.collect(ctx); err != nil {
		return nil, err
	}
	b, err := proto.Marshal(&model.Findings{Findings: h.collected.Findings})
	if err != nil {
		return nil, err
	}
	if !h.collected.Unsettled {
		if err := h.store.Put(ctx, cache.Section, []cache.Entry{{Key: key, Value: b}}); err != nil {
			h.warn(err)
		}
	}
	return b, nil
}

func (h *hostSections) files() *model.Files {
	out := &model.Files{Root: []byte(filepath.Base(h.inv.Tree.Root)), Skipped: map[string]uint64{}}
	paths := h.inv.ShownPaths()
	for i := range h.inv.Entries {
		e := &h.inv.Entries[i]
		out.Files = append(out.Files, &model.File{
			Path: []byte(paths[i]), Size: uint64(e.File.Size), Language: e.Language, Class: e.Class,
		})
	}
	for reason, n := range h.inv.Skipped {
		out.Skipped[reason] = uint64(n)
	}
	return out
}

// content gives the text of every file; one that cannot be read any more is left out.
func (h *hostSections) content() *model.Content {
	out := &model.Content{}
	for i := range h.inv.Entries {
		raw, err := h.inv.Tree.Read(&h.inv.Entries[i].File)
		if err != nil {
			continue
		}
		if text, _, reason := source.Decode(raw); reason == "" {
			out.Files = append(out.Files, &model.FileContent{File: uint32(i), Text: text})
		}
	}
	return out
}
