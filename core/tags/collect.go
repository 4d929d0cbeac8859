// Package tags gathers the tags of every file of a tree: those that are remembered come from the cache, the others from
// the language packs, which are started only if there is work for them. The bytes of a file's tags are made once, by
// the pack, and are stored and passed on as they are.
//
// Collect is the whole job; Extractor is the part that keeps a pack busy and survives its crashes; Resolve ties imports to
// files.
package tags

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/repox-dev/repox/core/cache"
	"github.com/repox-dev/repox/core/inventory"
	"github.com/repox-dev/repox/core/source"
	"github.com/repox-dev/repox/sdk/model"
	pluginv1 "github.com/repox-dev/repox/sdk/proto"
)

// Result is what Collect gives.
type Result struct {
	// Set is the section "tags".
	Set *model.TagSet
	// Findings are the files that gave no tags, with the reason.
	Findings []*model.Finding
	// Unsettled: the reason of a skip may be gone at the next run, so the findings are not to be remembered.
	Unsettled bool
	// digests stand for what was found in each file, by its number; they are nil for what no pack reads.
	digests []digest
	// Packs says what each pack had to do, in the order of the pipeline; those without files are left out.
	Packs []PackWork
}

// Collect gathers the tags of the inventory's files. The store may be nil; its faults are told to warn and cost only
// time. A pack that breaks down costs the files or the import edges that it did not give, which is a finding; an error
// means that a pack could not be started, that no pack was usable, or that ctx has ended.
func Collect(ctx context.Context, inv *inventory.Inventory, packs []Pack, store *cache.Store, warn func(error)) (*Result, error) {
	c := newCollection(inv, store, warn)
	out := &Result{Set: &model.TagSet{}}
	targets := make([][]uint32, len(inv.Entries))
	for i := range packs {
		p := &packs[i]
		files := c.filesOf(p)
		if len(files) == 0 {
			continue
		}
		starter := &starter{pack: p}
		work := PackWork{Pack: p.Name, Start: time.Now()}
		remembered, extracted, err := c.extract(ctx, p, starter, files)
		work.Remembered, work.Extracted, work.Extract = remembered, extracted, time.Since(work.Start)
		if c.unusable(err) {
			continue
		}
		if err != nil && !c.survive(ctx, err) {
			return nil, err
		}
		c.usable = true
		sets, err := c.resolve(ctx, p, starter, files, uint32(len(out.Set.Sets)), targets)
		if err != nil && !c.survive(ctx, err) {
			return nil, err
		}
		out.Set.Sets = append(out.Set.Sets, sets...)
		work.Resolve = time.Since(work.Start) - work.Extract
		out.Packs = append(out.Packs, work)
		p.release()
	}
	if err := c.allUnusable(); err != nil {
		return nil, err
	}
	out.Unsettled = len(c.findings) > 0
	out.Findings = c.findings
	c.gather(out, targets)
	return out, nil
}

// resolve ties the imports of a pack's files to files. It fills targets, with set numbers that start after offset, and
// gives the sets.
func (c *collection) resolve(ctx context.Context, p *Pack, s *starter, files []int, offset uint32, targets [][]uint32) ([]*model.FileSet, error) {
	asks := c.withImports(files)
	if len(asks) == 0 {
		return nil, nil
	}
	running, err := s.get(ctx)
	if err != nil {
		return nil, err
	}
	r, err := c.openResolve(ctx, p, running, files)
	if err != nil {
		return nil, err
	}
	defer r.close()
	err = r.ask(asks, func(file uint32, sets []uint32) {
		for k, n := range sets {
			if n > 0 {
				sets[k] = offset + n
			}
		}
		targets[file] = sets
	})
	if err != nil {
		for _, i := range files {
			targets[i] = nil
		}
		return nil, err
	}
	return r.sets, nil
}

// withImports gives the results of files that import something.
func (c *collection) withImports(files []int) []*pluginv1.FileResult {
	var out []*pluginv1.FileResult
	for _, i := range files {
		if r := c.results[i]; r != nil && len(r.Imports) > 0 {
			out = append(out, r)
		}
	}
	return out
}

