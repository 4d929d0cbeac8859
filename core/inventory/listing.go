package inventory

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"time"

	"github.com/repox-dev/repox/core/cache"
	"github.com/repox-dev/repox/core/source"
	pluginv1 "github.com/repox-dev/repox/sdk/proto"
	"github.com/repox-dev/repox/sdk/secrets"
)

// listingFormat is the version of the encoding below and of the rules that decide what is remembered (decoding,
// classes); listings of another version are not read.
const listingFormat = 1

var errListing = errors.New("remembered listing is damaged")

// listingKey names the listing of a folder from which paths with secrets are left out by the rules.
func listingKey(tree *source.Tree, rules *secrets.Policy) []byte {
	h := sha256.New()
	h.Write([]byte{listingFormat})
	h.Write([]byte(tree.Root))
	print := rules.Fingerprint()
	h.Write(print[:])
	return h.Sum(nil)
}

func load(ctx context.Context, store *cache.Store, key []byte, warn func(error)) map[string]*record {
	values, err := store.Get(ctx, cache.Listing, [][]byte{key})
	if err != nil {
		warn(err)
		return nil
	}
	if values[0] == nil {
		return nil
	}
	records, err := decodeListing(values[0])
	if err != nil {
		warn(err)
		return nil
	}
	return records
}

func save(ctx context.Context, store *cache.Store, key []byte, taken time.Time, records []record, warn func(error)) {
	value := encodeListing(taken, records)
	if err := store.Put(ctx, cache.Listing, []cache.Entry{{Key: key, Value: value}}); err != nil {
		warn(err)
	}
}

// encodeListing writes the records that the next run may trust.
func encodeListing(taken time.Time, records []record) []byte {
	var b []byte
	limit := taken.Add(-racyWindow)
	for i := range records {
		r := &records[i]
		f := &r.entry.File
		if !r.trusted && (f.ModTime.After(limit) || f.Ctime > limit.UnixNano()) {
			continue
		}
		b = binary.AppendUvarint(b, uint64(len(f.Path)))
		b = append(b, f.Path...)
		for _, v := range []uint64{uint64(f.Size), uint64(f.ModTime.UnixNano()), uint64(f.Ctime), f.Inode, f.Dev} {
			b = binary.AppendUvarint(b, v)
		}
		b = append(b, r.entry.Hash[:]...)
		b = append(b, byte(r.entry.Class), flag(r.entry.Converted),
			byte(r.attributes.Generated), byte(r.attributes.Vendored), byte(r.attributes.Documentation))
		b = binary.AppendUvarint(b, uint64(len(r.skip)))
		b = append(b, r.skip...)
	}
	return b
}

func flag(b bool) byte {
	if b {
		return 1
	}
	return 0
}

// decodeListing reads what encodeListing wrote.
func decodeListing(b []byte) (map[string]*record, error) {
	in := &reader{r: bytes.NewReader(b)}
	out := map[string]*record{}
	for in.r.Len() > 0 {
		r := &record{}
		f := &r.entry.File
		f.Path = string(in.bytes(in.number()))
		f.Size = int64(in.number())
		f.ModTime = time.Unix(0, int64(in.number()))
		f.Ctime = int64(in.number())
		f.Inode, f.Dev = in.number(), in.number()
		copy(r.entry.Hash[:], in.bytes(sha256.Size))
		marks := in.bytes(5)
		r.skip = source.SkipReason(in.bytes(in.number()))
		if in.failed {
			return nil, errListing
		}
		r.entry.Class, r.entry.Converted = pluginv1.Class(marks[0]), marks[1] == 1
		r.attributes = source.Attributes{
			Generated: source.Setting(marks[2]), Vendored: source.Setting(marks[3]), Documentation: source.Setting(marks[4]),
		}
		out[f.Path] = r
	}
	return out, nil
}

// reader reads numbers and bytes until something is missing.
type reader struct {
	r      *bytes.Reader
	failed bool
}

func (in *reader) number() uint64 {
	v, err := binary.ReadUvarint(in.r)
	if err != nil {
		in.failed = true
	}
	return v
}

func (in *reader) bytes(n uint64) []byte {
	if in.failed || n > uint64(in.r.Len()) {
		in.failed = true
		return nil
	}
	b := make([]byte, n)
	_, _ = in.r.Read(b) // it has them
	return b
}

// Forget drops what is remembered of a tree's files, so that each is read again.
func Forget(ctx context.Context, tree *source.Tree, rules *secrets.Policy, store *cache.Store) error {
	return store.Delete(ctx, cache.Listing, [][]byte{listingKey(tree, rules)})
}
