//go:build unix

package sdk

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// redirectStdout keeps descriptor 1 for the handshake alone: os.Stdout becomes a copy of it, which go-plugin writes the
// handshake to, and the descriptor itself becomes standard error, so that whatever C code or other libraries print
// there is a log line and cannot break the protocol.
func redirectStdout() error {
	fd, err := unix.Dup(1)
	if err != nil {
		return fmt.Errorf("keep standard output for the handshake: %w", err)
	}
	unix.CloseOnExec(fd)
	if err := unix.Dup2(2, 1); err != nil {
		return fmt.Errorf("turn standard output to standard error: %w", err)
	}
	os.Stdout = os.NewFile(uintptr(fd), "handshake")
	return nil
}
