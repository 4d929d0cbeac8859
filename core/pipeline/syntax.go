package pipeline

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// The YAML parser gives an error a line at best, often that of the block around it, and never a column. What follows finds
// the place again, and says in words of the file what the parser says in words of its grammar.

// decode reads all documents of a stream.
func decode(data []byte) ([]*yaml.Node, error) {
	dec := yaml.NewDecoder(bytes.NewReader(data))
	var out []*yaml.Node
	for {
		y := &yaml.Node{}
		err := dec.Decode(y)
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return out, err
		}
		out = append(out, y)
	}
}

var yamlPrefix = regexp.MustCompile(`^yaml: (?:line \d+: )?`)

// yamlMessage gives an error of the parser without its line.
func yamlMessage(err error) string {
	return yamlPrefix.ReplaceAllString(err.Error(), "")
}

// syntaxError gives an error of the YAML parser a place and, where it is one of the usual mistakes, plain words.
func (l *loader) syntaxError(doc *document, err error) {
	message := yamlMessage(err)
	line := doc.failingLine(message)
	if at := doc.tabIndent(line); at != nil {
		l.errorf(at, "YAML does not allow tabs for indentation; use spaces")
		return
	}
	text := doc.lines[line-1]
	start, width := 0, len(strings.TrimSpace(text))
	for _, usual := range usualMistakes {
		if !strings.HasPrefix(message, usual.message) {
			continue
		}
		if s, w, words := usual.find(doc, text, message); words != "" {
			start, width, message = s, w, words
			break
		}
	}
	if start == 0 && width == len(strings.TrimSpace(text)) {
		start = len(text) - len(strings.TrimLeft(text, " "))
	}
	start = min(start, len(text))
	l.errorf(&node{
		doc: doc, line: line, column: utf8.RuneCountInString(text[:start]) + 1, width: utf8.RuneCountInString(text[start:min(len(text), start+width)]),
	}, "this is not valid YAML: %s", message)
}

// failingLine finds the line at which the parser gives up: the last one of the shortest piece of the file, from its start,
// that fails in the same way.
func (d *document) failingLine(message string) int {
	if line := d.lineOf(message); line > 0 {
		return line
	}
	good, bad := 0, len(d.lines)
	for bad-good > 1 {
		middle := (good + bad) / 2
		if _, err := decode([]byte(strings.Join(d.lines[:middle], "\n") + "\n")); err != nil && yamlMessage(err) == message {
			bad = middle
		} else {
			good = middle
		}
	}
	return max(1, bad)
}

var unknownAnchor = regexp.MustCompile(`^unknown anchor '(.*)' referenced`)

// lineOf finds the line of the errors whose text alone says where they are; 0 for all others.
func (d *document) lineOf(message string) int {
	wanted := func(string) bool { return false }
	if m := unknownAnchor.FindStringSubmatch(message); m != nil {
		wanted = func(line string) bool { return strings.Contains(line, "*"+m[1]) }
	} else if strings.HasPrefix(message, "control characters") {
		wanted = func(line string) bool { return strings.IndexFunc(line, forbidden) >= 0 }
	}
	for i, line := range d.lines {
		if wanted(line) {
			return i + 1
		}
	}
	return 0
}

// forbidden tells whether YAML allows a character nowhere.
func forbidden(r rune) bool {
	return r < ' ' && r != '\t' || r >= 0x7f && r < 0xa0 && r != 0x85 || r == 0xfffe || r == 0xffff
}

// tabIndent gives the tab that a line, or one beside it, is indented with.
func (d *document) tabIndent(line int) *node {
	for _, candidate := range []int{line, line + 1, line - 1} {
		if candidate < 1 || candidate > len(d.lines) {
			continue
		}
		text := d.lines[candidate-1]
		indent := text[:len(text)-len(strings.TrimLeft(text, " \t"))]
		if tab := strings.IndexByte(indent, '\t'); tab >= 0 && strings.TrimSpace(text) != "" {
			return &node{doc: d, line: candidate, column: tab + 1}
		}
	}
	return nil
}

// usualMistake finds the piece of the line that an error is about: its first byte, its length, and what to say. No words
// means that it is none of the usual mistakes after all.
type usualMistake struct {
	message string
	find    func(doc *document, line, message string) (start, width int, words string)
}

var usualMistakes = []usualMistake{
	{"mapping values are not allowed", findSecondColon},
	{"found character that cannot start any token", findBadStart},
	{"did not find expected alphabetic or numeric character", findBadAlias},
	{"unknown anchor", findAlias},
	{"control characters are not allowed", findControl},
	{"found unknown escape character", findEscape},
	{"did not find expected hexdecimal number", findEscape},
	{"found unexpected end of stream", findOpenQuote},
	{"did not find expected ',' or", findOpenBracket},
	{"could not find expected ':'", findLoneWord},
	{"did not find expected key", findStray},
	{"exceeded max depth", findDepth},
}

var keyColon = regexp.MustCompile(`:(\s|$)`)

