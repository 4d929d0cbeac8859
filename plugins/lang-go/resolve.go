package langgo

import (
	"context"
	"path"
	"sort"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/repox-dev/repox/sdk"
	"github.com/repox-dev/repox/sdk/tag"
	"github.com/repox-dev/repox/sdk/treepath"
)

// module is a go.mod inside the repository.
type module struct {
	dir  string // "" for the root
	path string
	// replace maps module paths to folders of the repository.
	replace map[string]string
}

// resolver ties Go import paths to the folders of a repository, in the way the go command does: the standard library's
// own tree, the vendor folder of the importing module, the module itself, local replacements, and workspace members.
type resolver struct {
	// packages holds the files of each folder that may be imported, without tests.
	packages map[string][]uint32
	dirOf    map[uint32]string
	modules  []module // deepest folder first
	// workspace are the modules that a go.work uses, by the folder of the go.work.
	workspaces []workspace
	vendors    map[string]bool // folders that hold a vendor/modules.txt
	known      map[question][]uint32
}

type workspace struct {
	dir     string
	members []module
	replace map[string]string
}

type question struct {
	dir, imp string
}

// resolve implements sdk.Pack.Resolve.
func resolve(_ context.Context, repo *sdk.Repository) (sdk.Resolver, error) {
	r := &resolver{
		packages: map[string][]uint32{}, dirOf: map[uint32]string{}, vendors: map[string]bool{}, known: map[question][]uint32{},
	}
	for _, f := range repo.Files {
		dir := treepath.Dir(f.Path)
		r.dirOf[f.File] = dir
		if !strings.HasSuffix(f.Path, "_test.go") {
			r.packages[dir] = append(r.packages[dir], f.File)
		}
	}
	r.readManifests(repo.Manifests)
	return func(file uint32, imp tag.Import) []uint32 {
		q := question{r.dirOf[file], imp.Module}
		files, ok := r.known[q]
		if !ok {
			files = r.find(q.dir, q.imp)
			r.known[q] = files
		}
		return files
	}, nil
}

func (r *resolver) readManifests(manifests map[string][]byte) {
	paths := make([]string, 0, len(manifests))
	for p := range manifests {
		paths = append(paths, p)
	}
	sort.Strings(paths)
	for _, p := range paths {
		switch path.Base(p) {
		case "go.mod":
			if m, ok := readModule(p, manifests[p]); ok {
				r.modules = append(r.modules, m)
			}
		case "modules.txt":
			r.vendors[treepath.Dir(treepath.Dir(p))] = true
		}
	}
	// The module of a folder is the one whose own folder is deepest.
	sort.SliceStable(r.modules, func(i, j int) bool { return len(r.modules[i].dir) > len(r.modules[j].dir) })
	for _, p := range paths {
		if path.Base(p) == "go.work" {
			r.readWorkspace(p, manifests[p])
		}
	}
}

func readModule(p string, content []byte) (module, bool) {
	f, err := modfile.ParseLax(p, content, nil)
	if err != nil || f.Module == nil {
		// A broken go.mod is the repository's own business; its imports just lead nowhere.
		return module{}, false
	}
	m := module{dir: treepath.Dir(p), path: f.Module.Mod.Path, replace: map[string]string{}}
	// ParseLax leaves replacements out, since they only count in the main module: here any module may be that.
	if strict, err := modfile.Parse(p, content, nil); err == nil {
		for _, rep := range strict.Replace {
			if rep.New.Version == "" && !path.IsAbs(rep.New.Path) {
				m.replace[rep.Old.Path] = treepath.Join(m.dir, rep.New.Path)
			}
		}
	}
	return m, true
}

func (r *resolver) readWorkspace(p string, content []byte) {
	f, err := modfile.ParseWork(p, content, nil)
	if err != nil {
		return
	}
	w := workspace{dir: treepath.Dir(p), replace: map[string]string{}}
	for _, use := range f.Use {
		dir := treepath.Join(w.dir, use.Path)
		for _, m := range r.modules {
			if m.dir == dir {
				w.members = append(w.members, m)
			}
		}
	}
	for _, rep := range f.Replace {
		if rep.New.Version == "" && !path.IsAbs(rep.New.Path) {
			w.replace[rep.Old.Path] = treepath.Join(w.dir, rep.New.Path)
		}
	}
	r.workspaces = append(r.workspaces, w)
}

