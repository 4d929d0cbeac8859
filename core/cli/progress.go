package cli

import (
	"io"
	"os"
	"slices"
	"sync"

	"github.com/mattn/go-isatty"

	"github.com/repox-dev/repox/core/inventory"
	"github.com/repox-dev/repox/core/progress"
	"github.com/repox-dev/repox/core/tags"
)

// console is standard error: lines go above the progress bar while there is one.
type console struct {
	out io.Writer
	mu  sync.Mutex
	bar *progress.Bar
}

func newConsole(out io.Writer) *console { return &console{out: out} }

// Write implements io.Writer.
func (c *console) Write(p []byte) (int, error) {
	c.mu.Lock()
	bar := c.bar
	c.mu.Unlock()
	if bar != nil {
		return bar.Write(p)
	}
	return c.out.Write(p)
}

// show begins a bar if one is wanted and out is a terminal, else it gives nil.
func (c *console) show(wanted bool) *progress.Bar {
	if !wanted || !isTerminal(c.out) {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.bar = progress.New(c.out)
	return c.bar
}

// hide ends the bar.
func (c *console) hide() {
	c.mu.Lock()
	bar := c.bar
	c.bar = nil
	c.mu.Unlock()
	bar.Close()
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && isatty.IsTerminal(f.Fd())
}

// wantsProgress tells whether a bar may be shown. Machines that build look at no bar, some of them through a terminal; a
// terminal that is dumb cannot take a line back; and where results come to the same terminal, they show how far the work
// is.
func (a *app) wantsProgress() bool {
	switch {
	case a.quiet, a.noProgress, os.Getenv("TERM") == "dumb", !slices.Contains([]string{"", "0", "false"}, os.Getenv("CI")):
		return false
	}
	return !a.streams || !isTerminal(a.stdout)
}

// plan tells the bar what the packs will have to do.
func (s *session) plan(inv *inventory.Inventory, packs []tags.Pack) {
	if s.bar == nil {
		return
	}
	files := map[string]int{}
	for i := range inv.Entries {
		files[inv.Entries[i].Language]++
	}
	s.bar.Phase("parse")
	for i := range packs {
		for _, language := range packs[i].Languages {
			s.bar.Plan(language, files[language])
		}
	}
}
