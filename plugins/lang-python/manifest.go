package langpython

import (
	"path"
	"regexp"

	"github.com/pelletier/go-toml/v2"
)

// rootKeys are the places of a pyproject.toml where build backends and test runners name source folders.
var rootKeys = [][]string{
	{"tool", "setuptools", "package-dir", ""},
	{"tool", "setuptools", "packages", "find", "where"},
	{"tool", "poetry", "packages", "from"},
	{"tool", "pdm", "build", "package-dir"},
	{"tool", "uv", "build-backend", "module-root"},
	{"tool", "maturin", "python-source"},
	{"tool", "hatch", "build", "sources"},
	{"tool", "pytest", "ini_options", "pythonpath"},
	{"tool", "pyright", "extraPaths"},
}

// packageKeys are those where packages are named by their folders.
var packageKeys = [][]string{
	{"tool", "hatch", "build", "packages"},
	{"tool", "hatch", "build", "targets", "wheel", "packages"},
}

// setup.cfg and setup.py are read by what they nearly always look like: one has a format of its own, the other is a
// program.
var (
	configRoots = regexp.MustCompile(`(?m)^(?:\s+=|package_dir\s*=\s*=|where\s*=|pythonpath\s*=)\s*([\w./-]+)\s*$`)
	scriptRoots = regexp.MustCompile(`(?:package_dir\s*=\s*\{\s*(?:""|'')\s*:|find_(?:namespace_)?packages\(\s*(?:where\s*=)?)\s*["']([\w./-]+)["']`)
)

// declaredRoots gives the source folders that a manifest names, relative to it.
func declaredRoots(name string, content []byte) []string {
	switch name {
	case "pyproject.toml":
		return tomlRoots(content)
	case "setup.cfg":
		return submatches(configRoots, content)
	case "setup.py":
		return submatches(scriptRoots, content)
	}
	return nil
}

func submatches(re *regexp.Regexp, content []byte) []string {
	var out []string
	for _, m := range re.FindAllSubmatch(content, -1) {
		out = append(out, string(m[1]))
	}
	return out
}

func tomlRoots(content []byte) []string {
	var doc map[string]any
	if toml.Unmarshal(content, &doc) != nil {
		// A broken manifest is the repository's own business; its src folder is looked at all the same.
		return nil
	}
	var out []string
	for _, keys := range rootKeys {
		out = append(out, texts(doc, keys)...)
	}
	for _, keys := range packageKeys {
		for _, p := range texts(doc, keys) {
			out = append(out, path.Dir(p))
		}
	}
	return out
}

// texts gives the strings at a path of keys. Lists stand for each of their items.
func texts(value any, keys []string) []string {
	switch v := value.(type) {
	case string:
		if len(keys) == 0 {
			return []string{v}
		}
	case map[string]any:
		if len(keys) > 0 {
			return texts(v[keys[0]], keys[1:])
		}
	case []any:
		var out []string
		for _, item := range v {
			out = append(out, texts(item, keys)...)
		}
		return out
	}
	return nil
}
