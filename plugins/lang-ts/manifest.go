package langts

import (
	"encoding/json"
	"path"
	"sort"
	"strings"

	"github.com/repox-dev/repox/sdk/treepath"
)

// config is what a tsconfig.json says of paths, with what it extends.
type config struct {
	baseURL string // "" for the root; only if hasBase
	hasBase bool
	paths   map[string][]string // targets are paths of the repository
}

// maxExtends bounds chains of configurations that extend each other.
const maxExtends = 16

type rawConfig struct {
	Extends         any `json:"extends"`
	CompilerOptions struct {
		BaseURL *string             `json:"baseUrl"`
		Paths   map[string][]string `json:"paths"`
	} `json:"compilerOptions"`
}

func readConfig(manifests map[string][]byte, p string, depth int) *config {
	content, ok := manifests[p]
	var raw rawConfig
	if !ok || depth > maxExtends || json.Unmarshal(plainJSON(content), &raw) != nil {
		// A broken configuration is the repository's own business; its imports just lead nowhere.
		return &config{}
	}
	c := &config{}
	for _, e := range texts(raw.Extends) {
		c.inherit(readConfig(manifests, extended(manifests, treepath.Dir(p), e), depth+1))
	}
	if raw.CompilerOptions.BaseURL != nil {
		c.baseURL, c.hasBase = path.Join(treepath.Dir(p), *raw.CompilerOptions.BaseURL), true
	}
	if raw.CompilerOptions.Paths != nil {
		base := treepath.Dir(p)
		if c.hasBase {
			base = c.baseURL
		}
		c.paths = map[string][]string{}
		for pattern, targets := range raw.CompilerOptions.Paths {
			for _, t := range targets {
				c.paths[pattern] = append(c.paths[pattern], path.Join(base, t))
			}
		}
	}
	return c
}

func (c *config) inherit(from *config) {
	if from.hasBase {
		c.baseURL, c.hasBase = from.baseURL, true
	}
	if from.paths != nil {
		c.paths = from.paths
	}
}

// extended is the path of a configuration that another one extends. Only manifests are at hand, so a configuration of
// another name is not found.
func extended(manifests map[string][]byte, dir, name string) string {
	p := path.Join(dir, name)
	for _, q := range []string{p, p + ".json", path.Join(p, "tsconfig.json")} {
		if _, ok := manifests[q]; ok {
			return q
		}
	}
	return ""
}

// candidates gives the paths that a configuration has for a module name; the longest fitting prefix counts.
func (c *config) candidates(module string) []string {
	best, longest := "", -1
	for pattern := range c.paths {
		prefix, suffix, star := strings.Cut(pattern, "*")
		switch {
		case !star && pattern == module:
			best, longest = pattern, len(module)+1
		case star && len(prefix) > longest && len(module) >= len(prefix)+len(suffix) &&
			strings.HasPrefix(module, prefix) && strings.HasSuffix(module, suffix):
			best, longest = pattern, len(prefix)
		}
	}
	var out []string
	if longest >= 0 {
		out = filled(best, module, c.paths[best])
	}
	if c.hasBase {
		out = append(out, path.Join(c.baseURL, module))
	}
	return out
}

// filled puts what the star of a pattern stands for into its targets.
func filled(pattern, name string, targets []string) []string {
	prefix, suffix, star := strings.Cut(pattern, "*")
	if !star {
		return targets
	}
	middle := name[len(prefix) : len(name)-len(suffix)]
	var out []string
	for _, t := range targets {
		out = append(out, strings.ReplaceAll(t, "*", middle))
	}
	return out
}

// configOf is the configuration of the nearest folder that has one.
func (r *resolver) configOf(dir string) *config {
	for {
		if c, ok := r.configs[dir]; ok || dir == "" {
			return c
		}
		dir = treepath.Dir(dir)
	}
}

// pkg is a package.json with a name or entries.
type pkg struct {
	dir     string
	Name    string         `json:"name"`
	Source  any            `json:"source"`
	Main    any            `json:"main"`
	Module  any            `json:"module"`
	Types   any            `json:"types"`
	Typings any            `json:"typings"`
	Exports any            `json:"exports"`
	Imports map[string]any `json:"imports"`
}

func readPackage(p string, content []byte) (pkg, bool) {
	m := pkg{dir: treepath.Dir(p)}
	err := json.Unmarshal(plainJSON(content), &m)
	return m, err == nil
}

