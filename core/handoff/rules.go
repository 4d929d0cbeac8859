package handoff

import (
	"fmt"
	"strings"

	"github.com/repox-dev/repox/sdk/handoff"
)

// unique tells of what stands twice in a list.
type unique map[string]string

func (u unique) note(c *checker, at node, key, what string) {
	if first, ok := u[key]; ok {
		c.fault(at, "this %s stands at %s already", what, first)
		return
	}
	u[key] = at.at
}

// key joins texts to one.
func key(parts ...string) string { return strings.Join(parts, "\x00") }

func (c *checker) absolute(at node) {
	p, ok := at.text()
	switch {
	case !ok || p == "":
	case !isAbsolute(p):
		c.fault(at, "%s is no absolute path", quoted(p))
	case climbs(p):
		c.fault(at, "%s is written with . or .. or empty steps", quoted(p))
	}
}

// inTarget tells of a path outside of what was asked for.
func (c *checker) inTarget(at node) {
	p, ok := at.text()
	if !ok || !isAbsolute(p) || len(c.targets) == 0 {
		return
	}
	for _, t := range c.targets {
		if isBelow(p, t) {
			return
		}
	}
	c.fault(at, "it lies outside of the target paths")
}

func (c *checker) keyFiles(root node) {
	list := root.get("key_files")
	c.ceiling(list, "key files", c.limits().KeyFiles, handoff.Hard.KeyFiles)
	if _, ok := list.value.([]any); ok {
		c.lines = map[string]int{}
	}
	seen := unique{}
	medium := ""
	for _, f := range list.items() {
		c.absolute(f.get("path"))
		c.inTarget(f.get("path"))
		if p, ok := f.get("path").text(); ok {
			seen.note(c, f.get("path"), p, "file")
			c.lines[p] = -1
			if n, ok := f.get("lines").number(); ok {
				c.lines[p] = n
			}
		}
		switch r, _ := f.get("relevance").text(); {
		case r == handoff.Medium && medium == "":
			medium = f.at
		case r == handoff.High && medium != "":
			c.fault(f.get("relevance"), "a file of high relevance stands behind %s of medium relevance; sort by relevance", medium)
		}
		c.said(f, "role", "confidence_reason")
	}
}

// said tells of texts that say nothing; the schema tells of empty ones.
func (c *checker) said(at node, names ...string) {
	for _, name := range names {
		if n := at.get(name); n.blank() && n.value != "" {
			c.fault(n, "it is blank")
		}
	}
}

// span checks the lines of an item and gives them; ok says that they are usable.
func (c *checker) span(item node) (first, last int, ok bool) {
	first, okFirst := item.get("line_start").number()
	last, okLast := item.get("line_end").number()
	if !okFirst || !okLast || first < 1 || last < 1 {
		return 0, 0, false
	}
	if last < first {
		c.fault(item.get("line_end"), "line %d is before the first line %d", last, first)
		return 0, 0, false
	}
	if p, isText := item.get("file").text(); isText {
		if n, known := c.lines[p]; known && n >= 0 && last > n {
			c.fault(item.get("line_end"), "line %d is beyond the file's %d lines", last, n)
		}
	}
	return first, last, true
}

// ofKeyFile tells of an item whose file is not among the key files.
func (c *checker) ofKeyFile(item node) {
	f := item.get("file")
	c.absolute(f)
	p, ok := f.text()
	if !ok || p == "" {
		return
	}
	if _, known := c.lines[p]; !known && c.lines != nil {
		c.fault(f, "it is none of the key files")
	}
}

func (c *checker) symbols(root node) {
	list := root.get("relevant_symbols")
	c.ceiling(list, "symbols", c.limits().Symbols, handoff.Hard.Symbols)
	seen, of := unique{}, map[string]int{}
	for _, s := range list.items() {
		c.ofKeyFile(s)
		first, last, ok := c.span(s)
		name, _ := s.get("name").text()
		file, _ := s.get("file").text()
		if ok {
			seen.note(c, s, key(file, name, fmt.Sprint(first, last)), "symbol")
		}
		if of[file]++; of[file] == handoff.Hard.SymbolsOfFile+1 {
			c.fault(s, "more than %d symbols of one file", handoff.Hard.SymbolsOfFile)
		}
		c.said(s, "name", "why", "confidence_reason")
	}
}

func (c *checker) dependencies(root node) {
	list := root.get("dependency_map")
	c.ceiling(list, "dependencies", c.limits().Dependencies, handoff.Hard.Dependencies)
	seen := unique{}
	for _, d := range list.items() {
		source, okSource := d.get("source").text()
		target, okTarget := d.get("target").text()
		kind, _ := d.get("kind").text()
		c.absolute(d.get("source"))
		if !okSource || !okTarget {
			continue
		}
		seen.note(c, d, key(source, target, kind), "dependency")
		if source == target {
			c.fault(d.get("target"), "a file that depends on itself says nothing")
		}
		_, from := c.lines[source]
		_, to := c.lines[target]
		if c.lines != nil && !from && !to {
			c.fault(d, "neither end is one of the key files")
		}
	}
}

func (c *checker) evidence(root node) {
	list := root.get("evidence")
	c.ceiling(list, "pieces of evidence", c.limits().Evidence, handoff.Hard.Evidence)
	type piece struct {
		at, file    string
		first, last int
	}
	var all []piece
	for _, e := range list.items() {
		c.ofKeyFile(e)
		c.said(e, "context", "confidence_reason")
		first, last, ok := c.span(e)
		snippet, isText := e.get("snippet").text()
		if isText && strings.TrimSpace(snippet) == "" {
			c.fault(e.get("snippet"), "it is blank and shows nothing")
		}
		if !ok {
			continue
		}
		if n := last - first + 1; n > handoff.Hard.SnippetLines {
			c.fault(e.get("line_end"), "%d lines, and evidence has at most %d", n, handoff.Hard.SnippetLines)
		}
		if n := countLines(snippet); isText && n != last-first+1 {
			c.fault(e.get("snippet"), "%d lines of text for the lines %d-%d", n, first, last)
		}
		file, _ := e.get("file").text()
		for _, p := range all {
			if p.file == file && first <= p.last && p.first <= last {
				c.fault(e, "its lines %d-%d are shown at %s too; merge them", first, last, p.at)
				break
			}
		}
		all = append(all, piece{e.at, file, first, last})
	}
}

// countLines counts the lines of a snippet; a line end at its end begins no further one.
func countLines(s string) int {
	if s == "" {
		return 0
	}
	return strings.Count(strings.TrimSuffix(s, "\n"), "\n") + 1
}

func (c *checker) risks(root node) {
	seen := unique{}
	for _, r := range root.get("risks_and_unknowns").items() {
		if text, ok := r.get("description").text(); ok {
			seen.note(c, r, text, "risk")
		}
		c.said(r, "description")
		files := unique{}
		for _, f := range r.get("affected_files").items() {
			c.absolute(f)
			if p, ok := f.text(); ok {
				files.note(c, f, p, "file")
			}
			if f.blank() {
				c.fault(f, "it is blank")
			}
		}
	}
	seen = unique{}
	for _, a := range root.get("next_actions_for_caller").items() {
		if text, ok := a.get("action").text(); ok {
			seen.note(c, a, text, "action")
		}
		c.said(a, "action")
	}
}
