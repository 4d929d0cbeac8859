package langrust

import (
	"context"
	"path"
	"sort"
	"strings"

	"github.com/repox-dev/repox/sdk"
	"github.com/repox-dev/repox/sdk/tag"
	"github.com/repox-dev/repox/sdk/treepath"
)

// resolver ties paths to the files of modules. A module is known by the folder that its own modules lie in: shelf for
// shelf.rs and for shelf/mod.rs. The roots of crates share their folder with their modules.
type resolver struct {
	files    map[string][]uint32 // by path, one each
	paths    map[uint32]string
	modules  map[string]string // module folder → file
	roots    map[string]bool   // files that are the root of a crate
	rootsIn  map[string]string // folder → the root that modules in it most likely belong to
	packages []*cargo          // deepest folder first
	byName   map[string]*cargo // by the name that other crates know the library by
	known    map[question][]uint32
}

type question struct {
	file uint32
	path string
}

// location is a module on the way along a path: the last file met and the folder of the module itself, which has no
// file if the module is inline.
type location struct {
	file, dir string
}

// resolve implements sdk.Pack.Resolve.
func resolve(_ context.Context, repo *sdk.Repository) (sdk.Resolver, error) {
	r := &resolver{
		files: map[string][]uint32{}, paths: map[uint32]string{}, modules: map[string]string{}, roots: map[string]bool{},
		rootsIn: map[string]string{}, byName: map[string]*cargo{}, known: map[question][]uint32{},
	}
	for _, f := range repo.Files {
		r.files[f.Path] = []uint32{f.File}
		r.paths[f.File] = f.Path
	}
	r.packages = readManifests(repo.Manifests)
	r.findRoots()
	r.findModules()
	return func(file uint32, imp tag.Import) []uint32 {
		q := question{file, fullPath(imp)}
		files, ok := r.known[q]
		if !ok {
			files = r.files[r.find(r.paths[file], q.path)]
			r.known[q] = files
		}
		return files
	}, nil
}

// fullPath joins the module of an import and its name; see finishImports for the forms of Local.
func fullPath(imp tag.Import) string {
	module := imp.Module
	if bound, ok := strings.CutPrefix(imp.Local, "::"); ok {
		module = bound
	}
	if strings.HasPrefix(imp.Local, "self::") || strings.HasPrefix(imp.Local, "./") {
		module = imp.Local
	}
	if len(imp.Names) != 1 {
		return module
	}
	name, _, _ := strings.Cut(imp.Names[0], " as ")
	if name == "*" || name == "self" {
		return module
	}
	return module + "::" + name
}

// sorted gives the paths of all files, so that of two files for one thing always the same is taken.
func (r *resolver) sorted() []string {
	all := make([]string, 0, len(r.files))
	for p := range r.files {
		all = append(all, p)
	}
	sort.Strings(all)
	return all
}

func (r *resolver) findRoots() {
	for _, p := range r.sorted() {
		if base := path.Base(p); base == "lib.rs" || base == "main.rs" || r.isTarget(p) {
			r.roots[p] = true
		}
	}
	for _, c := range r.packages {
		for _, t := range append([]string{c.library}, c.targets...) {
			if r.files[t] != nil {
				r.roots[t] = true
			}
		}
		if r.files[c.library] != nil {
			r.rootsIn[treepath.Dir(c.library)] = c.library
			if r.byName[c.crate] == nil {
				r.byName[c.crate] = c
			}
		}
	}
	for _, p := range r.sorted() { // lib.rs comes before main.rs
		if dir := treepath.Dir(p); r.roots[p] && r.rootsIn[dir] == "" {
			r.rootsIn[dir] = p
		}
	}
}

// isTarget tells whether Cargo takes a file for a root by its place in the package.
func (r *resolver) isTarget(p string) bool {
	c := r.packageOf(p)
	if c == nil {
		return false
	}
	rest := strings.TrimPrefix(strings.TrimPrefix(p, c.dir), "/")
	if rest == "build.rs" {
		return true
	}
	switch dir := treepath.Dir(rest); dir {
	case "src/bin", "tests", "examples", "benches":
		return path.Base(rest) != "mod.rs" && !c.manual[dir]
	}
	return false
}

func (r *resolver) findModules() {
	for _, p := range r.sorted() {
		if r.roots[p] {
			continue
		}
		if dir := moduleFolder(p); r.modules[dir] == "" {
			r.modules[dir] = p
		}
	}
}

// moduleFolder is the folder that the modules of a file that is no root lie in.
func moduleFolder(p string) string {
	if path.Base(p) == "mod.rs" {
		return treepath.Dir(p)
	}
	return strings.TrimSuffix(p, ".rs")
}

func (r *resolver) locate(file string) location {
	if r.roots[file] {
		return location{file, treepath.Dir(file)}
	}
	return location{file, moduleFolder(file)}
}

