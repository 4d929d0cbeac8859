package source

import (
	"bytes"
	"path"
	"strings"

	pluginv1 "github.com/repox-dev/repox/sdk/proto"
)

// ClassifyHead is how many bytes of a file Classify looks at.
const ClassifyHead = 16 << 10

// Classify says what sort of file this is, from its path, the beginning of its text and its attributes. What the
// repository itself says in attributes wins, in either direction.
//
// Nothing is hidden for the name of a directory except where that name is the established one for other people's code.
func Classify(name string, head []byte, attrs Attributes) pluginv1.Class {
	head = head[:min(len(head), ClassifyHead)]
	f := newNamed(name)
	switch {
	case attrs.Generated == Set:
		return pluginv1.Class_CLASS_GENERATED
	case attrs.Vendored == Set:
		return pluginv1.Class_CLASS_VENDORED
	case attrs.Documentation == Set:
		return pluginv1.Class_CLASS_DOCUMENTATION
	case attrs.Vendored != Unset && f.isVendored():
		return pluginv1.Class_CLASS_VENDORED
	case attrs.Generated != Unset && f.isMinified(head):
		return pluginv1.Class_CLASS_MINIFIED
	case attrs.Generated != Unset && f.isGenerated(head):
		return pluginv1.Class_CLASS_GENERATED
	case f.isTestName():
		return pluginv1.Class_CLASS_TEST
	case attrs.Documentation != Unset && f.isDocumentation():
		return pluginv1.Class_CLASS_DOCUMENTATION
	case f.inDir(testDirs):
		return pluginv1.Class_CLASS_TEST
	case f.isConfiguration():
		return pluginv1.Class_CLASS_CONFIGURATION
	case sourceExts[f.ext]:
		return pluginv1.Class_CLASS_SOURCE
	}
	return pluginv1.Class_CLASS_OTHER
}

// named is a path in the parts that rules look at, in lower case: .TS is TypeScript as well.
type named struct {
	dirs []string
	// base is the last name, stem the same without its last extension; raw is base as it was written.
	base, stem, ext, raw string
}

func newNamed(name string) named {
	raw := path.Base(name)
	base := strings.ToLower(raw)
	f := named{base: base, raw: raw, ext: strings.TrimPrefix(path.Ext(base), ".")}
	f.stem = strings.TrimSuffix(base, path.Ext(base))
	if dir := path.Dir(name); dir != "." {
		f.dirs = strings.Split(strings.ToLower(dir), "/")
	}
	return f
}

func (f named) inDir(names map[string]bool) bool {
	for _, d := range f.dirs {
		if names[d] {
			return true
		}
	}
	return false
}

func (f named) isVendored() bool { return f.inDir(vendorDirs) || vendorFiles[f.base] }

func (f named) isTestName() bool {
	stem, raw := f.stem, strings.TrimSuffix(f.raw, path.Ext(f.raw))
	switch f.ext {
	case "go":
		return strings.HasSuffix(stem, "_test")
	case "py", "pyi":
		return strings.HasPrefix(stem, "test_") || strings.HasSuffix(stem, "_test") || stem == "conftest" || stem == "tests"
	case "ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs", "vue", "svelte":
		kind := strings.TrimPrefix(path.Ext(stem), ".")
		return kind == "test" || kind == "spec" || kind == "cy" || kind == "e2e" || kind == "stories"
	case "rs":
		return stem == "tests" || stem == "test" || strings.HasSuffix(stem, "_test") || strings.HasSuffix(stem, "_tests")
	case "rb":
		return strings.HasSuffix(stem, "_test") || strings.HasSuffix(stem, "_spec")
	case "java", "kt", "cs", "scala", "swift", "php", "groovy":
		return strings.HasSuffix(raw, "Test") || strings.HasSuffix(raw, "Tests") || strings.HasSuffix(raw, "Spec")
	case "c", "cc", "cpp", "cxx", "exs", "dart", "sh", "lua", "ex":
		return strings.HasSuffix(stem, "_test") || strings.HasSuffix(stem, "_tests") || strings.HasSuffix(stem, "_unittest")
	}
	return false
}

func (f named) isDocumentation() bool {
	if docExts[f.ext] || docNames[f.stem] && (f.ext == "" || f.ext == "txt") || docNames[f.base] {
		return true
	}
	return f.ext == "txt" && f.inDir(docDirs)
}

func (f named) isConfiguration() bool {
	switch {
	case configExts[f.ext] || configNames[f.base]:
		return true
	case strings.HasPrefix(f.base, "dockerfile"), strings.HasPrefix(f.base, "requirements") && f.ext == "txt":
		return true
	case strings.HasPrefix(f.base, ".") && (strings.HasSuffix(f.stem, "rc") || strings.HasSuffix(f.base, "rc") || strings.HasPrefix(f.base, ".env")):
		return true
	}
	// eslint.config.js and its like configure a tool in the language of the project.
	return strings.HasSuffix(f.stem, ".config") && sourceExts[f.ext]
}

// longLine is the average length from which a script or style sheet counts as made for machines.
const longLine = 200

func (f named) isMinified(head []byte) bool {
	switch f.ext {
	case "js", "mjs", "cjs", "css":
	default:
		return false
	}
	if strings.HasSuffix(f.stem, ".min") || strings.HasSuffix(f.stem, "-min") {
		return true
	}
	if len(head) < 4*longLine {
		return false
	}
	lines := bytes.Count(head, []byte{'\n'}) + 1
	return len(head)/lines > longLine
}
