package progress

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// memory is how far back the rate looks: files of that age count a third of new ones. Files of one language lie together,
// so that the rate of the whole run would say little of what comes.
const memory = 5 * time.Second

// meter knows how far the work is. It is used by one goroutine at a time.
type meter struct {
	phase string
	// languages lists what is to be done, by name; total and done add it up.
	languages   map[string]*count
	total, done int
	// remembered is the part of done that cost no time.
	remembered int

	// looked is when the rate was last brought up to date, with worked files until then; files and seconds are those that
	// the rate is made of, the older the less.
	looked         time.Time
	worked         int
	files, seconds float64
}

// count is how many files of a language there are and how many are done.
type count struct{ total, done int }

func (m *meter) plan(language string, files int) {
	if m.languages == nil {
		m.languages = map[string]*count{}
	}
	c := m.languages[language]
	if c == nil {
		c = &count{}
		m.languages[language] = c
	}
	c.total += files
	m.total += files
}

func (m *meter) add(language string, files int, remembered bool) {
	if c := m.languages[language]; c != nil {
		c.done += files
		m.done += files
		if remembered {
			m.remembered += files
		}
	}
}

// look brings the rate up to date.
func (m *meter) look(now time.Time) {
	worked := m.done - m.remembered
	if !m.looked.IsZero() {
		passed := now.Sub(m.looked).Seconds()
		keep := math.Exp(-passed / memory.Seconds())
		m.files = m.files*keep + float64(worked-m.worked)
		m.seconds = m.seconds*keep + passed
	}
	m.looked, m.worked = now, worked
}

// rate is in files a second, 0 while it is not known.
func (m *meter) rate() float64 {
	if m.seconds == 0 {
		return 0
	}
	return m.files / m.seconds
}

// left is what stands before the bar.
func (m *meter) left() string {
	if m.total == 0 {
		return m.phase
	}
	return fmt.Sprintf("%s  %s/%s files", m.phase, thousands(m.done), thousands(m.total))
}

// right is what stands behind it: rate, time left and the languages that are under way.
func (m *meter) right() string {
	if m.total == 0 || m.done == m.total {
		return ""
	}
	parts := []string{}
	if rate := m.rate(); rate > 0 {
		left := time.Duration(float64(m.total-m.done) / rate * float64(time.Second))
		parts = append(parts, thousands(int(math.Round(rate)))+" files/s", remaining(left)+" left")
	}
	if l := m.underWay(); l != "" {
		parts = append(parts, l)
	}
	return strings.Join(parts, ", ")
}

// underWay names the languages of which some files are done and others are not, the one with most left first.
func (m *meter) underWay() string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(m.languages)) {
		if c := m.languages[name]; c.done > 0 && c.done < c.total {
			names = append(names, name)
		}
	}
	missing := func(name string) int { return m.languages[name].total - m.languages[name].done }
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(missing(b), missing(a)) })
	return strings.Join(names, " ")
}

// remaining gives a duration as coarsely as it is known.
func remaining(d time.Duration) string {
	switch {
	case d < time.Second:
		return "<1s"
	case d < time.Minute:
		return fmt.Sprintf("%ds", int(d.Seconds()+0.5))
	case d < time.Hour:
		return fmt.Sprintf("%dm%02ds", int(d.Minutes()), int(d.Seconds())%60)
	}
	return fmt.Sprintf("%dh%02dm", int(d.Hours()), int(d.Minutes())%60)
}

// thousands writes a number that is not negative with commas.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for at := len(s) - 3; at > 0; at -= 3 {
		s = s[:at] + "," + s[at:]
	}
	return s
}
