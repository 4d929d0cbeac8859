// Package progress shows on a terminal how far long work is: one line with a bar, the files, their rate, the time left and
// the languages under way. What is quick shows nothing, and the line is gone when the work has ended. Start at New.
package progress

import (
	"io"
	"sync"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
)

const (
	// patience is how long work takes before anything is shown: a line that flashes up says nothing.
	patience = 500 * time.Millisecond
	// interval is the time between two pictures.
	interval = 100 * time.Millisecond
)

// Bar is the line on the terminal. All methods may be called from several goroutines, and on a nil Bar, which shows
// nothing.
type Bar struct {
	out io.Writer

	mu    sync.Mutex
	meter meter
	// screen is nil while nothing is shown.
	screen *screen
	// writing is held while lines are written above the bar, and by Close: a screen takes no lines after its end.
	writing sync.Mutex

	stop  chan struct{} // closed by Close
	ended sync.WaitGroup
	once  sync.Once
}

// screen is what draws.
type screen struct {
	container *mpb.Progress
	bar       *mpb.Bar
	refresh   chan any
	// gone is closed when nothing is drawn any more, which may be early: the terminal may go away.
	gone chan any
}

// show draws a picture.
func (s *screen) show() {
	select {
	case s.refresh <- time.Now():
	case <-s.gone:
	}
}

// New begins to watch work that writes to out, a terminal. Close ends it.
func New(out io.Writer) *Bar { return newBar(out, patience) }

func newBar(out io.Writer, after time.Duration) *Bar {
	b := &Bar{out: out, stop: make(chan struct{})}
	b.ended.Go(func() { b.run(after) })
	return b
}

func (b *Bar) run(after time.Duration) {
	wait := time.NewTimer(after)
	defer wait.Stop()
	select {
	case <-wait.C:
	case <-b.stop:
		return
	}
	b.mu.Lock()
	b.screen = b.newScreen()
	b.mu.Unlock()
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		b.draw()
		select {
		case <-tick.C:
		case <-b.stop:
			return
		}
	}
}

func (b *Bar) newScreen() *screen {
	s := &screen{refresh: make(chan any), gone: make(chan any)}
	s.container = mpb.New(mpb.WithOutput(b.out), mpb.WithManualRefresh(s.refresh), mpb.WithShutdownNotifier(s.gone))
	style := mpb.BarStyle().Lbound("[").Filler("=").Tip(">").Padding(" ").Refiller("-").Rbound("]")
	s.bar = s.container.New(0, style, mpb.BarRemoveOnComplete(),
		mpb.PrependDecorators(decor.Any(func(decor.Statistics) string { return b.text((*meter).left) })),
		mpb.AppendDecorators(decor.Any(func(decor.Statistics) string { return b.text((*meter).right) })),
	)
	return s
}

func (b *Bar) text(of func(*meter) string) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return of(&b.meter)
}

// draw makes a picture. The drawing calls text, so it happens without the lock.
func (b *Bar) draw() {
	b.mu.Lock()
	s, m := b.screen, &b.meter
	m.look(time.Now())
	total, done, remembered := m.total, m.done, m.remembered
	b.mu.Unlock()
	s.bar.SetTotal(int64(total), false)
	s.bar.SetCurrent(int64(done))
	s.bar.SetRefill(int64(remembered))
	s.show()
}

// Phase names what is being done.
func (b *Bar) Phase(name string) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.meter.phase = name
}

// Plan adds files of a language to what is to be done.
func (b *Bar) Plan(language string, files int) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.meter.plan(language, files)
}

// Add says that files of a language are done, and whether they were remembered and so cost no time.
func (b *Bar) Add(language string, files int, remembered bool) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.meter.add(language, files, remembered)
}

// Write writes lines above the bar, or just writes them where there is none. It implements io.Writer.
func (b *Bar) Write(p []byte) (int, error) {
	b.writing.Lock()
	defer b.writing.Unlock()
	b.mu.Lock()
	s := b.screen
	b.mu.Unlock()
	if s == nil {
		return b.out.Write(p)
	}
	n, err := s.container.Write(p)
	s.show()
	return n, err
}

// Close takes the line away.
func (b *Bar) Close() {
	if b == nil {
		return
	}
	b.once.Do(func() {
		close(b.stop)
		b.ended.Wait()
		b.writing.Lock()
		defer b.writing.Unlock()
		if s := b.screen; s != nil {
			s.bar.Abort(true)
			s.container.Wait()
			b.mu.Lock()
			defer b.mu.Unlock()
			b.screen = nil
		}
	})
}
