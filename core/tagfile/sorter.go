package tagfile

import (
	"bufio"
	"bytes"
	"container/heap"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
)

// sortMemory is how many bytes of lines are sorted at a time.
const sortMemory = 16 << 20

// sorter sorts lines by their bytes in bounded memory: sorted runs go to temporary files and are merged at the end.
type sorter struct {
	// memory replaces sortMemory where it is not zero.
	memory int
	text   []byte
	lines  []span
	runs   []*os.File
}

// span is a line in text.
type span struct{ start, end int }

// add takes a line with its line feed.
func (s *sorter) add(line []byte) error {
	limit := s.memory
	if limit == 0 {
		limit = sortMemory
	}
	if len(s.text) > 0 && len(s.text)+len(line) > limit {
		if err := s.spill(); err != nil {
			return err
		}
	}
	start := len(s.text)
	s.text = append(s.text, line...)
	s.lines = append(s.lines, span{start, len(s.text)})
	return nil
}

func (s *sorter) sort() {
	slices.SortFunc(s.lines, func(a, b span) int { return bytes.Compare(s.text[a.start:a.end], s.text[b.start:b.end]) })
}

// spill writes the lines in memory to a run.
func (s *sorter) spill() error {
	s.sort()
	f, err := os.CreateTemp("", "repox-sort-*")
	if err != nil {
		return fmt.Errorf("sort tags: %w", err)
	}
	// The file goes away with its last handle, however the program ends; where that cannot be, discard removes it.
	_ = os.Remove(f.Name())
	s.runs = append(s.runs, f)
	out := bufio.NewWriterSize(f, 1<<16)
	for _, l := range s.lines {
		if _, err := out.Write(s.text[l.start:l.end]); err != nil {
			return fmt.Errorf("sort tags: %w", err)
		}
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("sort tags: %w", err)
	}
	s.text, s.lines = s.text[:0], s.lines[:0]
	return nil
}

// merge writes all lines in order and frees the runs.
func (s *sorter) merge(w io.Writer) error {
	defer s.discard()
	if len(s.runs) > 0 && len(s.lines) > 0 {
		if err := s.spill(); err != nil {
			return err
		}
	}
	if len(s.runs) == 0 {
		s.sort()
		for _, l := range s.lines {
			if _, err := w.Write(s.text[l.start:l.end]); err != nil {
				return err
			}
		}
		return nil
	}
	return s.mergeRuns(w)
}

func (s *sorter) mergeRuns(w io.Writer) error {
	var h runHeap
	for _, f := range s.runs {
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			return fmt.Errorf("sort tags: %w", err)
		}
		r := &run{in: bufio.NewReaderSize(f, 1<<16)}
		switch ok, err := r.next(); {
		case err != nil:
			return err
		case ok:
			h = append(h, r)
		}
	}
	heap.Init(&h)
	for len(h) > 0 {
		r := h[0]
		if _, err := w.Write(r.line); err != nil {
			return err
		}
		switch ok, err := r.next(); {
		case err != nil:
			return err
		case ok:
			heap.Fix(&h, 0)
		default:
			heap.Pop(&h)
		}
	}
	return nil
}

func (s *sorter) discard() {
	for _, f := range s.runs {
		f.Close()
		_ = os.Remove(f.Name())
	}
	s.runs, s.text, s.lines = nil, nil, nil
}

// run is a sorted file that is being read.
type run struct {
	in   *bufio.Reader
	line []byte
}

// next reads a line; false is the end.
func (r *run) next() (bool, error) {
	r.line = r.line[:0]
	for {
		part, err := r.in.ReadSlice('\n')
		r.line = append(r.line, part...)
		switch {
		case err == nil:
			return true, nil
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF):
			return len(r.line) > 0, nil
		default:
			return false, fmt.Errorf("sort tags: %w", err)
		}
	}
}

// runHeap orders runs by their next line.
type runHeap []*run

func (h runHeap) Len() int           { return len(h) }
func (h runHeap) Less(i, j int) bool { return bytes.Compare(h[i].line, h[j].line) < 0 }
func (h runHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }

// Push implements heap.Interface.
func (h *runHeap) Push(x any) { *h = append(*h, x.(*run)) }

// Pop implements heap.Interface.
func (h *runHeap) Pop() any {
	old := *h
	last := old[len(old)-1]
	*h = old[:len(old)-1]
	return last
}
