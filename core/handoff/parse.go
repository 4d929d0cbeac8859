package handoff

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// maxNesting bounds how deep a text may nest; a handoff is four deep.
const maxNesting = 64

// beyond tells whether a number is too long or too far from 1: the schema's engine reckons exactly, which takes forever on
// 1e-999999999.
func beyond(n string) bool {
	const maxDigits, maxExponent = 40, 300
	_, exponent, _ := strings.Cut(strings.ToLower(n), "e")
	e, err := strconv.Atoi(cmp.Or(exponent, "0"))
	return len(n) > maxDigits || err != nil || e > maxExponent || e < -maxExponent
}

// parse reads a text as one JSON value. Where it is none, the violations say why.
func parse(text []byte) (value any, found []Violation, ok bool) {
	fail := func(format string, args ...any) (any, []Violation, bool) {
		return nil, []Violation{{Message: fmt.Sprintf(format, args...)}}, false
	}
	if len(bytes.TrimSpace(text)) == 0 {
		return fail("the text is empty; a handoff is a JSON object")
	}
	if at := badByte(text); at >= 0 {
		return fail("%s: the text is not UTF-8", position(text, at))
	}
	twice, err := duplicates(text)
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &syntax):
		return fail("%s: no JSON: %s", position(text, int(max(syntax.Offset, 1))-1), syntax)
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return fail("%s: the text ends in the middle of its JSON", position(text, len(text)))
	case err != nil:
		return fail("%s", err)
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return fail("no JSON: %s", err)
	}
	return v, twice, true
}

// badByte gives the place of the first byte that is no UTF-8, or -1.
func badByte(text []byte) int {
	for at := 0; at < len(text); {
		r, n := utf8.DecodeRune(text[at:])
		if r == utf8.RuneError && n == 1 {
			return at
		}
		at += n
	}
	return -1
}

// position gives line and column, in characters from 1.
func position(text []byte, at int) string {
	before := text[:min(at, len(text))]
	line := bytes.Count(before, []byte("\n")) + 1
	column := utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:]) + 1
	return fmt.Sprintf("%d:%d", line, column)
}

// duplicates finds members that stand twice in their object, which decoders silently drop, and checks the syntax to the end.
func duplicates(text []byte) ([]Violation, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	w := &walker{decoder: d}
	if err := w.value("", 0); err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: there is more behind the JSON value", position(text, int(d.InputOffset())))
	}
	return w.found, nil
}

type walker struct {
	decoder *json.Decoder
	found   []Violation
}

func (w *walker) value(at string, depth int) error {
	if depth > maxNesting {
		return fmt.Errorf("the JSON nests more than %d deep, which no handoff does", maxNesting)
	}
	t, err := w.decoder.Token()
	if err != nil {
		return err
	}
	if n, ok := t.(json.Number); ok {
		if beyond(n.String()) {
			return fmt.Errorf("%s: a number far beyond what is counted here", at)
		}
	}
	delim, ok := t.(json.Delim)
	if !ok {
		return nil
	}
	seen := map[string]bool{}
	for i := 0; w.decoder.More(); i++ {
		here := fmt.Sprintf("%s/%d", at, i)
		if delim == '{' {
			key, err := w.decoder.Token()
			if err != nil {
				return err
			}
			name, _ := key.(string)
			here = at + "/" + escapePointer(name)
			if seen[name] {
				w.found = append(w.found, Violation{Pointer: here, Message: "the member stands twice; keep one"})
			}
			seen[name] = true
		}
		if err := w.value(here, depth+1); err != nil {
			return err
		}
	}
	_, err = w.decoder.Token()
	return err
}
