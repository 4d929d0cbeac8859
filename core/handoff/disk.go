package handoff

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/repox-dev/repox/core/source"
	"github.com/repox-dev/repox/sdk/handoff"
	"github.com/repox-dev/repox/sdk/secrets"
)

// Disk gives the files that a handoff names.
type Disk interface {
	// Kind gives what a path leads to, without opening it: "file", "directory" or "other". The error of a path that leads
	// nowhere is fs.ErrNotExist.
	Kind(path string) (string, error)
	// Text gives the content of a file as an editor shows it.
	Text(path string) (string, error)
}

// Kinds of what is on a disk.
const (
	kindFile      = "file"
	kindDirectory = "directory"
	kindOther     = "other"
)

// maxRead bounds the files that are read.
const maxRead = 16 << 20

// LocalDisk is that of this machine.
type LocalDisk struct{}

// Kind implements Disk.
func (LocalDisk) Kind(path string) (string, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return "", err
	case info.Mode().IsRegular():
		return kindFile, nil
	case info.IsDir():
		return kindDirectory, nil
	}
	return kindOther, nil
}

// Text implements Disk.
func (LocalDisk) Text(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	raw, err := io.ReadAll(io.LimitReader(f, maxRead+1))
	if err != nil {
		return "", err
	}
	if len(raw) > maxRead {
		return "", fmt.Errorf("it is larger than %d MiB", maxRead>>20)
	}
	text, _, reason := source.Decode(raw)
	if reason != "" {
		return "", fmt.Errorf("it is no text (%s)", reason)
	}
	return string(text), nil
}

// files holds the handoff against the disk.
func (c *checker) files(root node) {
	texts := &texts{checker: c, lines: map[string][]string{}, failed: map[string]bool{}}
	for _, p := range root.get("request").get("target_paths").items() {
		c.exists(p)
	}
	for _, f := range root.get("key_files").items() {
		lines := texts.of(f.get("path"))
		if n, ok := f.get("lines").number(); ok && lines != nil && n != len(lines) {
			c.fault(f.get("lines"), "%d lines, and the file has %d", n, len(lines))
		}
	}
	for _, s := range root.get("relevant_symbols").items() {
		first, last, lines := texts.cut(s)
		name, _ := s.get("name").text()
		if lines != nil && !strings.Contains(strings.Join(lines, "\n"), name) {
			c.fault(s, "%s does not occur in the lines %d-%d", quoted(name), first, last)
		}
	}
	for _, e := range root.get("evidence").items() {
		first, last, lines := texts.cut(e)
		snippet, ok := e.get("snippet").text()
		if ok && lines != nil && !slices.Equal(lines, strings.Split(strings.TrimSuffix(snippet, "\n"), "\n")) {
			c.fault(e.get("snippet"), "the lines %d-%d of the file are not these", first, last)
		}
	}
	for _, r := range root.get("risks_and_unknowns").items() {
		for _, f := range r.get("affected_files").items() {
			c.exists(f)
		}
	}
}

// exists tells of a path that leads nowhere. A redacted one cannot be looked up.
func (c *checker) exists(at node) bool {
	p, ok := at.text()
	if !ok || !isAbsolute(p) || strings.Contains(p, secrets.Mark) {
		return false
	}
	_, err := c.disk.Kind(p)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		c.fault(at, "no such file")
	case err != nil:
		c.fault(at, "it cannot be looked at: %s", cause(err))
	}
	return err == nil
}

// cause is an error without the path that it is told with anyway.
func cause(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}

// texts reads each file once. Secrets are taken out of whole files: what a handoff may show of them is what is left.
type texts struct {
	*checker
	lines  map[string][]string
	failed map[string]bool
}

// of gives the lines of a file; nil where it cannot be read, which is told once.
func (t *texts) of(at node) []string {
	p, _ := at.text()
	if lines, ok := t.lines[p]; ok || t.failed[p] {
		return lines
	}
	t.failed[p] = true
	if !t.exists(at) {
		return nil
	}
	if kind, _ := t.disk.Kind(p); kind != kindFile {
		t.fault(at, "it is no file")
		return nil
	}
	text, err := t.disk.Text(p)
	if err != nil {
		t.fault(at, "it cannot be read: %s", cause(err))
		return nil
	}
	text = secrets.Redact(text)
	t.lines[p] = append([]string{}, handoff.Lines(text)...)
	return t.lines[p]
}

// cut gives the lines of an item's span. A span that ends beyond the file is told.
func (t *texts) cut(item node) (first, last int, lines []string) {
	first, okFirst := item.get("line_start").number()
	last, okLast := item.get("line_end").number()
	all := t.of(item.get("file"))
	if !okFirst || !okLast || first < 1 || last < first || all == nil {
		return 0, 0, nil
	}
	if last > len(all) {
		p, _ := item.get("file").text()
		if n, known := t.checker.lines[p]; !known || last <= n {
			t.fault(item.get("line_end"), "line %d is beyond the file's %d lines", last, len(all))
		}
		return 0, 0, nil
	}
	return first, last, all[first-1 : last]
}
