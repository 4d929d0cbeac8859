package cli

import (
	"fmt"
	"time"

	"github.com/repox-dev/repox/core/engine"
)

// writeTimings says where the time of a run went.
func (a *app) writeTimings(timings []engine.Timing) {
	for _, t := range timings {
		note := ""
		if t.Remembered {
			note = "  remembered"
		}
		fmt.Fprintf(a.stderr, "%-16s %8s  from %s%s\n", t.Name, t.Duration.Round(time.Millisecond), t.Start.Round(time.Millisecond), note)
	}
}
