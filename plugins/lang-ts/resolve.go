package langts

import (
	"context"
	"path"
	"sort"
	"strings"

	"github.com/repox-dev/repox/sdk"
	"github.com/repox-dev/repox/sdk/tag"
	"github.com/repox-dev/repox/sdk/treepath"
)

// resolver ties module names to files of a repository, in the way bundlers and the TypeScript compiler do: relative
// paths, the paths of the nearest tsconfig, and packages of the repository by their name.
type resolver struct {
	files    map[string][]uint32 // by path; slices of one, shared by all answers
	pathOf   map[uint32]string
	configs  map[string]*config // by folder
	packages []pkg
	known    map[question][]uint32
	// typed: the question comes from a TypeScript file, to which the types of a module are what it imports.
	typed bool
}

type question struct {
	dir, module string
	typed       bool
}

// resolve implements sdk.Pack.Resolve.
func resolve(_ context.Context, repo *sdk.Repository) (sdk.Resolver, error) {
	r := &resolver{
		files: map[string][]uint32{}, pathOf: map[uint32]string{}, configs: map[string]*config{}, known: map[question][]uint32{},
	}
	for _, f := range repo.Files {
		r.files[f.Path] = []uint32{f.File}
		r.pathOf[f.File] = f.Path
	}
	paths := make([]string, 0, len(repo.Manifests))
	for p := range repo.Manifests {
		paths = append(paths, p)
	}
	sort.Strings(paths) // jsconfig.json before tsconfig.json, which counts where both are
	for _, p := range paths {
		if path.Base(p) != "package.json" {
			r.configs[treepath.Dir(p)] = readConfig(repo.Manifests, p, 0)
		} else if m, ok := readPackage(p, repo.Manifests[p]); ok {
			r.packages = append(r.packages, m)
		}
	}
	return func(file uint32, imp tag.Import) []uint32 {
		q := question{treepath.Dir(r.pathOf[file]), imp.Module, dialect(r.pathOf[file]) != "js" && path.Ext(r.pathOf[file]) != ".jsx"}
		files, ok := r.known[q]
		if !ok {
			r.typed = q.typed
			files = r.find(q.dir, q.module)
			r.known[q] = files
		}
		return files
	}, nil
}

func (r *resolver) find(dir, module string) []uint32 {
	// Bundlers take what stands behind a question mark for an instruction of their own.
	module, _, _ = strings.Cut(module, "?")
	switch {
	case module == "" || strings.HasPrefix(module, "/") || strings.Contains(module, "://"):
		return nil
	case module == "." || module == ".." || strings.HasPrefix(module, "./") || strings.HasPrefix(module, "../"):
		return r.at(dir, module)
	case strings.HasPrefix(module, "#"):
		if files := r.ownImport(dir, module); files != nil {
			return files
		}
	}
	if c := r.configOf(dir); c != nil {
		for _, t := range c.candidates(module) {
			if files := r.at("", t); files != nil {
				return files
			}
		}
	}
	return r.inPackages(module)
}

// extensions in the order in which a name without one is completed.
var extensions = []string{".ts", ".tsx", ".d.ts", ".mts", ".cts", ".d.mts", ".d.cts", ".js", ".jsx", ".mjs", ".cjs"}

// sources are the extensions that an emitted file may stem from.
var sources = map[string][]string{
	".js":  {".ts", ".tsx", ".d.ts", ".jsx"},
	".jsx": {".tsx", ".d.ts"},
	".mjs": {".mts", ".d.mts"},
	".cjs": {".cts", ".d.cts"},
	// A declaration may name the source that it was made of.
	".ts":  {".d.ts"},
	".tsx": {".d.ts"},
	".mts": {".d.mts"},
	".cts": {".d.cts"},
}

// at gives the file that a path below dir means: itself, its source, with an extension, or the index of a folder.
func (r *resolver) at(dir, rest string) []uint32 {
	p := path.Join(dir, rest)
	if p == ".." || strings.HasPrefix(p, "../") {
		return nil
	}
	if p == "." {
		p = ""
	}
	if files := r.file(p); files != nil && !strings.HasSuffix(rest, "/") {
		return files
	}
	for _, m := range r.packages {
		if m.dir != p || p == dir && rest == "" {
			continue
		}
		for _, t := range m.entry(".") {
			if files := r.file(path.Join(p, t)); files != nil {
				return files
			}
		}
	}
	return r.file(path.Join(p, "index"))
}

func (r *resolver) file(p string) []uint32 {
	files := r.files[p]
	if files != nil && !r.typed {
		return files
	}
	ext := path.Ext(p)
	for _, e := range sources[ext] {
		if files := r.files[strings.TrimSuffix(p, ext)+e]; files != nil {
			return files
		}
	}
	if files != nil {
		return files
	}
	for _, e := range extensions {
		if files := r.files[p+e]; files != nil {
			return files
		}
	}
	return nil
}
