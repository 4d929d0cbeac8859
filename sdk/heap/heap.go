// Package heap bounds how much garbage a process gathers before it is collected. A fixed percentage fits either small
// heaps or large ones: what is worth the time at 10 MB is a second copy of everything at 200 MB. So the percentage
// follows the size of what lives.
package heap

import (
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

const (
	// most is the percentage for small heaps, least the one for large ones.
	most, least = 400, 20
	// liveMetric is what the last collection left, in bytes.
	liveMetric = "/gc/heap/live:bytes"
)

// Bound lets the process gather about slack bytes of garbage between collections, fewer where little lives. It is called
// once, at the start.
func Bound(slack uint64) {
	debug.SetGCPercent(most)
	follow(slack)
}

// follow adjusts the percentage after each collection: a finalizer runs then, on an object that nothing else holds.
func follow(slack uint64) {
	runtime.SetFinalizer(new(sentinel), func(*sentinel) {
		debug.SetGCPercent(percent(live(), slack))
		follow(slack)
	})
}

// sentinel is not empty, since empty values share an address and have no end, and holds a pointer, since small ones
// without share a block with others.
type sentinel struct {
	_ *byte
	_ [16]byte
}

// percent is how far a heap may grow of which live bytes are in use.
func percent(live, slack uint64) int {
	if live == 0 {
		return most
	}
	p := float64(slack) / float64(live) * 100
	return int(math.Min(most, math.Max(least, p)))
}

// live is what the last collection left, in bytes.
func live() uint64 {
	sample := []metrics.Sample{{Name: liveMetric}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return sample[0].Value.Uint64()
}

// trimBytes is how much garbage is worth a collection of its own.
const trimBytes = 48 << 20

// Trim gives memory back to the system where much more is held than the last collection left. It is for the moment when
// something large has just been let go.
func Trim() {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	if held := m.Sys - m.HeapReleased; held > live()+trimBytes {
		debug.FreeOSMemory()
	}
}
