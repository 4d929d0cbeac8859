package source

import (
	"context"
	"errors"
	"slices"
	"sort"
	"strings"
)

// joiner puts the walk and the index together.
type joiner struct {
	tree   *Tree
	walker *walker
	sel    *selector
	index  []tracked
	start  string
	// submodules are the paths of those in the index.
	submodules map[string]bool
}

func (j *joiner) join(ctx context.Context) error {
	if err := j.walkTrackedRepos(ctx); err != nil {
		return err
	}
	j.submodules = map[string]bool{}
	for _, t := range j.index {
		if t.submodule {
			j.submodules[t.path] = true
		}
	}
	entries := j.walker.sorted()
	j.tree.Files = make([]File, 0, len(entries))
	var missed []tracked
	i := 0
	for _, e := range entries {
		for i < len(j.index) && j.index[i].path < e.path {
			missed = append(missed, j.index[i])
			i++
		}
		if i < len(j.index) && j.index[i].path == e.path {
			if j.index[i].submodule {
				e.reason = SkipSubmodule
			}
			i++
		} else if j.insideSubmodule(e.path) {
			// What lies in the place of a submodule is the submodule's business.
			continue
		}
		j.tree.add(j.sel, e.path, e.meta, e.reason)
	}
	return j.addMissed(ctx, append(missed, j.index[i:]...))
}

// walkTrackedRepos walks into nested repositories that the outer one tracks files of, as git does.
func (j *joiner) walkTrackedRepos(ctx context.Context) error {
	for {
		var jobs []walkJob
		for i, batch := range j.walker.batches {
			// A nested repository is all that its directory gave.
			if e := batch[0]; e.reason == SkipNestedRepo && j.tracksBelow(e.path) {
				below, _, _ := j.walker.descendTo(e.path, j.walker.base)
				jobs = append(jobs, walkJob{path: e.path, scope: below, descend: true})
				j.walker.batches[i] = batch[:0]
			}
		}
		if len(jobs) == 0 {
			return nil
		}
		j.walker.batches = slices.DeleteFunc(j.walker.batches, func(b []entry) bool { return len(b) == 0 })
		if err := j.walker.run(ctx, jobs...); err != nil {
			return err
		}
	}
}

func (j *joiner) tracksBelow(dir string) bool {
	i := sort.Search(len(j.index), func(i int) bool { return j.index[i].path >= dir+"/" })
	return i < len(j.index) && strings.HasPrefix(j.index[i].path, dir+"/")
}

func (j *joiner) insideSubmodule(path string) bool {
	if len(j.submodules) == 0 {
		return false
	}
	for dir := parentPath(path); dir != ""; dir = parentPath(dir) {
		if j.submodules[dir] {
			return true
		}
	}
	return false
}

// addMissed adds tracked paths that the walk did not meet: deleted ones, submodules, and what rules ignore.
func (j *joiner) addMissed(ctx context.Context, missed []tracked) error {
	w := j.walker
	own := newOwnRules(w.readRules, w.fold)
	own.startAt(j.start)
	for _, t := range missed {
		if own.ignores(t.path) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		m, reason := j.inspectTracked(t)
		if reason == SkipDeleted && t.absent {
			reason = SkipNotCheckedOut
		}
		if t.submodule && reason != SkipDeleted && reason != SkipNotCheckedOut {
			reason = SkipSubmodule
		}
		if reason == "" && strings.HasSuffix("/"+t.path, "/"+attrsFile) {
			w.attrFiles = append(w.attrFiles, t.path)
		}
		j.tree.add(j.sel, t.path, m, reason)
	}
	return nil
}

// inspectTracked looks at one tracked path. A directory or a link on the way in place of the tracked file means that
// the file itself has gone.
func (j *joiner) inspectTracked(t tracked) (meta, SkipReason) {
	parent := parentPath(t.path)
	name := t.path[len(parent):]
	dir, err := j.walker.root.openDir(parent)
	if err != nil {
		if isGone(err) || isLoop(err) || errors.Is(err, errLinkInWay) {
			return meta{}, SkipDeleted
		}
		return meta{}, SkipUnreadable
	}
	defer dir.Close()
	m, reason := inspect(j.walker.root, dir, parent, strings.TrimPrefix(name, "/"))
	if m.kind == kindDir && !t.submodule {
		reason = SkipDeleted
	}
	return m, reason
}
