// Package handoff judges handoffs: whether a text is one, by the schema and by what no schema can say. The same check runs on
// what this program prints and on what other programs wrote. Start at Validate.
package handoff

import (
	"fmt"
	"slices"
	"strings"

	"github.com/repox-dev/repox/sdk/handoff"
	"github.com/repox-dev/repox/sdk/secrets"
)

// Violation is one thing that is wrong.
type Violation struct {
	// Pointer is the JSON pointer of the place; "" is the whole text.
	Pointer string `json:"pointer"`
	Message string `json:"message"`
}

func (v Violation) String() string {
	if v.Pointer == "" {
		return v.Message
	}
	return v.Pointer + ": " + v.Message
}

// Options say what is looked at beside the text.
type Options struct {
	// Disk, if given, gives the content of the files that the handoff names; they must be there and be as it says.
	Disk Disk
}

// Validate gives everything that is wrong with a text, in the order of places. A text without violations is a valid handoff.
func Validate(text []byte, o Options) []Violation {
	root, faults, ok := parse(text)
	c := &checker{found: faults, disk: o.Disk}
	if !ok {
		return c.sorted()
	}
	c.structure(root)
	n := node{value: root}
	c.request(n)
	c.keyFiles(n)
	c.symbols(n)
	c.dependencies(n)
	c.evidence(n)
	c.risks(n)
	c.conclusions(n)
	c.filler(n)
	c.clean(n)
	if c.disk != nil {
		c.files(n)
	}
	return c.sorted()
}

// checker gathers violations. Rules look only at what has the right type: what has not was told of by the schema.
type checker struct {
	found []Violation
	disk  Disk
	// depth is that of the request.
	depth string
	// targets are the target paths that are absolute.
	targets []string
	// lines is by key file: how many lines it is said to have, -1 where it says nothing usable; nil without a list of them.
	lines map[string]int
}

func (c *checker) fault(at node, format string, args ...any) {
	c.found = append(c.found, Violation{Pointer: at.at, Message: fmt.Sprintf(format, args...)})
}

// sorted puts the violations in the order of places and drops what was said twice. They quote the text, so secrets are taken
// out of them.
func (c *checker) sorted() []Violation {
	for i, v := range c.found {
		c.found[i] = Violation{Pointer: secrets.Redact(v.Pointer), Message: secrets.Redact(v.Message)}
	}
	slices.SortStableFunc(c.found, func(a, b Violation) int {
		if d := comparePointers(a.Pointer, b.Pointer); d != 0 {
			return d
		}
		return strings.Compare(a.Message, b.Message)
	})
	return slices.Compact(c.found)
}

// request looks at what was asked for.
func (c *checker) request(root node) {
	r := root.get("request")
	c.depth, _ = r.get("depth").text()
	if goal := r.get("goal"); goal.blank() {
		c.fault(goal, "the goal is blank; say what the handoff is for")
	}
	seen := unique{}
	for _, p := range r.get("target_paths").items() {
		path, ok := p.text()
		if !ok {
			continue
		}
		c.absolute(p)
		seen.note(c, p, path, "target path")
		c.targets = append(c.targets, path)
	}
	if u := root.get("task_understanding"); u.blank() {
		c.fault(u, "it is blank; restate what was understood of the goal")
	}
}

// ceiling tells of a list that is longer than its depth allows; the schema tells of the hard limits.
func (c *checker) ceiling(list node, what string, most, hard int) {
	if n := len(list.items()); n > most && n <= hard {
		c.fault(list, "%d %s, and depth %s allows %d", n, what, c.depth, most)
	}
}

// limits are those of the request's depth.
func (c *checker) limits() handoff.Ceilings { return handoff.Most(c.depth, "") }
