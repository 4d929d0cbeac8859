package progress

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// moment is where the clock of the tests begins.
var moment = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

func TestTheMeterSaysFilesRateTimeAndLanguages(t *testing.T) {
	m := &meter{phase: "parse"}
	got := []string{m.left() + "|" + m.right()}
	note := func() { got = append(got, m.left()+"|"+m.right()) }
	m.plan("go", 3000)
	m.plan("rust", 1000)
	m.plan("python", 10)
	note()
	m.look(moment)
	m.add("go", 1000, true)
	m.look(moment.Add(time.Second))
	note() // what was remembered tells nothing of the rate
	m.add("go", 500, false)
	m.add("python", 5, false)
	m.look(moment.Add(2 * time.Second))
	note()
	m.add("go", 1500, false)
	m.add("python", 5, false)
	m.add("rust", 1000, false)
	note()
	want := []string{
		"parse|",
		"parse  0/4,010 files|",
		"parse  1,000/4,010 files|go",
		"parse  1,505/4,010 files|278 files/s, 9s left, go python",
		"parse  4,010/4,010 files|",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("lines differ (-want +got):\n%s", diff)
	}
}

func TestTheRateForgetsWhatWasLongAgo(t *testing.T) {
	m := &meter{}
	m.plan("go", 1000000)
	m.look(moment)
	at := moment
	work := func(files, seconds int) {
		for range seconds {
			at = at.Add(time.Second)
			m.add("go", files, false)
			m.look(at)
		}
	}
	work(1000, 60)
	if r := m.rate(); r < 999 || r > 1001 {
		t.Errorf("a steady rate of 1000 is said to be %v", r)
	}
	work(10, 30)
	if r := m.rate(); r < 10 || r > 20 {
		t.Errorf("30 seconds after it fell to 10, the rate is said to be %v", r)
	}
}

func TestWhatIsNotPlannedIsNotCounted(t *testing.T) {
	m := &meter{}
	m.plan("go", 2)
	m.add("cobol", 5, false)
	if m.done != 0 {
		t.Errorf("%d done", m.done)
	}
}

func TestRemaining(t *testing.T) {
	for want, d := range map[string]time.Duration{
		"<1s": 999 * time.Millisecond, "2s": 1600 * time.Millisecond, "1m05s": 65 * time.Second, "2h03m": 123 * time.Minute,
	} {
		if got := remaining(d); got != want {
			t.Errorf("%s is said to be %s, want %s", d, got, want)
		}
	}
}

// sink gathers what is written. After failAfter writes, if that is above 0, it fails.
type sink struct {
	mu        sync.Mutex
	text      strings.Builder
	failAfter int
}

func (s *sink) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failAfter > 0 {
		if s.failAfter--; s.failAfter == 0 {
			s.failAfter = 1
			return 0, errors.New("the terminal is gone")
		}
	}
	return s.text.Write(p)
}

func (s *sink) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// shown begins a bar and waits until it is drawn.
func shown(t *testing.T, out *sink) *Bar {
	t.Helper()
	b := newBar(out, 0)
	t.Cleanup(b.Close)
	b.Phase("parse")
	b.Plan("go", 10)
	b.Add("go", 4, false)
	for !strings.Contains(out.String(), "4/10 files") {
		time.Sleep(time.Millisecond)
	}
	return b
}

func TestLinesAreWrittenAboveTheBar(t *testing.T) {
	out := &sink{}
	b := shown(t, out)
	if _, err := b.Write([]byte("a warning\n")); err != nil {
		t.Error(err)
	}
	b.Close()
	if _, err := b.Write([]byte("after it\n")); err != nil {
		t.Error(err)
	}
	text := out.String()
	if !strings.Contains(text, "a warning\n") || !strings.HasSuffix(text, "after it\n") {
		t.Errorf("got %q", text)
	}
}

func TestQuickWorkShowsNothing(t *testing.T) {
	out := &sink{}
	b := newBar(out, time.Hour)
	b.Plan("go", 1)
	if _, err := b.Write([]byte("a warning\n")); err != nil {
		t.Error(err)
	}
	b.Close()
	if got := out.String(); got != "a warning\n" {
		t.Errorf("got %q", got)
	}
}

func TestATerminalThatGoesAwayEndsNothing(t *testing.T) {
	out := &sink{failAfter: 2}
	b := newBar(out, 0)
	b.Plan("go", 10)
	for b.text(func(*meter) string {
		if b.screen == nil {
			return ""
		}
		return "drawn"
	}) == "" {
		time.Sleep(time.Millisecond)
	}
	for range 3 {
		_, _ = b.Write([]byte("lost\n"))
	}
	b.Close()
}

func TestANilBarDoesNothing(t *testing.T) {
	var b *Bar
	b.Phase("parse")
	b.Plan("go", 1)
	b.Add("go", 1, false)
	b.Close()
}
