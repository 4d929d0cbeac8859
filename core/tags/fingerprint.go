package tags

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"time"

	"github.com/repox-dev/repox/core/cache"
	"github.com/repox-dev/repox/core/inventory"
)

// fewFiles bounds how many files are extracted only to learn whether anything that matters has changed in them: at most
// that many, or one in so many.
const (
	fewFiles = 64
	fewShare = 16
)

// Print is what Fingerprint learns.
type Print struct {
	// Key stands for the section of tags and the findings of making it. It is nil where the tags lack something that the
	// next run may have, and where nothing can be remembered.
	Key []byte
	// All is what Collect gives, where it had to be made.
	All *Result
	// Packs says which packs extracted files beside that.
	Packs []PackWork
}

// Fingerprint finds what stands for the section of tags and for the findings of making it: the paths, languages and
// classes of the files, the packs, the manifests, and what the packs found in each file. An edit that changes none of these
// leaves it as it was, so that nothing that was made from the tags has to be made again.
//
// The files that changed are extracted. Where they are many, or where nothing can be remembered, all that Collect does is
// done at once.
func Fingerprint(ctx context.Context, inv *inventory.Inventory, packs []Pack, store *cache.Store, warn func(error)) (*Print, error) {
	f := &fingerprint{collection: newCollection(inv, store, warn), packs: packs}
	if store == nil {
		all, err := Collect(ctx, inv, packs, nil, warn)
		return &Print{All: all}, err
	}
	f.known = loadDigests(ctx, inv, store, warn)
	missing, few := f.plan()
	if few {
		if ok, err := f.extractMissing(ctx, missing); err != nil || !ok {
			return &Print{Packs: f.work}, err
		}
	} else {
		all, err := Collect(ctx, inv, packs, store, warn)
		if err != nil || all.Unsettled {
			return &Print{All: all}, err
		}
		f.learn(all)
	}
	if missing != nil {
		saveDigests(ctx, inv, store, f.known, f.order, warn)
	}
	return &Print{Key: f.sum(), All: f.all, Packs: f.work}, nil
}

type fingerprint struct {
	*collection
	all   *Result
	work  []PackWork
	packs []Pack
	known digests
	// order has the keys of the tags of each file that a pack reads; numbers are those of the files.
	order   [][sha256.Size]byte
	numbers []int
}

// plan lists the files by pack and finds those of which nothing is known, as indexes of packs and files; few tells that
// they may be extracted by themselves.
func (f *fingerprint) plan() (missing map[int][]int, few bool) {
	count := 0
	for p := range f.packs {
		for _, i := range f.filesOf(&f.packs[p]) {
			key := [sha256.Size]byte(tagsKey(&f.packs[p], f.inv, i))
			f.order, f.numbers = append(f.order, key), append(f.numbers, i)
			if _, ok := f.known[key]; ok {
				continue
			}
			if missing == nil {
				missing = map[int][]int{}
			}
			missing[p] = append(missing[p], i)
			count++
		}
	}
	return missing, count <= max(fewFiles, len(f.order)/fewShare)
}

// extractMissing extracts a few files; it is false where something went wrong that Collect has to tell of.
func (f *fingerprint) extractMissing(ctx context.Context, missing map[int][]int) (ok bool, err error) {
	for p := range f.packs {
		files := missing[p]
		if len(files) == 0 {
			continue
		}
		work := PackWork{Pack: f.packs[p].Name, Start: time.Now()}
		work.Remembered, work.Extracted, err = f.extract(ctx, &f.packs[p], &starter{pack: &f.packs[p]}, files)
		if err != nil {
			return false, ctx.Err()
		}
		work.Extract = time.Since(work.Start)
		f.work = append(f.work, work)
		for _, i := range files {
			r := f.results[i]
			if r == nil || r.Skip != nil && r.Skip.Code != skipUnsupported {
				return false, nil
			}
			f.known[[sha256.Size]byte(tagsKey(&f.packs[p], f.inv, i))] = digestOf(r)
		}
	}
	return true, nil
}

// learn takes the digests of all files from what was collected.
func (f *fingerprint) learn(all *Result) {
	f.all = all
	f.known = make(digests, len(f.order))
	for k, i := range f.numbers {
		f.known[f.order[k]] = all.digests[i]
	}
}

// sum puts everything together that the tags depend on.
func (f *fingerprint) sum() []byte {
	h := sha256.New()
	h.Write(f.inv.Shape[:])
	rules := f.inv.Secrets.Fingerprint()
	h.Write(rules[:])
	for p := range f.packs {
		h.Write(f.packs[p].Identity)
		for i := range f.inv.Entries {
			if e := &f.inv.Entries[i]; isManifest(e.File.Path, f.packs[p].Manifests) {
				h.Write(binary.AppendUvarint(nil, uint64(i)))
				h.Write(e.Hash[:])
			}
		}
	}
	for _, key := range f.order {
		d := f.known[key]
		h.Write(d[:])
	}
	return h.Sum(nil)
}
