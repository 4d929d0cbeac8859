package tags

import (
	"context"

	"github.com/repox-dev/repox/core/cache"
	"github.com/repox-dev/repox/core/inventory"
)

// Remembered counts the files of the inventory that some pack reads, and those of them whose tags are in the store. It
// starts no pack.
func Remembered(ctx context.Context, inv *inventory.Inventory, packs []Pack, store *cache.Store) (readable, remembered int, err error) {
	c := newCollection(inv, store, nil)
	for i := range packs {
		files := c.filesOf(&packs[i])
		keys := make([][]byte, len(files))
		for k, f := range files {
			keys[k] = tagsKey(&packs[i], inv, f)
		}
		values, err := store.Get(ctx, cache.Tags, keys)
		if err != nil {
			return 0, 0, err
		}
		readable += len(files)
		for _, v := range values {
			if v != nil {
				remembered++
			}
		}
	}
	return readable, remembered, nil
}

// Forget drops the tags of the inventory's files from the store.
func Forget(ctx context.Context, inv *inventory.Inventory, packs []Pack, store *cache.Store) error {
	c := newCollection(inv, store, nil)
	var keys [][]byte
	for i := range packs {
		for _, f := range c.filesOf(&packs[i]) {
			keys = append(keys, tagsKey(&packs[i], inv, f))
		}
	}
	return store.Delete(ctx, cache.Tags, keys)
}
