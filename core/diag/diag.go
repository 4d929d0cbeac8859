// Package diag holds diagnostics: what is wrong, where, and what would be right. A diagnostic is a value from the first
// line of code on; Render is the one place that turns it into text.
package diag

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Severity tells errors from warnings.
type Severity int

// The severities.
const (
	Error Severity = iota
	Warning
)

func (s Severity) String() string {
	if s == Warning {
		return "warning"
	}
	return "error"
}

// Place is a piece of one line of a file. The zero value is no place.
type Place struct {
	File string
	// Line and Column count from 1, the column in characters. A Line of 0 means the file as a whole.
	Line, Column int
	// Width is how many characters to underline; 0 means one.
	Width int
	// Text is the whole line.
	Text string
}

func (p Place) String() string {
	switch {
	case p.Line == 0:
		return p.File
	case p.Column == 0:
		return fmt.Sprintf("%s:%d", p.File, p.Line)
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
}

// Note adds to a diagnostic, with a place of its own if it has one.
type Note struct {
	Message string
	Place   Place
}

// Diagnostic is one fault or remark.
type Diagnostic struct {
	Severity Severity
	Message  string
	Place    Place
	Notes    []Note
	// Suggestion is what the underlined text should most likely be.
	Suggestion string
	// Cause is the error behind the diagnostic, if there is one that callers may branch on.
	Cause error
}

// List is a set of diagnostics. It can be returned as an error where HasErrors says that it holds one.
type List []Diagnostic

// Errorf adds an error.
func (l *List) Errorf(p Place, format string, args ...any) *Diagnostic {
	return l.add(Diagnostic{Severity: Error, Place: p, Message: fmt.Sprintf(format, args...)})
}

// Warnf adds a warning.
func (l *List) Warnf(p Place, format string, args ...any) *Diagnostic {
	return l.add(Diagnostic{Severity: Warning, Place: p, Message: fmt.Sprintf(format, args...)})
}

// add appends d; the pointer is good until the next call.
func (l *List) add(d Diagnostic) *Diagnostic {
	*l = append(*l, d)
	return &(*l)[len(*l)-1]
}

// HasErrors tells whether any of them is an error.
func (l List) HasErrors() bool {
	return slices.ContainsFunc(l, func(d Diagnostic) bool { return d.Severity == Error })
}

// Sort orders by file, line and column; equal places keep their order.
func (l List) Sort() {
	slices.SortStableFunc(l, func(a, b Diagnostic) int {
		return cmp.Or(cmp.Compare(a.Place.File, b.Place.File), cmp.Compare(a.Place.Line, b.Place.Line), cmp.Compare(a.Place.Column, b.Place.Column))
	})
}

// Error gives the first error in one line, and how many more there are.
func (l List) Error() string {
	n := 0
	first := ""
	for _, d := range l {
		if d.Severity != Error {
			continue
		}
		if n++; n == 1 {
			first = d.Place.String() + ": " + d.Message
		}
	}
	if n > 1 {
		return fmt.Sprintf("%s (and %d more)", first, n-1)
	}
	return strings.TrimPrefix(first, ": ")
}