// survive tells whether the run goes on without what a pack failed to give, and notes that it does.
func (c *collection) survive(ctx context.Context, err error) bool {
	var pack *PackError
	var resolve *ResolveError
	if ctx.Err() != nil || !errors.As(err, &pack) && !errors.As(err, &resolve) {
		return false
	}
	c.warn(err)
	c.findings = append(c.findings, &model.Finding{Kind: model.FindingError, Code: "pack_failed", Message: err.Error()})
	return true
}

// unusable notes a pack that cannot work at all.
func (c *collection) unusable(err error) bool {
	var u *UnusableError
	if !errors.As(err, &u) {
		return false
	}
	c.lost = append(c.lost, u)
	return true
}

// allUnusable tells of the packs that cannot work: as findings if others can, else as an error.
func (c *collection) allUnusable() error {
	if len(c.lost) > 0 && !c.usable {
		return c.lost[0]
	}
	for _, u := range c.lost {
		c.warn(u)
		c.findings = append(c.findings, &model.Finding{
			Kind: model.FindingError, Code: "pack_failed", Message: u.Error() + "; its files gave no tags",
		})
	}
	return nil
}

type collection struct {
	inv     *inventory.Inventory
	store   *cache.Store
	warn    func(error)
	results []*pluginv1.FileResult // by index of the entry
	// findings are the packs that broke down.
	findings []*model.Finding
	patience time.Duration
	// lost are the packs that cannot work; usable tells that another can.
	lost   []*UnusableError
	usable bool
}

func newCollection(inv *inventory.Inventory, store *cache.Store, warn func(error)) *collection {
	return &collection{
		inv: inv, store: store, warn: warn, patience: resolvePatience, results: make([]*pluginv1.FileResult, len(inv.Entries)),
	}
}

// filesOf gives the indexes of the entries that a pack reads.
func (c *collection) filesOf(p *Pack) []int {
	var out []int
	for i := range c.inv.Entries {
		if e := &c.inv.Entries[i]; e.Language != "" && slices.Contains(p.Languages, e.Language) {
			out = append(out, i)
		}
	}
	return out
}

// extract fills results for the files of a pack, from the store as far as it goes.
func (c *collection) extract(ctx context.Context, p *Pack, s *starter, files []int) (remembered, extracted int, err error) {
	keys := make([][]byte, len(files))
	for k, i := range files {
		keys[k] = tagsKey(p, c.inv, i)
	}
	values, err := c.store.Get(ctx, cache.Tags, keys)
	if err != nil {
		c.warn(err)
	}
	var missing []int
	known := map[string]int{}
	for k, i := range files {
		if r := decodeResult(values[k], i); r != nil {
			c.results[i] = r
			known[c.inv.Entries[i].Language]++
		} else {
			missing = append(missing, k)
		}
	}
	for language, n := range known {
		p.done(language, n, true)
	}
	if len(missing) == 0 {
		return len(files), 0, nil
	}
	running, err := s.get(ctx)
	if err != nil {
		return 0, 0, err
	}
	err = c.run(ctx, p, running, files, missing, keys)
	return len(files) - len(missing), len(missing), err
}

// skipUnsupported is the code of a skip whose reason lies in the file and will be there the next time.
const skipUnsupported = "unsupported"

// putSize is how many results are written to the store in one go.
const putSize = 512

// run extracts the missing files and stores what they gave.
func (c *collection) run(ctx context.Context, p *Pack, running Running, files, missing []int, keys [][]byte) error {
	var sources []*pluginv1.SourceFile
	keyOf := make(map[uint32][]byte, len(missing))
	for _, k := range missing {
		i := files[k]
		sf, skip := c.sourceFile(i)
		if skip != nil {
			c.results[i] = &pluginv1.FileResult{File: uint32(i), Skip: skip}
			p.done(c.inv.Entries[i].Language, 1, false)
			continue
		}
		keyOf[uint32(i)] = keys[k]
		sources = append(sources, sf)
	}
	var mu sync.Mutex
	var pending []cache.Entry
	flush := func() {
		if err := c.store.Put(ctx, cache.Tags, pending); err != nil {
			c.warn(err)
		}
		pending = nil
	}
	err := running.Extract(ctx, sources, func(r *pluginv1.FileResult) {
		p.done(c.inv.Entries[r.File].Language, 1, false)
		mu.Lock()
		defer mu.Unlock()
		if err := clean(c.inv.Secrets, c.inv.Entries[r.File].File.Path, r); err != nil {
			*r = pluginv1.FileResult{File: r.File, Skip: &pluginv1.Skip{Code: "unreadable", Message: err.Error()}}
		}
		c.results[r.File] = r
		if key := keyOf[r.File]; r.Skip == nil && key != nil && c.store != nil {
			if value, err := proto.Marshal(&pluginv1.FileResult{Tags: r.Tags, Imports: r.Imports, Redacted: r.Redacted}); err == nil {
				pending = append(pending, cache.Entry{Key: key, Value: value})
			}
		}
		if len(pending) >= putSize {
			flush()
		}
	})
	mu.Lock()
	defer mu.Unlock()
	// What was extracted before an interrupt or a crash is kept for the next run.
	ctx = context.WithoutCancel(ctx)
	flush()
	return err
}