// inPackages finds a module by the names of the packages that lie in the repository.
func (r *resolver) inPackages(module string) []uint32 {
	for _, m := range r.packages {
		rest, ok := strings.CutPrefix(module, m.Name)
		if !ok || m.Name == "" || rest != "" && rest[0] != '/' {
			continue
		}
		for _, t := range m.entry("." + rest) {
			for _, s := range sourcePaths(t) {
				if files := r.file(path.Join(m.dir, s)); files != nil {
					return files
				}
			}
		}
		for _, d := range []string{"", "src", "lib"} {
			if files := r.at(path.Join(m.dir, d), "."+rest); files != nil {
				return files
			}
		}
	}
	return nil
}

// ownImport follows the imports field of the nearest package.
func (r *resolver) ownImport(dir, module string) []uint32 {
	for _, m := range r.packages {
		if m.dir != "" && m.dir != dir && !strings.HasPrefix(dir, m.dir+"/") {
			continue
		}
		for _, t := range matching(m.Imports, module) {
			for _, s := range sourcePaths(t) {
				if files := r.file(path.Join(m.dir, s)); files != nil {
					return files
				}
			}
		}
	}
	return nil
}

// sourcePaths gives a target and the sources that a build most likely made it of.
func sourcePaths(target string) []string {
	out := []string{target}
	parts := strings.Split(path.Clean(target), "/")
	switch parts[0] {
	case "dist", "build", "lib", "out", "esm", "cjs":
		for i := 1; i < len(parts); i++ {
			rest := path.Join(parts[i:]...)
			rest = strings.TrimSuffix(strings.TrimSuffix(rest, ".d.ts"), ".min.js")
			out = append(out, path.Join("src", rest), rest)
		}
	}
	return out
}

// entry gives the targets of a subpath of a package, "." for the package itself.
func (m *pkg) entry(sub string) []string {
	var out []string
	if table, ok := m.Exports.(map[string]any); ok && hasSubpaths(table) {
		out = matching(table, sub)
	} else if sub == "." {
		out = texts(m.Exports)
	}
	if sub == "." {
		for _, field := range []any{m.Source, m.Types, m.Typings, m.Module, m.Main} {
			out = append(out, texts(field)...)
		}
	}
	return out
}

func hasSubpaths(table map[string]any) bool {
	for k := range table {
		return strings.HasPrefix(k, ".")
	}
	return false
}

// matching gives the targets of a name in a table of exports or imports; the longest fitting key counts.
func matching(table map[string]any, name string) []string {
	if v, ok := table[name]; ok {
		return texts(v)
	}
	c := config{paths: map[string][]string{}}
	for k, v := range table {
		if strings.Contains(k, "*") {
			c.paths[k] = texts(v)
		}
	}
	return c.candidates(name)
}

// texts collects the strings in a JSON value: a path, a list, or conditions, of which those for sources come first.
func texts(v any) []string {
	switch v := v.(type) {
	case string:
		return []string{v}
	case []any:
		var out []string
		for _, e := range v {
			out = append(out, texts(e)...)
		}
		return out
	case map[string]any:
		keys := make([]string, 0, len(v))
		for k := range v {
			keys = append(keys, k)
		}
		rank := map[string]int{"source": -4, "types": -3, "import": -2, "default": -1}
		sort.Slice(keys, func(i, j int) bool {
			if a, b := rank[keys[i]], rank[keys[j]]; a != b {
				return a < b
			}
			return keys[i] < keys[j]
		})
		var out []string
		for _, k := range keys {
			out = append(out, texts(v[k])...)
		}
		return out
	}
	return nil
}

// plainJSON takes comments and trailing commas out of JSON, which configurations may have.
func plainJSON(src []byte) []byte {
	src = []byte(strings.TrimPrefix(string(src), "\ufeff"))
	out := make([]byte, 0, len(src))
	for i := 0; i < len(src); i++ {
		switch c := src[i]; {
		case c == '"':
			end := i + 1
			for end < len(src) && src[end] != '"' {
				if src[end] == '\\' {
					end++
				}
				end++
			}
			end = min(end+1, len(src))
			out = append(out, src[i:end]...)
			i = end - 1
		case c == '/' && i+1 < len(src) && (src[i+1] == '/' || src[i+1] == '*'):
			i += int(blank(src[i:])) - 1
		case c == ',':
			if next := i + 1 + int(blank(src[i+1:])); next < len(src) && (src[next] == '}' || src[next] == ']') {
				continue
			}
			out = append(out, c)
		default:
			out = append(out, c)
		}
	}
	return out
}
