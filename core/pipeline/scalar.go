package pipeline

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/repox-dev/repox/core/diag"
)

// The readers of values below note an error and give false when a node is not of the type that is wanted.

func (l *loader) mismatch(n *node, want string) {
	message := fmt.Sprintf("expected %s, found %s", want, n.typeName())
	if want == "a string" && n.kind == scalarNode && !n.broken {
		message += "; put it in quotes"
	}
	l.errorf(n, "%s", message)
}

func (l *loader) str(n *node) (string, bool) {
	if n.kind != scalarNode || n.tag != "!!str" && !n.loose && !n.quoted {
		l.mismatch(n, "a string")
		return "", false
	}
	n.tag = "!!str" // for a loose one, which may look like something else
	return n.text, true
}

func (l *loader) strs(n *node) ([]string, bool) {
	if n.kind == scalarNode && n.loose {
		if n.broken || n.spelled != "" {
			return []string{n.text}, true
		}
		n.toList()
	}
	if n.kind != listNode {
		l.mismatch(n, "a list of strings")
		return nil, false
	}
	var out []string
	ok := true
	for _, item := range n.items {
		s, fine := l.str(item)
		ok = ok && fine
		out = append(out, s)
	}
	return out, ok
}

// toList makes a list of a setting where one is wanted: of [a, b] its items, of anything else a list of one.
func (n *node) toList() {
	var words []string
	if !strings.HasPrefix(n.text, "[") || yaml.Unmarshal([]byte(n.text), &words) != nil {
		words = []string{n.text}
	}
	one := *n
	n.kind, n.items = listNode, nil
	for _, w := range words {
		item := one
		item.text = w
		item.loosen()
		n.items = append(n.items, &item)
	}
}

// integer reads a whole number. 1e3 is one too, as it is for JSON.
func (l *loader) integer(n *node) (int64, bool) {
	const exact = 1 << 53 // beyond, a float64 does not hold every integer
	switch {
	case n.kind != scalarNode || n.quoted:
	case n.tag == "!!int":
		if v, err := strconv.ParseInt(strings.ReplaceAll(n.text, "_", ""), 0, 64); err == nil {
			return v, true
		}
		l.errorf(n, "%s is too large for an integer", cut(n.said()))
		return 0, false
	case n.tag == "!!float":
		if v, err := parseFloat(n.text); err == nil && v == math.Trunc(v) && math.Abs(v) <= exact {
			return int64(v), true
		}
	}
	l.mismatch(n, "an integer")
	return 0, false
}

func parseFloat(text string) (float64, error) {
	return strconv.ParseFloat(strings.ReplaceAll(text, "_", ""), 64)
}

func (l *loader) number(n *node) (float64, bool) {
	if n.kind != scalarNode || n.tag != "!!int" && n.tag != "!!float" {
		l.mismatch(n, "a number")
		return 0, false
	}
	if n.tag == "!!int" {
		v, ok := l.integer(n)
		return float64(v), ok
	}
	v, err := parseFloat(n.text)
	if err != nil || math.IsInf(v, 0) || math.IsNaN(v) {
		l.errorf(n, "expected a finite number, found %s", cut(n.said()))
		return 0, false
	}
	return v, true
}

// formerBooleans were true and false in YAML 1.1 and are strings in YAML 1.2.
var formerBooleans = map[string]string{"yes": "true", "on": "true", "y": "true", "no": "false", "off": "false", "n": "false"}

func (l *loader) boolean(n *node) (bool, bool) {
	if n.kind == scalarNode && n.tag == "!!bool" && !n.quoted {
		return strings.EqualFold(n.text, "true"), true
	}
	if b, ok := formerBooleans[strings.ToLower(n.text)]; ok && n.kind == scalarNode && !n.quoted {
		d := l.errorf(n, "expected a boolean, and %s is a string in YAML 1.2", n.said())
		d.Suggestion = b
		return false, false
	}
	l.mismatch(n, "a boolean")
	return false, false
}

func (l *loader) enum(n *node, values []string) (string, bool) {
	// A bare off is a value here, as a string; YAML 1.2 agrees.
	s, ok := l.str(n)
	if !ok || slices.Contains(values, s) {
		return s, ok
	}
	d := l.errorf(n, "%s is not one of %s", quote(n.said()), strings.Join(values, ", "))
	d.Suggestion = diag.Nearest(s, values)
	return "", false
}

// The digits of a size are bounded so that none is too large for an int64.
var sizePattern = regexp.MustCompile(`^([0-9]{1,18})(B)$|^([0-9]{1,9})(KiB|MiB|GiB|KB|MB|GB)$`)

var sizeUnits = map[string]int64{"B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "KB": 1e3, "MB": 1e6, "GB": 1e9}

// size reads a number of bytes.
func (l *loader) size(n *node) (int64, bool) {
	if n.kind == scalarNode && n.tag != "!!str" && n.tag != "!!bool" && !n.quoted {
		v, ok := l.integer(n)
		if ok && v < 1 {
			l.errorf(n, "a size is at least 1 byte")
			return 0, false
		}
		return v, ok
	}
	if n.kind == scalarNode {
		if v, ok := parseSize(n.text); ok {
			return v, true
		}
	}
	l.errorf(n, "expected a size such as 1048576 or 2MiB, found %s", n.shown())
	return 0, false
}

func parseSize(text string) (int64, bool) {
	m := sizePattern.FindStringSubmatch(text)
	if m == nil {
		return 0, false
	}
	v, err := strconv.ParseInt(m[1]+m[3], 10, 64)
	return v * sizeUnits[m[2]+m[4]], err == nil && v >= 1
}

// ParseSize reads a size from a command line, in bytes: a number, or a size such as 2MiB.
func ParseSize(text string) (int64, error) {
	if v, err := strconv.ParseInt(text, 10, 64); err == nil && v >= 1 {
		return v, nil
	}
	if v, ok := parseSize(text); ok {
		return v, nil
	}
	return 0, fmt.Errorf("%q is no size such as 1048576 or 2MiB", text)
}

// The digits of a duration are bounded so that none is too long for a time.Duration, which ends at 292 years.
var durationPattern = regexp.MustCompile(
	`^([0-9]{1,9}(\.[0-9]{1,9})?ms|[0-9]{1,6}(\.[0-9]{1,9})?[sm]|[0-9]{1,5}(\.[0-9]{1,9})?h){1,4}$`)

func (l *loader) duration(n *node) (time.Duration, bool) {
	if n.kind == scalarNode && durationPattern.MatchString(n.text) {
		if d, err := time.ParseDuration(n.text); err == nil && d > 0 {
			return d, true
		}
	}
	l.errorf(n, "expected a duration such as 500ms, 10s or 2m, found %s", n.shown())
	return 0, false
}

// shown is what to call a node in a message.
func (n *node) shown() string {
	if n.kind != scalarNode {
		return n.kind.String()
	}
	return quote(n.said())
}
