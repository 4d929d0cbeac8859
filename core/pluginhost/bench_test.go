//go:build unix

package pluginhost

import (
	"context"
	"fmt"
	"testing"
)

// BenchmarkStart measures a start, the first call and the stop.
func BenchmarkStart(b *testing.B) {
	h := New(Options{})
	defer h.Close()
	ctx := context.Background()
	for b.Loop() {
		p, err := h.Start(ctx, Spec{Name: "faulty", Path: faultyPath})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := p.Describe(ctx); err != nil {
			b.Fatal(err)
		}
		if err := p.Stop(ctx); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkProcess sends a section to a stage and back.
func BenchmarkProcess(b *testing.B) {
	for _, size := range []int{64 << 10, 16 << 20} {
		b.Run(fmt.Sprint(size>>10, "KiB"), func(b *testing.B) { benchmarkProcess(b, size) })
	}
}

func benchmarkProcess(b *testing.B, size int) {
	h := New(Options{})
	defer h.Close()
	ctx := context.Background()
	p, err := h.Start(ctx, Spec{Name: "faulty", Path: faultyPath})
	if err != nil {
		b.Fatal(err)
	}
	id, _, err := p.Open(ctx, "stage", []byte("{}"), nil)
	if err != nil {
		b.Fatal(err)
	}
	in := map[string][]byte{"tags": make([]byte, size)}
	b.SetBytes(int64(2 * size))
	for b.Loop() {
		if _, err := p.Process(ctx, id, in); err != nil {
			b.Fatal(err)
		}
	}
}
