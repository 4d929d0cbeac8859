package pluginhost

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
)

// residentBytes is the resident memory of a process; ok is false when it cannot be known.
func residentBytes(pid int) (n int64, ok bool) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0, false
	}
	fields := bytes.Fields(b)
	if len(fields) < 2 {
		return 0, false
	}
	pages, err := strconv.ParseInt(string(fields[1]), 10, 64)
	return pages * int64(os.Getpagesize()), err == nil
}
