//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package cache

import "context"

// lock does nothing here: two processes that replace a damaged cache at once may make another damaged one.
func lock(context.Context, string) (unlock func(), err error) { return func() {}, nil }
