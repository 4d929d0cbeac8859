package secrets

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// Spec is what a user adds to the rules, and takes from them. Its JSON is the configuration of the stage redact.
type Spec struct {
	// Rules are further rules, each "KIND: PATTERN". The pattern is one of Go's; its group "secret" or its first group is the
	// secret, without a group all of the match.
	Rules []string `json:"rules"`
	// AllowKinds are the kinds that stay in, AllowPaths globs of the files in which everything stays, and AllowValues patterns
	// of the values that stay.
	AllowKinds  []string `json:"allow_kinds"`
	AllowPaths  []string `json:"allow_paths"`
	AllowValues []string `json:"allow_values"`
}

// SpecError is a fault of one item of a Spec.
type SpecError struct {
	// Field is the name in JSON, Index the number of the item in its list.
	Field         string
	Index         int
	Message, Hint string
}

func (e *SpecError) Error() string { return e.Message }

// Policy is the rules with what a user has added. Nil is the rules as they are. It is safe for concurrent use.
type Policy struct {
	rules  []ownRule
	kinds  map[string]bool
	paths  []string
	values []*regexp.Regexp
	spec   []byte
}

type ownRule struct {
	kind  string
	re    *regexp.Regexp
	group int
}

// NewPolicy checks a Spec. The error joins a *SpecError for each fault.
func NewPolicy(s *Spec) (*Policy, error) {
	if len(s.Rules)+len(s.AllowKinds)+len(s.AllowPaths)+len(s.AllowValues) == 0 {
		return nil, nil
	}
	p := &Policy{kinds: map[string]bool{}}
	var errs []error
	fault := func(field string, i int, hint, format string, args ...any) {
		errs = append(errs, &SpecError{Field: field, Index: i, Message: fmt.Sprintf(format, args...), Hint: hint})
	}
	for i, text := range s.Rules {
		if r, err := newOwnRule(text); err != nil {
			fault("rules", i, "write it as KIND: PATTERN, with a pattern of Go's package regexp", "%v", err)
		} else {
			p.rules = append(p.rules, r)
		}
	}
	for i, kind := range s.AllowKinds {
		if !slices.Contains(kinds(), kind) && !slices.ContainsFunc(p.rules, func(r ownRule) bool { return r.kind == kind }) {
			fault("allow_kinds", i, "repox redact --kinds lists them", "there is no kind of secret %q", kind)
		}
		p.kinds[kind] = true
	}
	for i, glob := range s.AllowPaths {
		if !doublestar.ValidatePattern(glob) {
			fault("allow_paths", i, "", "the glob %q cannot be read", glob)
		} else if all(anyPaths, func(path string) bool { return matches(glob, path) }) {
			fault("allow_paths", i, tooWide, "the glob %q lets every file pass", glob)
		}
		p.paths = append(p.paths, glob)
	}
	for i, text := range s.AllowValues {
		re, err := regexp.Compile(text)
		if err != nil {
			fault("allow_values", i, "it is a pattern of Go's package regexp", "the pattern cannot be read: %v", err)
		} else if all(anyValues, re.MatchString) {
			fault("allow_values", i, tooWide, "the pattern %q lets every value pass", text)
		}
		p.values = append(p.values, re)
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	p.spec, _ = json.Marshal(s) // strings only
	return p, nil
}

// tooWide is the hint for what would turn redaction off.
const tooWide = "name what is to stay; a pipeline that is to show secrets says allow_unredacted: true"

// anyPaths and anyValues have nothing in common but what all paths and values have.
var (
	anyPaths  = []string{"a.go", "src/x/main_test.py", ".env", "Z/9/7"}
	anyValues = []string{"hunter2", "Wv7-kP2!qLx9", "0123456789abcdef", "Zm9v/YmFy+w==", "ÄÖ ¿?", "AB"}
)

func all(list []string, f func(string) bool) bool {
	return !slices.ContainsFunc(list, func(s string) bool { return !f(s) })
}

func matches(glob, path string) bool {
	ok, err := doublestar.Match(glob, path)
	return err == nil && ok
}

func newOwnRule(text string) (ownRule, error) {
	kind, expr, ok := strings.Cut(text, ":")
	kind, expr = strings.TrimSpace(kind), strings.TrimSpace(expr)
	if !ok || kind == "" || expr == "" || strings.ContainsAny(kind, " \t\n") {
		return ownRule{}, fmt.Errorf("the rule %q has no kind and pattern", text)
	}
	re, err := regexp.Compile(expr)
	if err != nil {
		return ownRule{}, fmt.Errorf("the pattern cannot be read: %w", err)
	}
	if re.MatchString("") {
		return ownRule{}, fmt.Errorf("the pattern %q matches nothing at all, which is everywhere", expr)
	}
	return ownRule{kind: kind, re: re, group: cmp.Or(max(re.SubexpIndex("secret"), 0), min(re.NumSubexp(), 1))}, nil
}

// Fingerprint stands for the policy: what was cleaned under another one may hold what this one would find.
func (p *Policy) Fingerprint() [sha256.Size]byte {
	rules := fingerprint()
	if p == nil {
		return rules
	}
	return sha256.Sum256(append(rules[:], p.spec...))
}

// Allows tells whether everything in a file stays.
func (p *Policy) Allows(path string) bool {
	return p != nil && path != "" && slices.ContainsFunc(p.paths, func(glob string) bool { return matches(glob, path) })
}

// own adds what the user's rules find.
func (p *Policy) own(spans []Span, text string) []Span {
	if p == nil {
		return spans
	}
	for _, r := range p.rules {
		for _, m := range r.re.FindAllStringSubmatchIndex(text, -1) {
			if start, end := m[2*r.group], m[2*r.group+1]; start < end && !strings.Contains(text[start:end], Mark) {
				spans = append(spans, Span{start, end, r.kind})
			}
		}
	}
	return spans
}

// filter drops what stays in.
func (p *Policy) filter(spans []Span, text string) []Span {
	if p == nil {
		return spans
	}
	return slices.DeleteFunc(spans, func(s Span) bool {
		return p.kinds[s.Rule] || slices.ContainsFunc(p.values, func(re *regexp.Regexp) bool { return re.MatchString(text[s.Start:s.End]) })
	})
}

// SpecErrors gives the faults that an error of NewPolicy joins.
func SpecErrors(err error) []*SpecError {
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return nil
	}
	var out []*SpecError
	for _, e := range joined.Unwrap() {
		var s *SpecError
		if errors.As(e, &s) {
			out = append(out, s)
		}
	}
	return out
}
