package secrets

import (
	"errors"
	"io"
	"strings"
)

// How much of a stream is looked at: blockBytes at a time, with contextBytes of what was before and what comes after, since
// a key may have begun lines earlier and a name may stand above its value.
const (
	blockBytes   = 1 << 20
	contextBytes = 64 << 10
)

// Copy passes the text of r on to w without its secrets. A text of up to a mebibyte is looked at whole; a longer one in
// blocks that end with lines, each with 64 KiB of what is around it, so that the memory needed does not grow with the text.
// A secret is also taken out where it is repeated later. Errors are those of r and w.
func (p *Policy) Copy(w io.Writer, r io.Reader, path string) error {
	s := &stream{policy: p, path: path, known: map[string]bool{}, block: blockBytes, context: contextBytes}
	return s.copy(w, r)
}

// stream is one call of Copy.
type stream struct {
	policy         *Policy
	path           string
	block, context int
	// text holds what is looked at; up to done it has been written already.
	text []byte
	done int
	// known are the secrets found so far that can be looked for anywhere.
	known map[string]bool
}

func (s *stream) copy(w io.Writer, r io.Reader) error {
	for {
		end, err := s.fill(r)
		if err != nil {
			return err
		}
		text := string(s.text)
		spans := s.policy.Find(s.path, text)
		cut := len(text)
		if !end {
			cut = s.cut(text, spans)
		}
		if err := s.write(w, text, spans, cut); err != nil || end {
			return err
		}
		keep := max(0, cut-s.context)
		if keep > 0 {
			keep += lineEnd(text[keep:cut], 0) // to the start of a line
		}
		s.text = append(s.text[:0], text[keep:]...)
		s.done = cut - keep
	}
}

// fill reads until there is a block that has not been written, or until the end.
func (s *stream) fill(r io.Reader) (end bool, err error) {
	want := s.done + s.block + s.context
	for len(s.text) < want {
		if cap(s.text) < want {
			s.text = append(make([]byte, 0, want), s.text...)
		}
		n, err := r.Read(s.text[len(s.text):want])
		s.text = s.text[:len(s.text)+n]
		if errors.Is(err, io.EOF) {
			return true, nil
		}
		if err != nil {
			return false, err
		}
	}
	return false, nil
}

// cut says how far a block may be written: to the end of a line that has enough behind it. In a line that is longer than the
// block it is a place outside of secrets.
func (s *stream) cut(text string, spans []Span) int {
	last := len(text) - s.context
	if i := strings.LastIndexByte(text[s.done:last], '\n'); i >= 0 {
		return s.done + i + 1
	}
	for _, x := range spans {
		if x.Start < last && last < x.End {
			if x.Start > s.done {
				return x.Start
			}
			return x.End
		}
	}
	return last
}

// write passes on what is between done and cut.
func (s *stream) write(w io.Writer, text string, spans []Span, cut int) error {
	var b strings.Builder
	at := s.done
	for _, x := range spans {
		if v := text[x.Start:x.End]; Distinctive(v) {
			s.known[v] = true
		}
		if x.End <= at || x.Start >= cut {
			continue
		}
		b.WriteString(text[at:max(at, x.Start)])
		b.WriteString(Mark)
		at = min(x.End, cut)
	}
	b.WriteString(text[at:cut])
	out := b.String()
	if replacer := Replacer(s.known); replacer != nil {
		out = replacer.Replace(out)
	}
	_, err := io.WriteString(w, out)
	return err
}
