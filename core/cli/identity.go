package cli

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"os"

	"github.com/repox-dev/repox/core/cache"
	"github.com/repox-dev/repox/core/pluginhost"
	pluginv1 "github.com/repox-dev/repox/sdk/proto"
)

// ownDigest gives the digest of this program's executable. Hashing it costs more than a whole second run, so the digest is
// remembered by the file's identity: path, size, times and inode. It only keys the cache; executables that must be what
// a lock file says are hashed whenever they are started.
func ownDigest(ctx context.Context, store *cache.Store) (path string, digest []byte, err error) {
	path, err = os.Executable()
	if err != nil {
		return "", nil, fmt.Errorf("find this program: %w", err)
	}
	info, err := os.Stat(path)
	if err != nil {
		return "", nil, fmt.Errorf("find this program: %w", err)
	}
	h := sha256.New()
	h.Write([]byte(path))
	h.Write(binary.AppendVarint(nil, info.Size()))
	h.Write(binary.AppendVarint(nil, info.ModTime().UnixNano()))
	h.Write(inode(info))
	key := h.Sum(nil)
	if values, err := store.Get(ctx, cache.Description, [][]byte{key}); err == nil && len(values[0]) == sha256.Size {
		return path, values[0], nil
	}
	digest, err = pluginhost.FileDigest(path)
	if err != nil {
		return "", nil, err
	}
	// A store that cannot be written was told of when it was opened, or will be by those who write more.
	_ = store.Put(ctx, cache.Description, []cache.Entry{{Key: key, Value: digest}})
	return path, digest, nil
}

// identity stands for a component in a configuration: what it computes depends on nothing else.
func identity(digest []byte, c *pluginv1.Component, config []byte) []byte {
	h := sha256.New()
	for _, part := range [][]byte{digest, []byte(c.Name), []byte(c.Version), config} {
		h.Write(binary.AppendUvarint(nil, uint64(len(part))))
		h.Write(part)
	}
	return h.Sum(nil)
}
