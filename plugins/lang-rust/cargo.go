package langrust

import (
	"maps"
	"slices"
	"sort"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/repox-dev/repox/sdk/treepath"
)

// cargo is what a Cargo.toml says that matters to paths.
type cargo struct {
	dir  string // "" for the root
	name string // of the package; empty for a bare workspace
	// crate is the name that code knows the library by.
	crate     string
	library   string // the file of the library's root
	targets   []string
	workspace bool
	// edition is empty if the workspace says it; sharedEdition is what it says.
	edition, sharedEdition string
	// manual are the folders whose files Cargo was told not to take for targets.
	manual map[string]bool
	// patches are packages that stand for those of a registry, by name.
	patches map[string]dependency
	// dependencies are known by the names that code uses; shared are those that members of the workspace may inherit.
	dependencies, shared map[string]dependency
}

type dependency struct {
	key, name string
	dir       string // of the repository, empty if a version is asked for
	inherited bool
}

type manifest struct {
	Package struct {
		Name         string `toml:"name"`
		Edition      any    `toml:"edition"` // a table if the workspace says it
		Build        any    `toml:"build"`   // a path, or whether there is a script
		AutoBins     *bool  `toml:"autobins"`
		AutoTests    *bool  `toml:"autotests"`
		AutoExamples *bool  `toml:"autoexamples"`
		AutoBenches  *bool  `toml:"autobenches"`
	} `toml:"package"`
	Lib       target                    `toml:"lib"`
	Bin       []target                  `toml:"bin"`
	Test      []target                  `toml:"test"`
	Example   []target                  `toml:"example"`
	Bench     []target                  `toml:"bench"`
	Target    map[string]tables         `toml:"target"`
	Patch     map[string]map[string]any `toml:"patch"`
	Workspace *struct {
		Package struct {
			Edition string `toml:"edition"`
		} `toml:"package"`
		Dependencies map[string]any `toml:"dependencies"`
	} `toml:"workspace"`
	tables
}

type target struct {
	Name string `toml:"name"`
	Path string `toml:"path"`
}

type tables struct {
	Normal map[string]any `toml:"dependencies"`
	Dev    map[string]any `toml:"dev-dependencies"`
	Build  map[string]any `toml:"build-dependencies"`
}

// readManifests gives the packages and workspaces, deepest folder first: a file is of the nearest.
func readManifests(contents map[string][]byte) []*cargo {
	var all []*cargo
	for _, p := range slices.Sorted(maps.Keys(contents)) {
		var m manifest
		if err := toml.Unmarshal(contents[p], &m); err != nil {
			continue // a broken Cargo.toml is the repository's own business; its imports just lead nowhere
		}
		all = append(all, m.cargo(treepath.Dir(p)))
	}
	sort.SliceStable(all, func(i, j int) bool { return len(all[i].dir) > len(all[j].dir) })
	return all
}

func (m *manifest) cargo(dir string) *cargo {
	c := &cargo{dir: dir, name: m.Package.Name, crate: crateName(m.Package.Name), dependencies: map[string]dependency{}}
	if m.Lib.Name != "" {
		c.crate = crateName(m.Lib.Name)
	}
	c.library = treepath.Join(dir, "src/lib.rs")
	if m.Lib.Path != "" {
		c.library = treepath.Join(dir, m.Lib.Path)
	}
	c.addTargets("src/bin", m.Bin, m.Package.AutoBins)
	c.addTargets("tests", m.Test, m.Package.AutoTests)
	c.addTargets("examples", m.Example, m.Package.AutoExamples)
	c.addTargets("benches", m.Bench, m.Package.AutoBenches)
	if script, ok := m.Package.Build.(string); ok {
		c.targets = append(c.targets, treepath.Join(dir, script))
	}
	switch edition := m.Package.Edition.(type) {
	case string:
		c.edition = edition
	case nil:
		c.edition = "2015"
	}
	c.patches = map[string]dependency{}
	for _, table := range m.Patch {
		for key, value := range table {
			if d := c.read(key, value); d.dir != "" {
				c.patches[d.name] = d
			}
		}
	}
	c.add(c.dependencies, m.tables)
	for _, t := range m.Target {
		c.add(c.dependencies, t)
	}
	if m.Workspace != nil {
		c.workspace = true
		c.sharedEdition = m.Workspace.Package.Edition
		c.shared = map[string]dependency{}
		for key, value := range m.Workspace.Dependencies {
			c.shared[key] = c.read(key, value)
		}
	}
	return c
}

// addTargets adds the roots that a manifest lists. Without a path, Cargo looks for them by their names.
func (c *cargo) addTargets(dir string, listed []target, auto *bool) {
	if auto != nil && !*auto {
		if c.manual == nil {
			c.manual = map[string]bool{}
		}
		c.manual[dir] = true
	}
	for _, t := range listed {
		if t.Path == "" {
			t.Path = dir + "/" + t.Name + ".rs"
		}
		c.targets = append(c.targets, treepath.Join(c.dir, t.Path))
	}
}

func (c *cargo) add(into map[string]dependency, t tables) {
	for _, table := range []map[string]any{t.Normal, t.Dev, t.Build} {
		for key, value := range table {
			into[crateName(key)] = c.read(key, value)
		}
	}
}

// read reads a dependency, which is a version or a table.
func (c *cargo) read(key string, value any) dependency {
	d := dependency{key: key, name: key}
	table, ok := value.(map[string]any)
	if !ok {
		return d
	}
	if name, ok := table["package"].(string); ok {
		d.name = name
	}
	if p, ok := table["path"].(string); ok {
		// The mark at the front tells the repository's root from no folder at all.
		d.dir = "./" + treepath.Join(c.dir, p)
	}
	d.inherited, _ = table["workspace"].(bool)
	return d
}

// crateName is a package's name as code writes it.
func crateName(name string) string { return strings.ReplaceAll(name, "-", "_") }
