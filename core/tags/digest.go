package tags

import (
	"context"
	"crypto/sha256"
	"encoding/binary"

	"github.com/repox-dev/repox/core/cache"
	"github.com/repox-dev/repox/core/inventory"
	pluginv1 "github.com/repox-dev/repox/sdk/proto"
)

// digest stands for what a pack found in a file. Most edits of a text change less than that.
type digest [16]byte

// digestOf gives the digest of a result. A skip counts with its reason, and a secret that was
// taken out with its place: they become findings.
func digestOf(r *pluginv1.FileResult) digest {
	h := sha256.New()
	parts := [][]byte{r.Tags, r.Imports, []byte(r.GetSkip().GetCode()), []byte(r.GetSkip().GetMessage())}
	for _, x := range r.Redacted {
		parts = append(parts, []byte(x.Kind), []byte(x.Field), binary.AppendUvarint(nil, uint64(x.Line)))
	}
	for _, part := range parts {
		h.Write(binary.AppendUvarint(nil, uint64(len(part))))
		h.Write(part)
	}
	return digest(h.Sum(nil))
}

// digests are those of the files of a tree by the key of their tags, as a run has left them.
type digests map[[sha256.Size]byte]digest

// digestSize is what one takes when it is remembered: the key and the digest.
const digestSize = sha256.Size + len(digest{})

func digestsKey(inv *inventory.Inventory) []byte {
	return append([]byte("digests of tags in "), inv.Tree.Root...)
}

// loadDigests gives those that are remembered of the tree, none where they cannot be read.
func loadDigests(ctx context.Context, inv *inventory.Inventory, store *cache.Store, warn func(error)) digests {
	values, err := store.Get(ctx, cache.Listing, [][]byte{digestsKey(inv)})
	if err != nil {
		warn(err)
	}
	b := values[0]
	out := make(digests, len(b)/digestSize)
	for ; len(b) >= digestSize; b = b[digestSize:] {
		out[[sha256.Size]byte(b)] = digest(b[sha256.Size:])
	}
	return out
}

func saveDigests(ctx context.Context, inv *inventory.Inventory, store *cache.Store, known digests, order [][sha256.Size]byte, warn func(error)) {
	b := make([]byte, 0, len(order)*digestSize)
	for _, key := range order {
		d := known[key]
		b = append(append(b, key[:]...), d[:]...)
	}
	if err := store.Put(ctx, cache.Listing, []cache.Entry{{Key: digestsKey(inv), Value: b}}); err != nil {
		warn(err)
	}
}
