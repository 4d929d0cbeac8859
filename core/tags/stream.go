package tags

import (
	"context"
	"slices"

	"github.com/repox-dev/repox/core/cache"
	"github.com/repox-dev/repox/core/inventory"
	"github.com/repox-dev/repox/sdk/model"
	pluginv1 "github.com/repox-dev/repox/sdk/proto"
)

// streamWindow is how many entries are gathered at a time: enough to keep every worker of a pack busy, little enough to
// hold in memory twice.
const streamWindow = 1024

// Facts are what is known of one file.
type Facts struct {
	// Number is that of the entry in the inventory.
	Number int
	Entry  *inventory.Entry
	// Result holds encoded tags and imports, or the reason why there are none.
	Result *pluginv1.FileResult
	// Targets gives for each import the numbers of the entries that it leads to.
	Targets [][]uint32
}

// Stream gathers what Collect does, but hands it over file by file, in the order of the inventory, and keeps nothing: the
// memory it needs does not grow with what is in the files. Files that no pack reads are left out. While each looks at some
// files, the next are gathered. The findings are the packs that broke down.
func Stream(ctx context.Context, inv *inventory.Inventory, packs []Pack, store *cache.Store, warn func(error), each func(*Facts) error) ([]*model.Finding, error) {
	return stream(ctx, newCollection(inv, store, warn), packs, streamWindow, each)
}

func stream(ctx context.Context, c *collection, packs []Pack, size int, each func(*Facts) error) ([]*model.Finding, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := &streaming{collection: c, size: size}
	for i := range packs {
		p := &packs[i]
		s.packs = append(s.packs, &streamPack{starter: starter{pack: p}, files: s.filesOf(p)})
	}
	windows := make(chan []Facts)
	failed := make(chan error, 1)
	go func() {
		defer close(windows)
		failed <- s.gatherAll(ctx, windows)
	}()
	for w := range windows {
		for i := range w {
			if err := each(&w[i]); err != nil {
				cancel()
				for range windows {
					continue // until the gathering has ended
				}
				return nil, err
			}
		}
	}
	if err := <-failed; err != nil {
		return nil, err
	}
	err := s.allUnusable()
	return s.findings, err
}

// streaming is one call of Stream.
type streaming struct {
	*collection
	packs []*streamPack
	size  int // of a window, in entries
}

// streamPack is a pack and how far it has come.
type streamPack struct {
	starter starter
	files   []int // indexes of entries
	next    int   // how many of files are done
	// resolving is nil until there are imports, and again after the stream broke.
	resolving *resolving
	// lost: the pack cannot work.
	lost bool
	// mute: the pack could not resolve, and is not asked any more.
	mute bool
}

func (s *streaming) gatherAll(ctx context.Context, windows chan<- []Facts) error {
	defer func() {
		for _, p := range s.packs {
			p.endResolve()
		}
	}()
	for first := 0; first < len(s.inv.Entries); first += s.size {
		w, err := s.window(ctx, min(first+s.size, len(s.inv.Entries)))
		if err != nil {
			return err
		}
		select {
		case windows <- w:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// window gathers the facts of the entries before end that are not done yet.
func (s *streaming) window(ctx context.Context, end int) ([]Facts, error) {
	targets := map[int][][]uint32{}
	var done []int
	for _, p := range s.packs {
		files := p.take(end)
		if len(files) == 0 || p.lost {
			continue
		}
		_, _, err := s.extract(ctx, p.starter.pack, &p.starter, files)
		if p.lost = s.unusable(err); p.lost {
			continue
		}
		if err != nil && !s.survive(ctx, err) {
			return nil, err
		}
		s.usable = true
		done = append(done, files...)
		if err := s.resolveSome(ctx, p, files, targets); err != nil && !s.survive(ctx, err) {
			return nil, err
		}
	}
	slices.Sort(done)
	out := make([]Facts, 0, len(done))
	for _, i := range done {
		if r := s.results[i]; r != nil {
			out = append(out, Facts{Number: i, Entry: &s.inv.Entries[i], Result: r, Targets: targets[i]})
			s.results[i] = nil
		}
	}
	return out, nil
}

// take gives the files before end that are not done yet.
func (p *streamPack) take(end int) []int {
	first := p.next
	for p.next < len(p.files) && p.files[p.next] < end {
		p.next++
	}
	return p.files[first:p.next]
}

// resolveSome ties the imports of some files. A stream that breaks is opened once more: the pack may have been replaced
// since, for its memory or for a file that killed it.
func (s *streaming) resolveSome(ctx context.Context, p *streamPack, files []int, targets map[int][][]uint32) error {
	asks := s.withImports(files)
	if len(asks) == 0 || p.mute {
		return nil
	}
	err := s.askOnce(ctx, p, asks, targets)
	if err != nil && ctx.Err() == nil {
		err = s.askOnce(ctx, p, asks, targets)
	}
	if err != nil {
		p.mute = true
		for _, i := range files {
			delete(targets, i)
		}
	}
	return err
}

func (s *streaming) askOnce(ctx context.Context, p *streamPack, asks []*pluginv1.FileResult, targets map[int][][]uint32) error {
	if p.resolving == nil {
		running, err := p.starter.get(ctx)
		if err != nil {
			return err
		}
		if p.resolving, err = s.openResolve(ctx, p.starter.pack, running, p.files); err != nil {
			return err
		}
	}
	err := p.resolving.ask(asks, func(file uint32, sets []uint32) {
		t := make([][]uint32, len(sets))
		for k, n := range sets {
			if n > 0 {
				t[k] = p.resolving.sets[n-1].Files
			}
		}
		targets[int(file)] = t
	})
	if err != nil {
		p.endResolve()
	}
	return err
}

func (p *streamPack) endResolve() {
	if p.resolving != nil {
		p.resolving.close()
		p.resolving = nil
	}
}