// find gives the files of the package that an import in a file of dir means.
func (r *resolver) find(dir, imp string) []uint32 {
	if imp == "C" || imp == "unsafe" {
		return nil
	}
	if strings.HasPrefix(imp, "./") || strings.HasPrefix(imp, "../") || imp == "." || imp == ".." {
		return r.packages[treepath.Join(dir, imp)]
	}
	m, ok := r.moduleOf(dir)
	if !ok {
		return nil
	}
	if m.path == "std" || m.path == "cmd" {
		return r.findStandard(m, imp)
	}
	if r.vendors[m.dir] {
		if files := r.packages[treepath.Join(m.dir, "vendor/"+imp)]; files != nil {
			return files
		}
	}
	if rest, ok := within(m.path, imp); ok {
		if files := r.inModule(m, rest); files != nil {
			return files
		}
	}
	if d, ok := replaced(m.replace, imp); ok {
		return r.packages[d]
	}
	if files := r.findWorkspace(m, imp); files != nil {
		return files
	}
	return r.inStandard(imp)
}

// findStandard resolves inside Go's own tree, whose module "std" has paths without a prefix and its own vendor folder.
func (r *resolver) findStandard(m module, imp string) []uint32 {
	if files := r.packages[treepath.Join(m.dir, "vendor/"+imp)]; files != nil {
		return files
	}
	if rest, ok := within(m.path, imp); ok && m.path == "cmd" {
		return r.packages[treepath.Join(m.dir, rest)]
	}
	return r.inStandard(imp)
}

// inStandard looks in the standard library, where the tree holds it.
func (r *resolver) inStandard(imp string) []uint32 {
	if first, _, _ := strings.Cut(imp, "/"); strings.Contains(first, ".") {
		return nil
	}
	for _, std := range r.modules {
		if std.path != "std" {
			continue
		}
		if files := r.packages[treepath.Join(std.dir, imp)]; files != nil {
			return files
		}
	}
	return nil
}

func (r *resolver) findWorkspace(m module, imp string) []uint32 {
	for _, w := range r.workspaces {
		if !isMember(w, m) {
			continue
		}
		if d, ok := replaced(w.replace, imp); ok {
			return r.packages[d]
		}
		if r.vendors[w.dir] {
			if files := r.packages[treepath.Join(w.dir, "vendor/"+imp)]; files != nil {
				return files
			}
		}
		if files := r.inMembers(w.members, imp); files != nil {
			return files
		}
	}
	return nil
}

// inMembers looks in the module with the longest fitting path first.
func (r *resolver) inMembers(members []module, imp string) []uint32 {
	best := -1
	var files []uint32
	for _, m := range members {
		rest, ok := within(m.path, imp)
		if !ok || len(m.path) <= best {
			continue
		}
		if found := r.inModule(m, rest); found != nil {
			best, files = len(m.path), found
		}
	}
	return files
}

// inModule gives the package at a path below a module, unless a nested module owns that folder.
func (r *resolver) inModule(m module, rest string) []uint32 {
	dir := treepath.Join(m.dir, rest)
	if owner, ok := r.moduleOf(dir); !ok || owner.dir != m.dir {
		return nil
	}
	return r.packages[dir]
}

func (r *resolver) moduleOf(dir string) (module, bool) {
	for _, m := range r.modules {
		if m.dir == "" || dir == m.dir || strings.HasPrefix(dir, m.dir+"/") {
			return m, true
		}
	}
	return module{}, false
}

func isMember(w workspace, m module) bool {
	for _, member := range w.members {
		if member.dir == m.dir {
			return true
		}
	}
	return false
}

// replaced finds the folder that a replacement gives an import path; the longest replaced path counts.
func replaced(replace map[string]string, imp string) (string, bool) {
	best, dir := -1, ""
	for old, to := range replace {
		if rest, ok := within(old, imp); ok && len(old) > best {
			best, dir = len(old), treepath.Join(to, rest)
		}
	}
	return dir, best >= 0
}

// within gives the rest of an import path below a module path.
func within(modulePath, imp string) (rest string, ok bool) {
	if imp == modulePath {
		return "", true
	}
	return strings.CutPrefix(imp, modulePath+"/")
}