// sourceFile describes a file to its pack: by its path on this machine where the pack will read the same bytes, else with
// its text.
func (c *collection) sourceFile(i int) (*pluginv1.SourceFile, *pluginv1.Skip) {
	e := &c.inv.Entries[i]
	sf := &pluginv1.SourceFile{File: uint32(i), Path: []byte(e.File.Path), Language: e.Language, Hash: e.Hash[:]}
	if !e.Converted && c.inv.Tree.Commit == "" {
		sf.Local = []byte(filepath.Join(c.inv.Tree.Root, filepath.FromSlash(e.File.Path)))
		return sf, nil
	}
	raw, err := c.inv.Tree.Read(&e.File)
	if err != nil {
		return nil, &pluginv1.Skip{Code: "unreadable", Message: err.Error()}
	}
	text, _, reason := source.Decode(raw)
	if reason != "" {
		return nil, &pluginv1.Skip{Code: "changed", Message: "the file changed while it was being read"}
	}
	sf.Content = text
	return sf, nil
}

// tagsKey names the tags of a file. They depend on its text, its language and the pack, not on its path.
func tagsKey(p *Pack, inv *inventory.Inventory, i int) []byte {
	e := &inv.Entries[i]
	h := sha256.New()
	h.Write(p.Identity)
	h.Write(e.Hash[:])
	h.Write([]byte(e.Language))
	h.Write([]byte{0})
	// Packs of several grammars choose by extension.
	h.Write([]byte(filepath.Ext(e.File.Path)))
	// What is stored has been cleaned by these rules, unless they let the file alone.
	rules := inv.Secrets.Fingerprint()
	h.Write(rules[:])
	if inv.Secrets.Allows(e.File.Path) {
		h.Write([]byte{1})
	}
	return h.Sum(nil)
}

func decodeResult(value []byte, file int) *pluginv1.FileResult {
	if value == nil {
		return nil
	}
	r := new(pluginv1.FileResult)
	if err := proto.Unmarshal(value, r); err != nil {
		return nil
	}
	r.File = uint32(file)
	return r
}

// gather puts the results into the section, in the order of the files.
func (c *collection) gather(out *Result, targets [][]uint32) {
	paths := sync.OnceValue(c.inv.ShownPaths)
	out.digests = make([]digest, len(c.results))
	for i, r := range c.results {
		if r != nil {
			out.digests[i] = digestOf(r)
		}
		switch {
		case r == nil:
		case r.Skip != nil:
			out.Unsettled = out.Unsettled || r.Skip.Code != skipUnsupported
			out.Findings = append(out.Findings, &model.Finding{
				Kind: model.FindingLimitation, Code: "skipped_" + r.Skip.Code,
				Message: fmt.Sprintf("no tags: %s", r.Skip.Message), Path: []byte(paths()[i]),
			})
		default:
			out.Set.Files = append(out.Set.Files, &model.FileTags{
				File: uint32(i), Tags: r.Tags, Imports: r.Imports, Targets: targets[i],
			})
			for _, x := range r.Redacted {
				out.Findings = append(out.Findings, &model.Finding{
					Kind: model.FindingRedaction, Code: "redacted_secret", Message: "a secret was taken out: " + x.Kind,
					Path: []byte(paths()[i]), Line: x.Line, Field: x.Field,
				})
			}
		}
	}
}
