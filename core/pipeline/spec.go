package pipeline

import "slices"

// valueKind is the type that a key of the pipeline file wants.
type valueKind int

const (
	stringValue valueKind = iota
	stringListValue
	intValue
	boolValue
	enumValue
	sizeValue
	durationValue
	mappingValue
	packsValue
	stagesValue
)

// keySpec declares a key of the pipeline file. Checker and JSON Schema are both made from it.
type keySpec struct {
	name   string
	kind   valueKind
	doc    string
	values []string
	keys   []*keySpec
}

var topKeys = []*keySpec{
	{name: "version", kind: intValue, doc: "Version of the file's form. It is 1."},
	{name: "extends", kind: stringValue, doc: "A built-in pipeline, or the path of a file, whose keys this one overrides."},
	{name: "source", kind: mappingValue, doc: "What is read.", keys: []*keySpec{
		{name: "path", kind: stringValue, doc: "The directory, relative to this file."},
		{name: "include", kind: stringListValue, doc: "Globs of the files to read; none means every file."},
		{name: "exclude", kind: stringListValue, doc: "Globs of files to leave out."},
		{name: "rev", kind: stringValue, doc: "A commit to read instead of the work tree."},
		{name: "max_file_bytes", kind: sizeValue, doc: "Larger files are skipped: a number of bytes, or a size such as 2MiB."},
	}},
	{name: "languages", kind: packsValue, doc: "Language packs: names, paths of executables, or {use, with}."},
	{name: "stages", kind: stagesValue, doc: "Stages in their order: names, paths of executables, or {use, with}."},
	{name: "verify", kind: enumValue, values: []string{"require", "warn", "off"}, doc: "What a language pack gets that does not pass its fixtures: the run ends with status 3, a warning, or nothing. A build that passed is remembered; with warn, built-in packs are taken as verified by the program's own tests."},
	{name: "cache", kind: boolValue, doc: "Whether derived data is kept between runs."},
	{name: "limits", kind: mappingValue, doc: "What a run may spend.", keys: []*keySpec{
		{name: "file", kind: mappingValue, doc: "For one file of a language pack.", keys: limitKeys},
		{name: "stage", kind: mappingValue, doc: "For one stage, or for the process of a language pack.", keys: limitKeys},
	}},
	{name: "allow_unredacted", kind: boolValue, doc: "Lets text leave that no redacting stage has passed. Every run warns."},
}

var limitKeys = []*keySpec{
	{name: "time", kind: durationValue, doc: "A duration such as 10s."},
	{name: "memory", kind: sizeValue, doc: "A number of bytes, or a size such as 512MiB."},
}

// keySpecs holds the keys of the file by name.
var keySpecs = func() map[string]*keySpec {
	m := map[string]*keySpec{}
	for _, k := range topKeys {
		m[k.name] = k
	}
	return m
}()

func findKey(keys []*keySpec, name string) *keySpec {
	i := slices.IndexFunc(keys, func(k *keySpec) bool { return k.name == name })
	if i < 0 {
		return nil
	}
	return keys[i]
}

func keyNames(keys []*keySpec) []string {
	var out []string
	for _, k := range keys {
		out = append(out, k.name)
	}
	return out
}