func findSecondColon(_ *document, line, _ string) (int, int, string) {
	all := keyColon.FindAllStringIndex(line, -1)
	switch len(all) {
	case 0:
		return 0, 0, ""
	case 1:
		indent := len(line) - len(strings.TrimLeft(line, " "))
		return indent, len(strings.TrimSpace(line)), "this line is indented deeper than the one that it follows"
	}
	return all[1][0], 1, "a second colon; put a value that holds `: ` in quotes"
}

var badStart = regexp.MustCompile("(?:^\\s*|[:\\-?,\\[{]\\s*)([@`%])")

func findBadStart(_ *document, line, _ string) (int, int, string) {
	m := badStart.FindStringSubmatchIndex(line)
	if m == nil {
		return 0, 0, ""
	}
	return m[2], 1, "a value cannot begin with " + line[m[2]:m[3]] + "; put it in quotes"
}

var badAlias = regexp.MustCompile(`(?:^\s*|[:\-?,\[{]\s*)([*&][^\s,\]}]*)`)

func findBadAlias(_ *document, line, _ string) (int, int, string) {
	m := badAlias.FindStringSubmatchIndex(line)
	if m == nil {
		return 0, 0, ""
	}
	return m[2], m[3] - m[2], "put a value that begins with " + line[m[2]:m[2]+1] + " in quotes, as in \"" + cut(line[m[2]:m[3]]) + "\""
}

func findAlias(_ *document, line, message string) (int, int, string) {
	name := unknownAnchor.FindStringSubmatch(message)
	if name == nil {
		return 0, 0, ""
	}
	alias := "*" + name[1]
	return max(0, strings.Index(line, alias)), len(alias), "the alias " + alias + " has no anchor &" + name[1] + " before it; put a value that begins with * in quotes"
}

func findControl(_ *document, line, message string) (int, int, string) {
	at := strings.IndexFunc(line, forbidden)
	if at < 0 {
		return 0, 0, ""
	}
	return at, 1, message
}

var escape = regexp.MustCompile(`\\(x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|[^xuU]|.)`)

func findEscape(_ *document, line, _ string) (int, int, string) {
	for _, m := range escape.FindAllStringIndex(line, -1) {
		if e := line[m[0]+1 : m[1]]; len(e) > 1 || strings.Contains("0abtnvfre \"/\\N_LP\t", e) {
			continue
		}
		return m[0], m[1] - m[0], line[m[0]:m[1]] + " means nothing in double quotes; write \\\\ for a backslash, or use single quotes"
	}
	return 0, 0, ""
}

func findOpenQuote(_ *document, line, _ string) (int, int, string) {
	if at, quote := scan(line).openQuote, scan(line).quote; at >= 0 {
		return at, len(line) - at, "the quote " + string(quote) + " that opens here is not closed"
	}
	return 0, 0, ""
}

func findOpenBracket(_ *document, line, _ string) (int, int, string) {
	open := scan(line).open
	if len(open) == 0 {
		return 0, 0, ""
	}
	at := open[len(open)-1]
	return at, 1, "the " + line[at:at+1] + " that opens here is not closed, or a comma is missing"
}

func findLoneWord(_ *document, line, _ string) (int, int, string) {
	trimmed := strings.TrimSpace(line)
	return len(line) - len(strings.TrimLeft(line, " ")), len(trimmed), "expected a key, as in `key: value`"
}

func findStray(_ *document, line, message string) (int, int, string) {
	if at := scan(line).stray; at >= 0 {
		return at, 1, "nothing is open that this " + line[at:at+1] + " could close"
	}
	indent := len(line) - len(strings.TrimLeft(line, " "))
	return indent, len(strings.TrimSpace(line)), message + "; check that this line is indented like the ones that it belongs to"
}

func findDepth(_ *document, line, _ string) (int, int, string) {
	return max(0, strings.IndexAny(line, "[{-?")), 1, "it is nested too deep"
}

// brackets is what stands open at the end of a line: offsets of brackets and of a quote, -1 for none. Stray is a bracket
// that closes nothing.
type brackets struct {
	open             []int
	openQuote, stray int
	quote            byte
}

// scan looks at one line by itself, which is enough for most mistakes.
func scan(line string) brackets {
	b := brackets{openQuote: -1, stray: -1}
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case b.openQuote >= 0 && c == '\\' && b.quote == '"':
			i++
		case b.openQuote >= 0:
			if c == b.quote {
				b.openQuote = -1
			}
		case (c == '"' || c == '\'') && quoteOpens(line[:i]):
			b.openQuote, b.quote = i, c
		case c == '[' || c == '{':
			b.open = append(b.open, i)
		case c == ']' || c == '}':
			if len(b.open) > 0 {
				b.open = b.open[:len(b.open)-1]
			} else if b.stray < 0 {
				b.stray = i
			}
		}
	}
	return b
}

// quoteOpens tells whether a quote may open behind the given text; elsewhere it is an apostrophe.
func quoteOpens(before string) bool {
	before = strings.TrimRight(before, " ")
	return before == "" || strings.ContainsAny(before[len(before)-1:], ":-,[{?")
}
