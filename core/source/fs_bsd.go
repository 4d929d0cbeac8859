//go:build unix && !linux

package source

import "golang.org/x/sys/unix"

// dirSearch opens a directory on the way to a file.
const dirSearch = unix.O_RDONLY

// openBeneath opens a path below a directory, following no link.
func openBeneath(root int, rel string, flags int) (int, error) {
	return walkBeneath(root, rel, flags)
}
