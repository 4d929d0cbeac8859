package langpython

import (
	"context"
	"path"
	"slices"
	"sort"
	"strings"

	"github.com/repox-dev/repox/sdk"
	"github.com/repox-dev/repox/sdk/tag"
	"github.com/repox-dev/repox/sdk/treepath"
)

// resolver ties Python imports to files of a repository, as the import system would with a path of folders to search:
// the folder that the importing file's own package lies in, the source folders of its project, and those of the others.
type resolver struct {
	// modules holds the source and stub of each module by its path without extension.
	modules map[string][]uint32
	dirOf   map[uint32]string
	roots   []root // deepest project first
	// search holds the folders to look in for the files of a folder.
	search map[string][]string
	known  map[question][]uint32
}

// root is a folder that a project's top-level packages lie in.
type root struct {
	project, dir string // "" for the repository's root
}

type question struct {
	dir, module, names string
}

// resolve implements sdk.Pack.Resolve.
func resolve(_ context.Context, repo *sdk.Repository) (sdk.Resolver, error) {
	r := &resolver{
		modules: map[string][]uint32{}, dirOf: map[uint32]string{}, search: map[string][]string{}, known: map[question][]uint32{},
	}
	for _, f := range repo.Files {
		r.dirOf[f.File] = treepath.Dir(f.Path)
		stem := strings.TrimSuffix(f.Path, path.Ext(f.Path))
		r.modules[stem] = append(r.modules[stem], f.File)
	}
	r.roots = sourceRoots(repo.Manifests)
	return r.answer, nil
}

func (r *resolver) answer(file uint32, imp tag.Import) []uint32 {
	dir := r.dirOf[file]
	q := question{dir, imp.Module, strings.Join(imp.Names, ",")}
	files, ok := r.known[q]
	if !ok {
		files = r.find(dir, imp, noFile)
		r.known[q] = files
	}
	if !slices.Contains(files, file) {
		return files
	}
	if strings.HasPrefix(imp.Module, ".") {
		return slices.DeleteFunc(slices.Clone(files), func(f uint32) bool { return f == file })
	}
	return r.find(dir, imp, file)
}

const noFile = ^uint32(0)

// find gives the files that an import in a file of dir means. An absolute import never means the file it stands in:
// a script that has the name of a library imports the library.
func (r *resolver) find(dir string, imp tag.Import, self uint32) []uint32 {
	if rest, ok := strings.CutPrefix(imp.Module, "."); ok {
		base := dir
		for strings.HasPrefix(rest, ".") {
			if base == "" {
				return nil
			}
			base, rest = treepath.Dir(base), rest[1:]
		}
		return r.lookup(base, rest, imp.Names)
	}
	for _, base := range r.searched(dir) {
		files := r.lookup(base, imp.Module, imp.Names)
		if len(files) > 0 && !slices.Contains(files, self) {
			return files
		}
	}
	return nil
}

// lookup gives the files of a module below a folder, and of those of the names that are its submodules.
func (r *resolver) lookup(base, module string, names []string) []uint32 {
	stem := treepath.Join(base, strings.ReplaceAll(module, ".", "/"))
	files, own := r.module(stem)
	if module != "" && files == nil {
		head, rest, _ := strings.Cut(module, ".")
		if stub, found := r.module(treepath.Join(base, head+"-stubs/"+strings.ReplaceAll(rest, ".", "/"))); stub != nil {
			files, own = stub, found
		}
	}
	if own == singleFile {
		return files
	}
	shared := true
	for _, n := range names {
		n, _, _ = strings.Cut(n, " ")
		if n == "*" {
			continue
		}
		sub, _ := r.module(treepath.Join(stem, n))
		if len(sub) > 0 && shared {
			files, shared = slices.Clone(files), false
		}
		files = append(files, sub...)
	}
	return files
}

type moduleForm int

const (
	unknownForm moduleForm = iota // nothing, or a namespace package, which has no file of its own
	packageForm
	singleFile
)

// module gives the files of one module; a package comes before a file of the same name.
func (r *resolver) module(stem string) ([]uint32, moduleForm) {
	if files := r.modules[treepath.Join(stem, "__init__")]; files != nil {
		return files, packageForm
	}
	if files := r.modules[stem]; files != nil {
		return files, singleFile
	}
	return nil, unknownForm
}

// searched gives the folders in which absolute imports of the files in dir are looked up, in order.
func (r *resolver) searched(dir string) []string {
	if known, ok := r.search[dir]; ok {
		return known
	}
	own := dir
	for own != "" && r.modules[treepath.Join(own, "__init__")] != nil {
		own = treepath.Dir(own)
	}
	list := []string{own}
	add := func(d string) {
		if !slices.Contains(list, d) {
			list = append(list, d)
		}
	}
	for _, root := range r.roots {
		if treepath.Within(root.project, dir) {
			add(root.dir)
		}
	}
	add("")
	add("src")
	for _, root := range r.roots {
		add(root.dir)
	}
	r.search[dir] = list
	return list
}

// sourceRoots gives the folders that the projects of a repository keep their top-level packages in.
func sourceRoots(manifests map[string][]byte) []root {
	paths := make([]string, 0, len(manifests))
	for p := range manifests {
		paths = append(paths, p)
	}
	sort.Strings(paths)
	var roots []root
	for _, p := range paths {
		project := treepath.Dir(p)
		for _, d := range append(declaredRoots(path.Base(p), manifests[p]), "src", "") {
			d = strings.TrimSuffix(d, "/")
			if path.IsAbs(d) || strings.HasPrefix(path.Clean(d), "..") {
				continue
			}
			roots = append(roots, root{project: project, dir: treepath.Join(project, d)})
		}
	}
	sort.SliceStable(roots, func(i, j int) bool { return len(roots[i].project) > len(roots[j].project) })
	return roots
}
