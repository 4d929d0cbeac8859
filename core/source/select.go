package source

import (
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// selector applies the include and exclude patterns of a run, and the paths it is limited to.
type selector struct {
	include, exclude []pathPattern
	within           []string
}

type pathPattern struct {
	glob string
	// anyDepth is set for a pattern without a slash: it is held against each name of the path.
	anyDepth bool
}

func newSelector(include, exclude []string) (*selector, error) {
	s := &selector{}
	for _, p := range include {
		pp, problem := newPathPattern(p)
		if problem != "" {
			return nil, &PatternError{Option: "include", Pattern: p, Problem: problem}
		}
		s.include = append(s.include, pp)
	}
	for _, p := range exclude {
		pp, problem := newPathPattern(p)
		if problem != "" {
			return nil, &PatternError{Option: "exclude", Pattern: p, Problem: problem}
		}
		s.exclude = append(s.exclude, pp)
	}
	return s, nil
}

func newPathPattern(p string) (pathPattern, string) {
	glob := strings.TrimPrefix(p, "./")
	if glob != "/" && !strings.HasSuffix(glob, `\/`) {
		// A trailing slash only says "a directory", and directories take in all below them anyway.
		glob = strings.TrimSuffix(glob, "/")
	}
	switch {
	case glob == "":
		return pathPattern{}, "is empty"
	case strings.IndexByte(glob, 0) >= 0:
		return pathPattern{}, "holds a NUL byte"
	case !doublestar.ValidatePattern(glob):
		return pathPattern{}, "is malformed: check its brackets, braces and backslashes"
	case isAbsoluteGlob(glob):
		return pathPattern{}, "is absolute: write it relative to the root of the tree"
	case climbs(glob):
		return pathPattern{}, "climbs out with ..: write it relative to the root of the tree"
	}
	return pathPattern{glob: glob, anyDepth: !strings.Contains(glob, "/")}, ""
}

// isAbsoluteGlob looks behind the braces at the pattern's start too, since {/etc/**,x} names /etc as well. A slash
// after a comma further inside, as in src{/a,/b}, starts nothing.
func isAbsoluteGlob(glob string) bool {
	open := 0
	start := true
	for i := 0; i < len(glob); i++ {
		switch c := glob[i]; {
		case start && (c == '/' || isDrive(glob[i:])):
			return true
		case c == '\\':
			if start && i+1 < len(glob) && (glob[i+1] == '/' || glob[i+1] == '\\') {
				return true
			}
			start = false
			i++
		case c == '{' && (start || open > 0):
			open++
		case c == '}' && open > 0:
			open--
			start = false
		case c == ',' && open > 0:
			start = true
			continue
		default:
			start = false
		}
		if !start && open == 0 {
			return false
		}
	}
	return false
}

func isDrive(s string) bool {
	return len(s) >= 3 && s[1] == ':' && (s[2] == '/' || s[2] == '\\') && ('a' <= s[0]|0x20 && s[0]|0x20 <= 'z')
}

// climbs looks for a part that is exactly two dots, between slashes or the marks of a brace group.
func climbs(glob string) bool {
	plain := strings.ReplaceAll(glob, `\`, "")
	for _, part := range strings.FieldsFunc(plain, func(r rune) bool { return strings.ContainsRune("/{},", r) }) {
		if part == ".." {
			return true
		}
	}
	return false
}

// selects tells whether a path, relative to the tree's root, is asked for.
func (s *selector) selects(p string) bool {
	if len(s.within) > 0 && !slices.ContainsFunc(s.within, func(w string) bool { return isBelow(p, w) }) {
		return false
	}
	if len(s.include) > 0 && !anyMatches(s.include, p) {
		return false
	}
	return !anyMatches(s.exclude, p)
}

// mayHold tells whether a directory can hold what the paths limit the listing to.
func (s *selector) mayHold(dir string) bool {
	return len(s.within) == 0 || slices.ContainsFunc(s.within, func(w string) bool { return isBelow(dir, w) || isBelow(w, dir) })
}

// isBelow tells whether a path is dir or lies below it.
func isBelow(p, dir string) bool {
	rest, ok := strings.CutPrefix(p, dir)
	return ok && (rest == "" || dir == "" || rest[0] == '/')
}

func anyMatches(patterns []pathPattern, p string) bool {
	for _, pp := range patterns {
		if pp.matches(p) {
			return true
		}
	}
	return false
}

// matches tries the path and each directory above it.
func (pp pathPattern) matches(p string) bool {
	for {
		subject := p
		if pp.anyDepth {
			subject = path.Base(p)
		}
		if ok, _ := doublestar.Match(pp.glob, subject); ok {
			return true
		}
		i := strings.LastIndexByte(p, '/')
		if i < 0 {
			return false
		}
		p = p[:i]
	}
}
