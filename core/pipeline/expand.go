package pipeline

import (
	"fmt"
	"regexp"
	"strings"
)

var variable = regexp.MustCompile(`\$\$\{|\$\{([^}]*)\}?`)

var variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// expand replaces variables in the values below n, once.
func (l *loader) expand(n *node) {
	for _, f := range n.fields {
		l.expand(f.value)
	}
	for _, item := range n.items {
		l.expand(item)
	}
	if n.kind != scalarNode || n.literal || n.spelled != "" || !strings.Contains(n.text, "${") {
		return
	}
	spelled := n.text
	n.text = variable.ReplaceAllStringFunc(n.text, func(m string) string {
		if m == "$${" {
			return "${"
		}
		value, err := l.lookup(m)
		if err != nil {
			l.errorf(n, "%v", err)
			n.broken = true
		}
		return value
	})
	n.spelled = spelled
	n.loosen()
}

// lookup gives the value of ${NAME} or ${NAME:-default}.
func (l *loader) lookup(m string) (string, error) {
	inner, closed := strings.CutSuffix(strings.TrimPrefix(m, "${"), "}")
	name, def, hasDefault := strings.Cut(inner, ":-")
	switch {
	case !closed:
		return "", fmt.Errorf("%s is not closed; write ${NAME} or ${NAME:-default}, and $${ for the characters themselves", m)
	case !variableName.MatchString(name):
		return "", fmt.Errorf("%s is no name of a variable; write ${NAME} or ${NAME:-default}", quote(name))
	case strings.Contains(def, "${"):
		return "", fmt.Errorf("the default of %s holds a variable itself, which is not supported", name)
	}
	if l.opts.LookupEnv != nil {
		if v, ok := l.opts.LookupEnv(name); ok && (v != "" || !hasDefault) {
			return v, nil
		}
	}
	if !hasDefault {
		return "", fmt.Errorf("the variable %s is not set; set it, or give a default as ${%s:-default}", name, name)
	}
	return def, nil
}
