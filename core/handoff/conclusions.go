package handoff

import (
	"strings"

	"github.com/repox-dev/repox/sdk/handoff"
	"github.com/repox-dev/repox/sdk/secrets"
)

// conclusions looks at what is said about the answer as a whole: it must fit what the answer holds.
func (c *checker) conclusions(root node) {
	codes := map[string]node{}
	seen := unique{}
	list := root.get("errors")
	for _, e := range list.items() {
		code, _ := e.get("code").text()
		message, _ := e.get("message").text()
		seen.note(c, e, key(code, message), "error")
		c.said(e, "message")
		codes[code] = e
	}
	files := root.get("key_files")
	if _, isList := files.value.([]any); isList {
		found := len(files.items())
		if e, ok := codes[handoff.NoMatch]; ok && found > 0 {
			c.fault(e, "it says that nothing matches, and there are %d key files", found)
		}
		_, isErrors := list.value.([]any)
		if found == 0 && isErrors && len(codes) == 0 {
			c.fault(files, "nothing was found and no error says why")
		}
	}
	c.omitted(root.get("omitted"))
	seen = unique{}
	for _, l := range root.get("explorer_limitations").items() {
		code, _ := l.get("code").text()
		message, ok := l.get("message").text()
		if !ok || strings.TrimSpace(message) == "" {
			c.fault(l, "a limitation without a message")
			continue
		}
		seen.note(c, l, key(code, message), "limitation")
	}
}

// omitted wants a reason for what was left out.
func (c *checker) omitted(o node) {
	counted := 0
	for _, name := range []string{"key_files", "relevant_symbols", "dependency_map", "evidence"} {
		if n, ok := o.get(name).number(); ok && n > 0 {
			counted += n
		}
	}
	seen := unique{}
	reasons := o.get("reasons").items()
	for _, r := range reasons {
		if text, ok := r.text(); ok {
			seen.note(c, r, text, "reason")
		}
		if r.blank() {
			c.fault(r, "it is blank")
		}
	}
	if counted > 0 && len(reasons) == 0 {
		c.fault(o.get("reasons"), "%d things were left out and no reason is given", counted)
	}
}

// enough is how many items a list must have before the same sentence for all of them is filler.
const enough = 3

// filler tells of sentences that stand for every item of a list: they say nothing of any.
func (c *checker) filler(root node) {
	for list, names := range map[string][]string{
		"key_files":        {"role", "confidence_reason"},
		"relevant_symbols": {"why", "confidence_reason"},
		"evidence":         {"context", "confidence_reason"},
	} {
		items := root.get(list).items()
		if len(items) < enough {
			continue
		}
		for _, name := range names {
			first, ok := items[0].get(name).text()
			for _, item := range items[1:] {
				text, isText := item.get(name).text()
				ok = ok && isText && text == first
			}
			if ok {
				c.fault(root.get(list), "the same %s stands for all %d, so it says nothing of any", name, len(items))
			}
		}
	}
}

// clean looks for secrets in every string, names of members included, and wants what was taken out to be told.
func (c *checker) clean(root node) {
	marked := false
	var visit func(n node)
	look := func(n node, text string) {
		for _, s := range secrets.Find(text) {
			c.fault(n, "it holds a secret that is not redacted (%s)", s.Rule)
		}
		marked = marked || strings.Contains(text, secrets.Mark)
	}
	visit = func(n node) {
		switch v := n.value.(type) {
		case string:
			look(n, v)
		case []any:
			for _, item := range n.items() {
				visit(item)
			}
		case map[string]any:
			for name := range v {
				look(node{at: n.at}, name)
				visit(n.get(name))
			}
		}
	}
	visit(root)
	if !marked {
		return
	}
	for _, e := range root.get("errors").items() {
		if code, _ := e.get("code").text(); code == handoff.RedactedSecret {
			return
		}
	}
	c.fault(root.get("errors"), "secrets were taken out (%s) and no %s entry says where", secrets.Mark, handoff.RedactedSecret)
}
