package pipeline

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/repox-dev/repox/core/diag"
)

// The readers of values below note an error and give false when a node is not of the type that is wanted.

func (l *loader) mismatch(n *node, want string) {
	message := fmt.Sprintf("expected %s, found %s", want, n.typeName())
	if want == "a string" && n.kind == scalarNode {
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
		return []string{n.text}, true
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

func (l *loader) integer(n *node) (int64, bool) {
	if n.kind == scalarNode && n.tag == "!!int" && !n.quoted {
		if v, err := strconv.ParseInt(strings.ReplaceAll(n.text, "_", ""), 0, 64); err == nil {
			return v, true
		}
		l.errorf(n, "%s is too large for an integer", n.text)
		return 0, false
	}
	l.mismatch(n, "an integer")
	return 0, false
}

func (l *loader) number(n *node) (float64, bool) {
	if n.kind == scalarNode && (n.tag == "!!int" || n.tag == "!!float") {
		if v, err := strconv.ParseFloat(strings.ReplaceAll(n.text, "_", ""), 64); err == nil && !math.IsInf(v, 0) && !math.IsNaN(v) {
			return v, true
		}
	}
	l.mismatch(n, "a number")
	return 0, false
}

// formerBooleans were true and false in YAML 1.1 and are strings in YAML 1.2.
var formerBooleans = map[string]string{"yes": "true", "on": "true", "y": "true", "no": "false", "off": "false", "n": "false"}

func (l *loader) boolean(n *node) (bool, bool) {
	if n.kind == scalarNode && n.tag == "!!bool" && !n.quoted {
		return strings.EqualFold(n.text, "true"), true
	}
	if b, ok := formerBooleans[strings.ToLower(n.text)]; ok && n.kind == scalarNode && !n.quoted {
		d := l.errorf(n, "expected a boolean, and %s is a string in YAML 1.2", n.text)
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
	d := l.errorf(n, "%q is not one of %s", s, strings.Join(values, ", "))
	d.Suggestion = diag.Nearest(s, values)
	return "", false
}

var sizePattern = regexp.MustCompile(`^([0-9]+)(B|KiB|MiB|GiB|KB|MB|GB)$`)

var sizeUnits = map[string]int64{"B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "KB": 1e3, "MB": 1e6, "GB": 1e9}

// size reads a number of bytes.
func (l *loader) size(n *node) (int64, bool) {
	if n.kind == scalarNode && n.tag == "!!int" && !n.quoted {
		v, ok := l.integer(n)
		if ok && v < 1 {
			l.errorf(n, "a size is at least 1 byte")
			return 0, false
		}
		return v, ok
	}
	if n.kind == scalarNode {
		if m := sizePattern.FindStringSubmatch(n.text); m != nil {
			v, err := strconv.ParseInt(m[1], 10, 64)
			if unit := sizeUnits[m[2]]; err == nil && v >= 1 && v <= math.MaxInt64/unit {
				return v * unit, true
			}
		}
	}
	l.errorf(n, "expected a size such as 1048576 or 2MiB, found %s", n.shown())
	return 0, false
}

var durationPattern = regexp.MustCompile(`^([0-9]+(\.[0-9]+)?(ms|s|m|h))+$`)

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
	return strconv.Quote(n.text)
}
