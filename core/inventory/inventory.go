// Package inventory knows what is in the files of a tree: which text they hold, by hash, in which language and of which
// class. It remembers the answer between runs, so that an unchanged tree costs a look at each file and no more.
package inventory

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"runtime"
	"sort"
	"sync"
	"sync/atomic"
	"time"

	"github.com/repox-dev/repox/core/cache"
	"github.com/repox-dev/repox/core/source"
	pluginv1 "github.com/repox-dev/repox/sdk/proto"
	"github.com/repox-dev/repox/sdk/secrets"
)

// Hash is the SHA-256 of a file's bytes.
type Hash = [sha256.Size]byte

// Entry is a file with text in it.
type Entry struct {
	File source.File
	Hash Hash
	// Language is empty where no pack knows the file.
	Language string
	Class    pluginv1.Class
	// Converted: the text is not the file's bytes (another encoding, other line ends), so it must be sent along.
	Converted bool
}

// Inventory is what Take found.
type Inventory struct {
	Tree      *source.Tree
	Languages *Languages
	Entries   []Entry
	// Skipped counts what was left out, by reason.
	Skipped map[string]int
	// SkippedFiles names them, in the order of their paths.
	SkippedFiles []source.Skip
	// Key stands for all of it: two trees with equal keys give equal answers. Shape stands for all but the text: paths,
	// languages, classes, and what was left out.
	Key, Shape Hash
	// Secrets are the rules by which paths and tags are cleaned.
	Secrets *secrets.Policy
	// Read is how many files had to be read; the others were as remembered.
	Read int
}

// record is what is remembered of a file.
type record struct {
	entry      Entry
	attributes source.Attributes
	skip       source.SkipReason
	// trusted: the facts are those that were stored; the file was not read.
	trusted bool
}

// racyWindow is how long before a listing a file must have been left alone for its time stamps to be believed: file
// systems round them, and a change within the same tick would go unseen (git calls such entries racily clean).
const racyWindow = 2 * time.Second

// Take looks at every file of the tree. Paths in which the rules find secrets are not remembered; rules may be nil. The store may be nil; faults of the store are told to warn and cost only time.
func Take(ctx context.Context, tree *source.Tree, languages *Languages, rules *secrets.Policy, store *cache.Store, warn func(error)) (*Inventory, error) {
	taken := time.Now()
	key := listingKey(tree, rules)
	var old map[string]*record
	if tree.Commit == "" {
		old = load(ctx, store, key, warn)
	}
	records := make([]record, len(tree.Files))
	if err := each(ctx, len(tree.Files), func(i int) { records[i] = look(tree, &tree.Files[i], old) }); err != nil {
		return nil, err
	}
	inv := &Inventory{Tree: tree, Languages: languages, Secrets: rules, Skipped: map[string]int{}}
	for _, s := range tree.Skipped {
		inv.skip(s)
	}
	for i := range records {
		r := &records[i]
		if !r.trusted {
			inv.Read++
		}
		if r.skip != "" {
			inv.skip(source.Skip{Path: r.entry.File.Path, Reason: r.skip})
			continue
		}
		r.entry.Language = languages.Of(r.entry.File.Path)
		inv.Entries = append(inv.Entries, r.entry)
	}
	sort.Slice(inv.SkippedFiles, func(i, j int) bool { return inv.SkippedFiles[i].Path < inv.SkippedFiles[j].Path })
	inv.Key, inv.Shape = inv.keys()
	if tree.Commit == "" && (inv.Read > 0 || len(old) != len(records) && !tree.Partial) {
		save(ctx, store, key, taken, public(rules, withOthers(tree, records, old)), warn)
	}
	return inv, nil
}

// withOthers adds what is remembered of files that a listing of only a part of the tree did not meet: the next listing may
// be of the whole.
func withOthers(tree *source.Tree, records []record, old map[string]*record) []record {
	if !tree.Partial {
		return records
	}
	met := make(map[string]bool, len(tree.Files))
	for i := range tree.Files {
		met[tree.Files[i].Path] = true
	}
	for path, r := range old {
		if !met[path] {
			r.trusted = true // it was old enough when it was first remembered
			records = append(records, *r)
		}
	}
	return records
}

func (inv *Inventory) skip(s source.Skip) {
	inv.Skipped[string(s.Reason)]++
	inv.SkippedFiles = append(inv.SkippedFiles, s)
}

// look gives the facts of a file: the remembered ones if the file is as it was, else new ones.
func look(tree *source.Tree, f *source.File, old map[string]*record) record {
	attrs := tree.Attributes(f)
	if o, ok := old[f.Path]; ok && o.attributes == attrs && sameVersion(&o.entry.File, f) {
		r := *o
		r.entry.File = *f
		r.trusted = true
		return r
	}
	r := record{entry: Entry{File: *f}, attributes: attrs}
	raw, err := tree.Read(f)
	if err != nil {
		r.skip = source.SkipUnreadable
		var skip *source.SkipError
		if errors.As(err, &skip) {
			r.skip = skip.Reason
		}
		return r
	}
	text, changed, reason := source.Decode(raw)
	if reason != "" {
		r.skip = reason
		return r
	}
	r.entry.Converted = changed
	r.entry.Hash = sha256.Sum256(raw)
	r.entry.Class = source.Classify(f.Path, text[:min(len(text), source.ClassifyHead)], attrs)
	return r
}

func sameVersion(a, b *source.File) bool {
	return a.Size == b.Size && a.ModTime.Equal(b.ModTime) && a.Ctime == b.Ctime && a.Inode == b.Inode && a.Dev == b.Dev
}

// keys cover the facts that answers depend on, with the text and without.
func (inv *Inventory) keys() (key, shape Hash) {
	h, texts := sha256.New(), sha256.New()
	var buf []byte
	for i := range inv.Entries {
		e := &inv.Entries[i]
		buf = binary.AppendUvarint(buf[:0], uint64(len(e.File.Path)))
		buf = append(buf, e.File.Path...)
		buf = append(buf, byte(e.Class))
		buf = append(buf, e.Language...)
		buf = append(buf, 0)
		h.Write(buf)
		texts.Write(e.Hash[:])
	}
	reasons := make([]string, 0, len(inv.Skipped))
	for r := range inv.Skipped {
		reasons = append(reasons, r)
	}
	sort.Strings(reasons)
	for _, r := range reasons {
		buf = append(buf[:0], r...)
		h.Write(binary.AppendUvarint(buf, uint64(inv.Skipped[r])))
	}
	shape = Hash(h.Sum(nil))
	texts.Write(shape[:])
	return Hash(texts.Sum(nil)), shape
}

// each calls f for 0 to n-1 on a few goroutines, until ctx ends.
func each(ctx context.Context, n int, f func(i int)) error {
	var next atomic.Int64
	var wg sync.WaitGroup
	// More goroutines than processors, since some of the time goes to waiting for the disk.
	for range min(4*runtime.GOMAXPROCS(0), n) {
		wg.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				f(i)
			}
		})
	}
	wg.Wait()
	return ctx.Err()
}
