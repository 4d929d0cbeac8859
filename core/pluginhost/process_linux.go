package pluginhost

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// maxSocketPath is what fits into a socket's address, without the zero byte at its end.
const maxSocketPath = 107

// awaitExit waits until the process has ended. It leaves it to be reaped, so that until then its number means this
// process and its group, and no other.
func awaitExit(p *os.Process) *os.ProcessState {
	for {
		err := unix.Waitid(unix.P_PID, p.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if !errors.Is(err, unix.EINTR) {
			return nil
		}
	}
}
