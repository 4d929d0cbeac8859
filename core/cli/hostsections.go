package cli

import (
	"context"
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"slices"
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
	// tagKey stands for the tags; see prepare.
	tagKey []byte
	// print is what making tagKey has cost; nil where that was remembered.
	print *tags.Print

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
	// The section of files names the folder; the others are the same in every copy.
	rules := h.inv.Secrets.Fingerprint()
	named := sha256.Sum256(slices.Concat([]byte(filepath.Base(h.inv.Tree.Root)+"\x00"), h.inv.Shape[:], rules[:]))
	return engine.Source{
		Keys: map[string][]byte{
			model.SectionFiles:    named[:],
			model.SectionContent:  h.inv.Key[:],
			model.SectionTags:     h.tagKey,
			model.SectionHistory:  h.past,
			model.SectionFindings: h.tagKey,
		},
		Load: h.load,
		Unsettled: func() bool {
			h.mu.Lock()
			defer h.mu.Unlock()
			return h.pastMissed || h.collected != nil && h.collected.Unsettled
		},
	}
}

// prepare learns what stands for the tags. For text that was seen before that is remembered; else the files that changed are
// extracted, since most edits leave what a pack finds as it was.
func (h *hostSections) prepare(ctx context.Context) error {
	sum := sha256.New()
	sum.Write([]byte("fingerprint of tags"))
	sum.Write(h.inv.Key[:])
	rules := h.inv.Secrets.Fingerprint()
	sum.Write(rules[:])
	for _, p := range h.packs {
		sum.Write(p.Identity)
	}
	text := sum.Sum(nil)
	if values, err := h.store.Get(ctx, cache.Section, [][]byte{text}); err == nil && values[0] != nil {
		h.tagKey = values[0]
		return nil
	}
	h.start()
	var err error
	if h.print, err = tags.Fingerprint(ctx, h.inv, h.packs, h.store, h.warn); err != nil {
		return err
	}
	h.tagKey, h.collected = h.print.Key, h.print.All
	if h.tagKey == nil {
		h.tagKey = text
		return nil
	}
	if err := h.store.Put(ctx, cache.Section, []cache.Entry{{Key: text, Value: h.tagKey}}); err != nil {
		h.warn(err)
	}
	return nil
}

// work says what the packs had to do. Files that were extracted for the key were remembered when all was collected.
func (h *hostSections) work() []tags.PackWork {
	if h.print == nil || h.print.All != nil {
		return h.collectedWork()
	}
	out := slices.Clone(h.collectedWork())
	for _, early := range h.print.Packs {
		k := slices.IndexFunc(out, func(w tags.PackWork) bool { return w.Pack == early.Pack })
		if k < 0 {
			out = append(out, early)
			continue
		}
		w := &out[k]
		w.Start, w.Extract = early.Start, w.Extract+early.Extract
		w.Extracted, w.Remembered = w.Extracted+early.Extracted, w.Remembered-early.Extracted
	}
	return out
}

func (h *hostSections) collectedWork() []tags.PackWork {
	if h.collected == nil {
		return nil
	}
	return h.collected.Packs
}

// start tells once that tags are going to be gathered.
func (h *hostSections) start() {
	if h.begin != nil {
		h.begin()
		h.begin = nil
	}
}

func (h *hostSections) load(ctx context.Context, section string) ([]byte, error) {
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
		return h.findings(ctx)
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
		h.start()
		h.collected, h.err = tags.Collect(ctx, h.inv, h.packs, h.store, h.warn)
	}
	return h.err
}

// findings are remembered, so that they do not make an unchanged repository's tags be gathered again.
func (h *hostSections) findings(ctx context.Context) ([]byte, error) {
	key := append([]byte("host findings "), h.tagKey...)
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
			Path: []byte(paths[i]), Language: e.Language, Class: e.Class,
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
