package heap

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

func TestThePercentageFallsAsTheHeapGrows(t *testing.T) {
	const mib = 1 << 20
	for _, c := range []struct {
		live uint64
		want int
	}{{0, 400}, {mib, 400}, {16 * mib, 400}, {64 * mib, 100}, {128 * mib, 50}, {4096 * mib, 20}} {
		if got := percent(c.live, 64*mib); got != c.want {
			t.Errorf("%d MiB live: %d %%, want %d", c.live/mib, got, c.want)
		}
	}
}

var held []byte

func TestAGrownHeapIsCollectedSooner(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	Bound(1 << 20)
	held = make([]byte, 8<<20)
	defer func() { held = nil }()
	deadline := time.Now().Add(30 * time.Second)
	for {
		runtime.GC()
		now := debug.SetGCPercent(least)
		debug.SetGCPercent(now)
		if now < most {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("still %d %%", now)
		}
		time.Sleep(time.Millisecond)
	}
}
