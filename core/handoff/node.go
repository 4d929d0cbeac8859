package handoff

import (
	"encoding/json"
	"path"
	"strconv"
	"strings"
)

// node is a value of a JSON text and its place.
type node struct {
	at    string
	value any
}

// get gives a member of an object; the node of a missing one has no value.
func (n node) get(name string) node {
	out := node{at: n.at + "/" + escapePointer(name)}
	if m, ok := n.value.(map[string]any); ok {
		out.value = m[name]
	}
	return out
}

// items gives those of an array, else none.
func (n node) items() []node {
	list, _ := n.value.([]any)
	out := make([]node, len(list))
	for i, v := range list {
		out[i] = node{at: n.at + "/" + strconv.Itoa(i), value: v}
	}
	return out
}

func (n node) text() (string, bool) {
	s, ok := n.value.(string)
	return s, ok
}

// number gives a whole number.
func (n node) number() (int, bool) {
	v, ok := n.value.(json.Number)
	if !ok {
		return 0, false
	}
	f, err := v.Float64()
	if err != nil || f != float64(int(f)) {
		return 0, false
	}
	return int(f), true
}

// blank tells whether it is a text that says nothing.
func (n node) blank() bool {
	s, ok := n.text()
	return ok && strings.TrimSpace(s) == ""
}

// escapePointer writes a name as a part of a JSON pointer (RFC 6901).
func escapePointer(name string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
}

// comparePointers orders places as a reader meets them: part by part, indexes as numbers.
func comparePointers(a, b string) int {
	as, bs := strings.Split(a, "/"), strings.Split(b, "/")
	for i := range min(len(as), len(bs)) {
		if as[i] == bs[i] {
			continue
		}
		x, errX := strconv.Atoi(as[i])
		y, errY := strconv.Atoi(bs[i])
		if errX == nil && errY == nil && x != y {
			return x - y
		}
		return rankOf(i, as[i], bs[i])
	}
	return len(as) - len(bs)
}

// members are those of a handoff in the order of the schema.
var members = func() map[string]int {
	out := map[string]int{}
	for i, m := range strings.Fields("schema_version explorer timestamp request index_info task_understanding key_files " +
		"relevant_symbols dependency_map risks_and_unknowns next_actions_for_caller evidence errors omitted explorer_limitations") {
		out[m] = i + 1
	}
	return out
}()

// rankOf orders two parts at one depth of a pointer; at the top they are members of the handoff.
func rankOf(depth int, a, b string) int {
	if depth == 1 && members[a] != members[b] {
		return members[a] - members[b]
	}
	return strings.Compare(a, b)
}

// isAbsolute tells whether a path names a place by itself, on this system or another: handoffs travel.
func isAbsolute(p string) bool {
	if strings.HasPrefix(p, "/") || strings.HasPrefix(p, `\\`) {
		return true
	}
	return len(p) >= 3 && p[1] == ':' && (p[2] == '/' || p[2] == '\\') && 'a' <= p[0]|0x20 && p[0]|0x20 <= 'z'
}

// isBelow tells whether a path is dir or lies below it.
func isBelow(p, dir string) bool {
	dir = strings.TrimRight(dir, "/")
	rest, ok := strings.CutPrefix(p, dir)
	return ok && (rest == "" || rest[0] == '/' || rest[0] == '\\')
}

// climbs tells whether a path is written with steps that lead back or nowhere.
func climbs(p string) bool {
	return strings.HasPrefix(p, "/") && path.Clean(p) != strings.TrimRight(p, "/") && p != "/"
}
