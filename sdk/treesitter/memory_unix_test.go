//go:build cgo && unix

package treesitter

import (
	"context"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/repox-dev/repox/sdk"
)

// peakMemory is the largest resident size of this process so far, in bytes.
func peakMemory(t *testing.T) int64 {
	t.Helper()
	var ru unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &ru); err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS == "darwin" {
		return int64(ru.Maxrss)
	}
	return int64(ru.Maxrss) << 10
}

func TestMemoryStaysBoundedOverTwentyThousandFiles(t *testing.T) {
	const files, bound = 20_000, 64 << 20
	e := newTestExtractor(t, Spec{Query: testQuery})
	var sources [][]byte
	goSources(t, 2_000, func(_ string, src []byte) {
		if len(src) < 3_000 { // many small files leak as much as large ones and take less time
			sources = append(sources, src)
		}
	})
	extract := func(n int) {
		for i := range n {
			if _, err := e.Extract(context.Background(), sdk.Source{Path: "x.go", Content: sources[i%len(sources)]}); err != nil {
				t.Fatal(err)
			}
		}
	}
	extract(len(sources)) // the buffers take their size
	before := peakMemory(t)
	extract(files)
	if grown := peakMemory(t) - before; grown > bound {
		t.Errorf("memory grew by %d MiB over %d files", grown>>20, files)
	}
}
