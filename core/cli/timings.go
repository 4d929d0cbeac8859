package cli

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/repox-dev/repox/core/engine"
	"github.com/repox-dev/repox/core/inventory"
	"github.com/repox-dev/repox/core/tags"
	"github.com/repox-dev/repox/sdk/model"
)

// timing is one part of a run.
type timing struct {
	name string
	// start counts from the start of the run.
	start, time time.Duration
	// note says what was done, if the name does not.
	note string
}

// stopwatch gathers the parts of a run.
type stopwatch struct {
	begun time.Time
	parts []timing
}

func newStopwatch() *stopwatch { return &stopwatch{begun: time.Now()} }

func (w *stopwatch) add(name string, start time.Time, took time.Duration, note string) {
	w.parts = append(w.parts, timing{name: name, start: start.Sub(w.begun), time: took, note: note})
}

// addListing notes the look at the files, which has just ended.
func (w *stopwatch) addListing(start time.Time, inv *inventory.Inventory) {
	w.add("list files", start, time.Since(start), fmt.Sprintf("%d files, %d of them read", len(inv.Entries), inv.Read))
}

// addPacks notes the work of the packs.
func (w *stopwatch) addPacks(packs []tags.PackWork) {
	for _, p := range packs {
		note := fmt.Sprintf("%d files parsed, %d remembered", p.Extracted, p.Remembered)
		if p.Resolve.Round(time.Millisecond) > 0 {
			note += "; imports " + round(p.Resolve)
		}
		w.add("pack "+p.Pack, p.Start, p.Extract+p.Resolve, note)
	}
}

// addStages notes the stages of an engine that was started at start, and the sections that it read. The sections that
// packs make are the time of the packs, which has lines of its own.
func (w *stopwatch) addStages(start time.Time, timings []engine.Timing) {
	packs := slices.ContainsFunc(w.parts, func(t timing) bool { return strings.HasPrefix(t.name, "pack ") })
	for _, t := range timings {
		name, note := "stage "+t.Name, ""
		if section, ok := strings.CutPrefix(t.Name, "read "); ok {
			fromPacks := section == model.SectionTags || section == model.SectionFindings
			if packs && fromPacks || t.Duration.Round(time.Millisecond) == 0 {
				continue
			}
			name = t.Name
		}
		if t.Remembered {
			note = "remembered"
		}
		w.add(name, start.Add(t.Start), t.Duration, note)
	}
}

// write says where the time of a run went: its parts by their start, some of which lie side by side, and the whole.
func (w *stopwatch) write(out io.Writer, total time.Duration) {
	parts := slices.Clone(w.parts)
	slices.SortStableFunc(parts, func(a, b timing) int { return cmp.Compare(a.start, b.start) })
	width := len("total")
	for _, p := range parts {
		width = max(width, len(p.name))
	}
	for _, p := range parts {
		line := fmt.Sprintf("%-*s %8s  from %8s  %s", width, p.name, round(p.time), round(p.start), p.note)
		fmt.Fprintln(out, strings.TrimRight(line, " "))
	}
	fmt.Fprintf(out, "%-*s %8s\n", width, "total", round(total))
}

func round(d time.Duration) string { return d.Round(time.Millisecond).String() }
