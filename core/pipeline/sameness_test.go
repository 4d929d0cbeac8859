package pipeline

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// The checker and the schema are held against each other on every document that differs from a full one in one place.

// seedPipeline holds every key and every kind of option, and no path of an executable: a schema does not know what those hold.
const seedPipeline = `version: 1
extends: map
source: {path: src, include: ["**/*.go"], exclude: [vendor], rev: HEAD, max_file_bytes: 2MiB}
languages: [go, {use: python, with: {}}]
stages:
  - extract
  - {use: rank, with: {focus: f, damping: 0.5}}
  - {use: needy, with: {key: k}}
  - {use: redact, with: {allow: [a, b]}}
  - {use: report, with: {format: json, budget: 256, loud: true}}
verify: off
cache: false
limits: {file: {time: 500ms, memory: 64MiB}, stage: {time: 1m30s, memory: 1048576}}
allow_unredacted: false
`

// replacements are what stands in the place of each value in turn.
var replacements = []string{
	"null", "true", "yes", "0", "1", "-1", "63", "64", "0.5", "1.5", "1e3", "0x40", "a", `""`, `"1"`, `"true"`, "0s", "0MiB", "10s", "1.5h", "1h1h1h1h1h",
	"99999h", "9999999h", "512KiB", "2mb", "999999999GiB", "9999999999GiB", "1 s", "10", "2024-01-01", "json", "off", "require", "go", "lang-go", "rank", "needy", "report",
	`"./x"`, "[]", "[a]", "[1]", "[[a]]", "[null]", "{}", "{a: 1}", "{use: report}", "{use: needy}", "[report]", "[needy]", "[{use: report, with: {budget: 1}}]",
	`"${NONE:-1}"`, "[go]",
}

// beyondSameness are messages of the checker about what no schema sees; a document that only has these should pass the schema.
var beyondSameness = regexp.MustCompile(`stands here twice|cannot start plugin|there is no built-in pipeline|cannot read`)

// structural tells whether the checker finds something that a schema could see.
func structural(text string) (ok bool, first string) {
	l := &loader{ctx: context.Background(), opts: Options{File: "p.yaml", Data: []byte(text), LookupEnv: env, Catalog: testCatalog(), Presets: testPresets}}
	if tree := l.file(); tree != nil {
		l.expand(tree)
		l.check(tree)
	}
	for _, d := range l.diags {
		if d.Severity == 0 && !beyondSameness.MatchString(d.Message) {
			return false, d.Message
		}
	}
	return true, ""
}

// mutate calls try with the document once for each way in which it may differ in one node, and takes every n-th of them.
func mutate(t *testing.T, n int, try func(what, text string)) {
	t.Helper()
	var root yaml.Node
	if err := yaml.Unmarshal([]byte(seedPipeline), &root); err != nil {
		t.Fatal(err)
	}
	i := 0
	write := func(what string) {
		if i++; i%n != 0 {
			return
		}
		b, err := yaml.Marshal(&root)
		if err != nil {
			t.Fatal(err)
		}
		try(what, string(b))
	}
	var walk func(n *yaml.Node, path string)
	walk = func(n *yaml.Node, path string) {
		old := *n
		for _, r := range replacements {
			var y yaml.Node
			if err := yaml.Unmarshal([]byte(r), &y); err != nil {
				t.Fatal(err)
			}
			*n = *y.Content[0]
			write(path + " = " + r)
		}
		*n = old
		for i, child := range n.Content {
			if n.Kind == yaml.MappingNode && i%2 == 0 {
				key := child.Value
				child.Value = key + "x"
				write(path + "." + key + "x")
				child.Value = key
				content := n.Content
				n.Content = append(append([]*yaml.Node(nil), content[:i]...), content[i+2:]...)
				write(path + " without " + key)
				n.Content = content
				continue
			}
			name := fmt.Sprint(i)
			if n.Kind == yaml.MappingNode {
				name = n.Content[i-1].Value
			}
			walk(child, path+"."+name)
		}
	}
	walk(root.Content[0], "")
}

func TestSchemaAndCheckerAgree(t *testing.T) {
	t.Parallel()
	s := compileSchema(t)
	tried, refused := 0, 0
	mutate(t, 1, func(what, text string) {
		checker, first := structural(text)
		schema := s.Validate(toJSON(t, text))
		tried++
		if !checker {
			refused++
		}
		switch {
		case checker && schema != nil:
			t.Errorf("%s: only the schema refuses it: %v", what, firstLine(strings.TrimSpace(schema.Error())))
		case !checker && schema == nil && !strings.Contains(what, "${"): // no schema knows what a variable holds
			t.Errorf("%s: only the checker refuses it: %s", what, first)
		}
	})
	if tried < 1500 || refused < 1000 || refused > tried-100 {
		t.Errorf("%d documents were tried, %d of them refused: too few to mean something", tried, refused)
	}
}

// TestEveryMutationIsToldSoundly loads the same documents as a whole.
func TestEveryMutationIsToldSoundly(t *testing.T) {
	t.Parallel()
	mutate(t, 3, func(what, text string) {
		p, l := loadText(text)
		if (p == nil) != l.HasErrors() {
			t.Errorf("%s: a pipeline beside errors, or none without", what)
		}
		for _, d := range l {
			if what != " = null" && (d.Place.Line == 0 || d.Place.Text == "") {
				t.Errorf("%s: %q has no line", what, d.Message)
			}
		}
		if p != nil {
			if again, l := loadText(printed(t, p)); again == nil {
				t.Errorf("%s: what is printed is refused:\n%s", what, rendered(t, l))
			}
		}
	})
}
