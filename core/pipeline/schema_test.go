package pipeline

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"gopkg.in/yaml.v3"
)

// beyondSchema are mistakes that no schema can see: they lie in how stages follow one another, in other files, in the
// environment, or in YAML itself.
var beyondSchema = []string{
	"chain-", "extends-", "variable", "set", "external", "pack-twice", "duplicate-key", "merge-key", "key-list", "documents",
	"syntax", "tab", "binary", "empty", "comment-only", "bomb", "nested", "tags", "warn-", "base-",
}

func compileSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	b, err := Schema(testCatalog())
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("pipeline.schema.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("pipeline.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// toJSON gives a YAML document as an editor hands it to a schema.
func toJSON(t *testing.T, text string) any {
	t.Helper()
	var v any
	if err := yaml.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	out, err := jsonschema.UnmarshalJSON(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestSchemaTakesWhatTheCheckerTakes(t *testing.T) {
	s := compileSchema(t)
	for name, text := range map[string]string{
		"everything":         fullPipeline,
		"extends alone":      "version: 1\nextends: map\n",
		"a file":             "version: 1\nextends: map\nsource: {path: \"${NONE:-x}\"}\n",
		"empty mappings":     "version: 1\nextends: map\nsource:\nlimits:\n  file:\n",
		"variables":          "version: 1\nlanguages: [go]\nverify: ${NONE:-off}\ncache: ${NONE:-true}\nstages:\n  - extract\n  - use: rank\n    with: {damping: \"${NONE:-0.5}\"}\n  - ${NONE:-redact}\n  - use: report\n    with:\n      budget: ${NONE:-100}\n      format: ${NONE:-json}\n",
		"required option":    "version: 1\nlanguages: [go]\nstages: [extract, rank, {use: needy, with: {key: k}}, redact, report]\n",
		"sizes":              "version: 1\nextends: map\nsource: {max_file_bytes: 12}\nlimits: {stage: {memory: 3GiB, time: 1h2m}}\n",
		"null with":          "version: 1\nlanguages: [{use: go, with: }]\nstages: [extract, rank, redact, {use: report, with: }]\n",
		"number as integer":  "version: 1\nlanguages: [go]\nstages: [extract, {use: rank, with: {damping: 1}}, redact, report]\n",
		"names of languages": "version: 1\nlanguages: [lang-go, python]\nstages: [extract, rank, redact, report]\n",
	} {
		t.Run(name, func(t *testing.T) {
			if p, l := loadText(text); p == nil {
				t.Errorf("the checker refuses it:\n%s", rendered(t, l))
			}
			if err := s.Validate(toJSON(t, text)); err != nil {
				t.Errorf("the schema refuses it: %v", err)
			}
		})
	}
}

func TestSchemaRefusesWhatTheCheckerRefuses(t *testing.T) {
	s := compileSchema(t)
	files, err := filepath.Glob("testdata/errors/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".yaml")
		if beyond(name) {
			continue
		}
		seen++
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Validate(toJSON(t, string(data))); err == nil {
				t.Error("the schema takes it")
			}
		})
	}
	if seen < 12 {
		t.Errorf("only %d mistakes were tried", seen)
	}
	t.Run("every misspelt key", func(t *testing.T) {
		for _, key := range []string{"source", "path", "languages", "use", "with", "stages", "focus", "format", "limits", "file", "time"} {
			text := strings.Replace(fullPipeline, key+":", key+"x:", 1)
			if err := s.Validate(toJSON(t, text)); err == nil {
				t.Errorf("the schema takes %sx", key)
			}
		}
	})
}

func beyond(name string) bool {
	for _, b := range beyondSchema {
		if strings.HasPrefix(name, b) {
			return true
		}
	}
	return false
}