// find gives the file that holds what a path means in a file, empty if that is outside.
func (r *resolver) find(from, p string) string {
	if file, ok := strings.CutPrefix(p, "./"); ok {
		if target := treepath.Join(treepath.Dir(from), file); r.files[target] != nil {
			return target
		}
		return treepath.Join(moduleFolder(from), file)
	}
	path := strings.Split(p, "::")
	for len(path) > 1 && path[len(path)-1] == "" {
		path = path[:len(path)-1]
	}
	here := r.locate(from)
	switch path[0] {
	case "crate", "$crate":
		return r.walk(r.locate(r.rootOf(from)), path[1:])
	case "self":
		return r.relative(here, path[1:])
	case "super":
		return r.relative(here, path)
	}
	if _, ok := r.modules[treepath.Join(here.dir, path[0])]; ok {
		return r.walk(here, path)
	}
	if root := r.crate(from, path[0]); root != "" {
		return r.walk(r.locate(root), path[1:])
	}
	if r.isShared(here, path[0]) {
		return r.walk(here, path)
	}
	// In the edition of 2015, paths start at the root of the crate.
	if !r.startsAtRoot(from) {
		return ""
	}
	root := r.locate(r.rootOf(from))
	if _, ok := r.modules[treepath.Join(root.dir, path[0])]; ok {
		return r.walk(root, path)
	}
	return ""
}

// isShared tells whether a name means a file that is a target, such as tests/common.rs, and a module of others as well.
func (r *resolver) isShared(here location, name string) bool {
	file := treepath.Join(here.dir, name) + ".rs"
	if r.files[file] == nil || !r.roots[here.file] || here.file == file || standard[name] || !r.isTarget(file) {
		return false
	}
	_, dependency := r.packageOf(file).dependencies[name]
	return !dependency
}

// standard are the crates that come with the compiler.
var standard = map[string]bool{"std": true, "core": true, "alloc": true, "proc_macro": true, "test": true}

// startsAtRoot tells whether paths of uses start at the root of the crate, as they did in the edition of 2015.
func (r *resolver) startsAtRoot(file string) bool {
	c := r.packageOf(file)
	if c == nil {
		return true
	}
	edition := c.edition
	if w := r.workspaceOf(c); edition == "" && w != nil {
		edition = w.sharedEdition
	}
	return edition == "2015"
}

// relative follows a path that may begin with super.
func (r *resolver) relative(at location, path []string) string {
	for len(path) > 0 && path[0] == "super" {
		if r.roots[at.file] {
			return ""
		}
		dir := treepath.Dir(at.dir)
		file := r.modules[dir]
		if root := r.rootsIn[dir]; root != "" {
			file = root
		}
		if file == "" {
			return ""
		}
		at, path = location{file, dir}, path[1:]
	}
	return r.walk(at, path)
}

// walk follows a path downwards as far as there are files; what follows then is inline or no module.
func (r *resolver) walk(at location, path []string) string {
	for _, name := range path {
		if r.isShared(at, name) {
			at.file = treepath.Join(at.dir, name) + ".rs"
		}
		at.dir = treepath.Join(at.dir, name)
		if file := r.modules[at.dir]; file != "" {
			at.file = file
		}
	}
	return at.file
}

// rootOf gives the root of the crate that a file belongs to, as far as places tell.
func (r *resolver) rootOf(file string) string {
	if r.roots[file] {
		return file
	}
	for dir := treepath.Dir(file); ; dir = treepath.Dir(dir) {
		if root := r.rootsIn[dir]; root != "" {
			return root
		}
		if dir == "" {
			return file
		}
	}
}

// crate gives the root of the library that a file's package knows by a name.
func (r *resolver) crate(from, name string) string {
	own := r.packageOf(from)
	if own == nil {
		return ""
	}
	if d, ok := own.dependencies[name]; ok {
		return r.dependency(own, d)
	}
	if own.crate == name && r.files[own.library] != nil && r.rootOf(from) != own.library {
		return own.library
	}
	return ""
}

func (r *resolver) dependency(own *cargo, d dependency) string {
	if d.inherited {
		if w := r.workspaceOf(own); w != nil {
			if outer, ok := w.shared[d.key]; ok {
				return r.dependency(w, outer)
			}
		}
	}
	if d.dir != "" {
		for _, c := range r.packages {
			if c.dir == strings.TrimPrefix(d.dir, "./") && r.files[c.library] != nil {
				return c.library
			}
		}
		return ""
	}
	// A version is of a registry, unless a patch or a folder of vendored packages stands for that.
	if w := r.workspaceOf(own); w != nil {
		own = w
	}
	if patch, ok := own.patches[d.name]; ok {
		return r.dependency(own, patch)
	}
	for _, c := range r.packages {
		if c.name == d.name && r.files[c.library] != nil && path.Base(treepath.Dir(c.dir)) == "vendor" {
			return c.library
		}
	}
	return ""
}

// packageOf gives the package that a file belongs to, nil if there is none.
func (r *resolver) packageOf(file string) *cargo {
	for _, c := range r.packages {
		if c.name != "" && treepath.Within(c.dir, file) {
			return c
		}
	}
	return nil
}

func (r *resolver) workspaceOf(c *cargo) *cargo {
	for _, w := range r.packages {
		if w.workspace && (w.dir == c.dir || treepath.Within(w.dir, c.dir)) {
			return w
		}
	}
	return nil
}
