//go:build !unix

package sdk

const nonblock = 0
