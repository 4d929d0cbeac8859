package secrets

import (
	"regexp"
	"sync"
)

// pattern is a regular expression that is compiled when it is first used: a process that looks at nothing, and a text that
// mentions nothing, pay nothing.
type pattern struct {
	expr    string
	compile func() *regexp.Regexp
}

// lazy makes a pattern. The expression is part of the program; a test compiles each.
func lazy(expr string) *pattern {
	p := &pattern{expr: expr, compile: sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })}
	patterns = append(patterns, p)
	return p
}

// patterns are all that there are, for the test.
var patterns []*pattern

// MatchString is that of the regular expression, and so are the others.
func (p *pattern) MatchString(s string) bool { return p.compile().MatchString(s) }

// FindAllStringIndex gives all matches.
func (p *pattern) FindAllStringIndex(s string, n int) [][]int {
	return p.compile().FindAllStringIndex(s, n)
}

// FindStringSubmatchIndex gives the first match with its groups.
func (p *pattern) FindStringSubmatchIndex(s string) []int {
	return p.compile().FindStringSubmatchIndex(s)
}

// FindAllStringSubmatchIndex gives all matches with their groups.
func (p *pattern) FindAllStringSubmatchIndex(s string, n int) [][]int {
	return p.compile().FindAllStringSubmatchIndex(s, n)
}

// SubexpNames gives the names of the groups.
func (p *pattern) SubexpNames() []string { return p.compile().SubexpNames() }

// SubexpIndex gives the number of a group, -1 for none.
func (p *pattern) SubexpIndex(name string) int { return p.compile().SubexpIndex(name) }
