//go:build !linux

package pluginhost

// residentBytes is not known here.
func residentBytes(int) (n int64, ok bool) { return 0, false }
