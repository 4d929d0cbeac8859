//go:build unix && !linux

package pluginhost

import "os"

// maxSocketPath is what fits into a socket's address, without the zero byte at its end.
const maxSocketPath = 103

// awaitExit waits until the process has ended. It also reaps it; its number stays taken as long as a child of it lives
// in its group, and killing a group that is gone does nothing.
func awaitExit(p *os.Process) *os.ProcessState {
	state, _ := p.Wait()
	return state
}
