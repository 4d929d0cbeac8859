package pipeline

import (
	"encoding/json"
	"fmt"
	"regexp"

	pluginv1 "github.com/repox-dev/repox/sdk/proto"
)

// object is a piece of a JSON Schema.
type object = map[string]any

// variablePattern matches a string that holds a variable; such a string may become anything.
const variablePattern = `\$\{`

// Schema gives a JSON Schema (draft 2020-12) for pipeline files. It accepts what the checker accepts, as far as a schema can
// tell: it does not know which variables are set, which files exist, how stages chain, or what external plugins hold.
func Schema(c *Catalog) ([]byte, error) {
	properties := keyProperties(topKeys)
	properties["version"] = object{"description": keySpecs["version"].doc, "const": supportedVersion}
	properties["languages"] = object{"description": keySpecs["languages"].doc, "type": "array", "items": items(c, true)}
	properties["stages"] = object{"description": keySpecs["stages"].doc, "type": "array", "minItems": 1, "items": items(c, false)}
	schema := object{
		"$schema":              "https://json-schema.org/draft/2020-12/schema",
		"title":                "repox pipeline",
		"type":                 "object",
		"required":             []string{"version"},
		"additionalProperties": false,
		"properties":           properties,
		"anyOf":                []object{{"required": []string{"stages"}}, {"required": []string{"extends"}}},
	}
	b, err := json.MarshalIndent(schema, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("make schema: %w", err)
	}
	return append(b, '\n'), nil
}

func keyProperties(keys []*keySpec) object {
	out := object{}
	for _, k := range keys {
		s := keySchema(k)
		s["description"] = k.doc
		out[k.name] = s
	}
	return out
}

func keySchema(k *keySpec) object {
	switch k.kind {
	case stringListValue:
		return orVariable(object{"type": "array", "items": object{"type": "string"}})
	case intValue:
		return orVariable(object{"type": "integer"})
	case boolValue:
		return orVariable(object{"type": "boolean"})
	case enumValue:
		return orVariable(object{"enum": k.values})
	case sizeValue:
		return orVariable(object{"type": "integer", "minimum": 1}, notZero(sizePattern))
	case durationValue:
		return orVariable(notZero(durationPattern))
	case mappingValue:
		return object{"type": []string{"object", "null"}, "additionalProperties": false, "properties": keyProperties(k.keys)}
	}
	if k.name == "extends" {
		return object{"type": "string", "minLength": 1}
	}
	return object{"type": "string"}
}

// notZero is a string of a form with a digit that is not zero.
func notZero(form *regexp.Regexp) object {
	return object{"type": "string", "pattern": form.String(), "not": object{"pattern": "^[^1-9]*$"}}
}

// orVariable adds the string with a variable to what a value may be.
func orVariable(choices ...object) object {
	return object{"anyOf": append(choices, object{"type": "string", "pattern": variablePattern})}
}

// pathPattern matches a `use` that is a path; every other one is a name.
const pathPattern = `^\.|[/\\]`

// items is the schema of an item of a list: a name, a path, or a mapping whose options depend on its use.
func items(c *Catalog, pack bool) object {
	names := c.names(pack)
	use := object{"anyOf": []object{{"enum": names}, {"type": "string", "pattern": pathPattern}, {"type": "string", "pattern": variablePattern}}}
	mapping := object{
		"type":                 "object",
		"required":             []string{"use"},
		"additionalProperties": false,
		"properties":           object{"use": use, "with": object{"type": []string{"object", "null"}}},
	}
	var bare []string
	var rules []object
	for _, name := range names {
		component := c.find(name, pack)
		rules = append(rules, withRule(name, component))
		if !hasRequired(component) {
			bare = append(bare, name)
		}
	}
	if len(rules) > 0 {
		mapping["allOf"] = rules
	}
	scalar := object{"anyOf": []object{{"enum": bare}, {"type": "string", "pattern": pathPattern}, {"type": "string", "pattern": variablePattern}}}
	return object{"anyOf": []object{scalar, mapping}}
}

func hasRequired(c *pluginv1.Component) bool {
	for _, o := range c.Options {
		if o.Required {
			return true
		}
	}
	return false
}

// withRule ties the options to one name.
func withRule(name string, c *pluginv1.Component) object {
	properties := object{}
	var required []string
	for _, o := range c.Options {
		s := optionSchema(o)
		s["description"] = o.Doc
		if o.DefaultJson != "" {
			s["default"] = json.RawMessage(o.DefaultJson)
		}
		properties[o.Name] = s
		if o.Required {
			required = append(required, o.Name)
		}
	}
	with := object{"type": []string{"object", "null"}, "additionalProperties": false, "properties": properties}
	then := object{"properties": object{"with": with}}
	if required != nil {
		with["required"], with["type"] = required, "object"
		then["required"] = []string{"with"}
	}
	return object{"if": object{"properties": object{"use": object{"const": name}}}, "then": then}
}

func optionSchema(o *pluginv1.Option) object {
	switch o.Type {
	case pluginv1.Option_TYPE_INT:
		return orVariable(bounded(o, object{"type": "integer"}))
	case pluginv1.Option_TYPE_FLOAT:
		return orVariable(bounded(o, object{"type": "number"}))
	case pluginv1.Option_TYPE_BOOL:
		return orVariable(object{"type": "boolean"})
	case pluginv1.Option_TYPE_STRING_LIST:
		return orVariable(object{"type": "array", "items": stringSchema(o)})
	}
	return stringSchema(o)
}

func stringSchema(o *pluginv1.Option) object {
	if len(o.Values) > 0 {
		return orVariable(object{"enum": o.Values})
	}
	return object{"type": "string"}
}

func bounded(o *pluginv1.Option, s object) object {
	if o.Min != nil {
		s["minimum"] = *o.Min
	}
	if o.Max != nil {
		s["maximum"] = *o.Max
	}
	return s
}
