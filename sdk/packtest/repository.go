package packtest

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/repox-dev/repox/sdk"
)

// Repository makes what a pack's Resolve gets, of paths and contents: those with one of the pack's extensions are files, and
// what has content is a manifest. It gives the numbers of the files too.
func Repository(p *sdk.Pack, contents map[string]string) (*sdk.Repository, map[string]uint32) {
	repo := &sdk.Repository{Manifests: map[string][]byte{}}
	numbers := map[string]uint32{}
	for i, name := range slices.Sorted(maps.Keys(contents)) {
		if contents[name] != "" {
			repo.Manifests[name] = []byte(contents[name])
		}
		if slices.ContainsFunc(p.Languages, func(l sdk.Language) bool {
			return slices.Contains(l.Extensions, strings.ToLower(path.Ext(name)))
		}) {
			numbers[name] = uint32(i)
			repo.Files = append(repo.Files, sdk.RepositoryFile{File: uint32(i), Path: name})
		}
	}
	return repo, numbers
}
