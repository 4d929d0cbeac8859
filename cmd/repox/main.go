// Command repox makes an unfamiliar repository understandable in one call.
package main

import (
	"os"

	"github.com/repox-dev/repox/core/cli"
)

func main() {
	os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr, builtin()))
}
