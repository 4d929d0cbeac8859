package pipeline

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	pluginv1 "github.com/repox-dev/repox/sdk/proto"
)

// Reference writes the keys of the pipeline file and the options of the built-in components as Markdown. It is made from
// the same declarations as the checker and the schema.
func Reference(c *Catalog) []byte {
	var b bytes.Buffer
	b.WriteString("## Keys\n\n| key | value | meaning |\n|---|---|---|\n")
	writeKeys(&b, "", topKeys)
	for _, pack := range []bool{true, false} {
		title := "Stages"
		if pack {
			title = "Language packs"
		}
		fmt.Fprintf(&b, "\n## %s\n", title)
		for _, component := range c.builtin {
			if (component.Pack != nil) == pack {
				writeComponent(&b, component)
			}
		}
	}
	return b.Bytes()
}

func writeKeys(b *bytes.Buffer, prefix string, keys []*keySpec) {
	for _, k := range keys {
		fmt.Fprintf(b, "| `%s%s` | %s | %s |\n", prefix, k.name, valueName(k), k.doc)
		writeKeys(b, prefix+k.name+".", k.keys)
	}
}

func valueName(k *keySpec) string {
	switch k.kind {
	case stringListValue:
		return "list of strings"
	case intValue:
		return "integer"
	case boolValue:
		return "boolean"
	case enumValue:
		return "`" + strings.Join(k.values, "`, `") + "`"
	case sizeValue:
		return "size"
	case durationValue:
		return "duration"
	case mappingValue:
		return "mapping"
	case packsValue, stagesValue:
		return "list of items"
	}
	return "string"
}

func writeComponent(b *bytes.Buffer, c *pluginv1.Component) {
	fmt.Fprintf(b, "\n### %s\n\n%s\n\n", c.Name, c.Doc)
	if c.Pack != nil {
		for _, l := range c.Pack.Languages {
			fmt.Fprintf(b, "Reads %s: %s.\n", l.Name, strings.Join(slices.Concat(l.Extensions, l.Filenames), ", "))
		}
	}
	if c.Stage != nil {
		fmt.Fprintf(b, "Consumes %s. Produces %s.\n", useNames(c.Stage.Consumes), useNames(c.Stage.Produces))
	}
	if len(c.Options) == 0 {
		return
	}
	b.WriteString("\n| option | value | default | meaning |\n|---|---|---|---|\n")
	for _, o := range c.Options {
		fmt.Fprintf(b, "| `%s` | %s | %s | %s |\n", o.Name, optionValue(o), optionDefault(o), o.Doc)
	}
}

func useNames(uses []*pluginv1.SectionUse) string {
	var out []string
	for _, u := range uses {
		name := u.Section
		var marks []string
		if u.Clean {
			marks = append(marks, "redacted")
		}
		if u.Optional {
			marks = append(marks, "optional")
		}
		if marks != nil {
			name += " (" + strings.Join(marks, ", ") + ")"
		}
		out = append(out, name)
	}
	return strings.Join(out, ", ")
}

func optionValue(o *pluginv1.Option) string {
	if len(o.Values) > 0 {
		return "`" + strings.Join(o.Values, "`, `") + "`"
	}
	name := map[pluginv1.Option_Type]string{
		pluginv1.Option_TYPE_INT: "integer", pluginv1.Option_TYPE_FLOAT: "number", pluginv1.Option_TYPE_BOOL: "boolean",
		pluginv1.Option_TYPE_STRING_LIST: "list of strings",
	}[o.Type]
	if name == "" {
		name = "string"
	}
	if o.Min != nil {
		name += fmt.Sprintf(", at least %v", *o.Min)
	}
	if o.Max != nil {
		name += fmt.Sprintf(", at most %v", *o.Max)
	}
	return name
}

func optionDefault(o *pluginv1.Option) string {
	switch {
	case o.Required:
		return "required"
	case o.DefaultJson == "" || o.DefaultJson == `""`:
		return ""
	}
	return "`" + o.DefaultJson + "`"
}
