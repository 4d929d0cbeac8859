//go:build unix

package sdk

import "golang.org/x/sys/unix"

const nonblock = unix.O_NONBLOCK | unix.O_NOFOLLOW
