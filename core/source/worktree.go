package source

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"golang.org/x/sync/errgroup"
)

// repoState is what the repository tracks.
type repoState struct {
	index    []tracked
	warnings []string
	// refused: git does not accept the work tree, or there is no git to ask.
	refused bool
}

// listDirectory lists a work tree or a plain directory.
func (l *lister) listDirectory(ctx context.Context) (*Tree, error) {
	if l.repo != nil {
		t, err := l.listWorkTree(ctx)
		if err != nil || t != nil {
			return t, err
		}
	}
	return l.listPlain(ctx)
}

// listPlain lists a directory that belongs to no work tree.
func (l *lister) listPlain(ctx context.Context) (*Tree, error) {
	cfg := readConfig(nil)
	base, warnings := baseScope(nil, cfg)
	t, w, err := l.begin(l.root, "", cfg)
	if err != nil {
		return nil, err
	}
	w.stopAtRepos = false
	if err := w.run(ctx, walkJob{scope: base}); err != nil {
		return nil, errors.Join(err, t.Close())
	}
	for _, e := range w.sorted() {
		t.add(l.sel, e.path, e.meta, e.reason)
	}
	t.finish(w, warnings)
	return t, nil
}

// begin opens top and prepares a tree and a walk below it.
func (l *lister) begin(top, prefix string, cfg gitConfig) (*Tree, *walker, error) {
	root, err := openRoot(top)
	if err != nil {
		return nil, nil, &PathError{Problem: "cannot open directory", Path: top, Err: err}
	}
	t := &Tree{Root: l.root, maxBytes: l.opts.MaxFileBytes, prefix: prefix, top: root}
	enters := func(path string) bool { return l.sel.mayHold(strings.TrimPrefix(path, prefix)) }
	return t, &walker{root: root, fold: cfg.ignoreCase, stopAtRepos: true, enters: enters}, nil
}

func (t *Tree) finish(w *walker, warnings []string) {
	t.attrFiles = append(t.attrFiles, w.attrFiles...)
	t.Warnings = append(t.Warnings, warnings...)
	slices.Sort(w.warnings)
	t.Warnings = append(t.Warnings, slices.Compact(w.warnings)...)
}

// listWorkTree lists what git tracks and what it would not ignore. It gives nil for a directory that is wholly ignored
// by a repository it merely lies in.
func (l *lister) listWorkTree(ctx context.Context) (*Tree, error) {
	rel, err := filepath.Rel(l.repo.top, l.root)
	if err != nil {
		return nil, &PathError{Problem: "cannot be placed in its work tree", Path: l.root, Err: err}
	}
	start, prefix := "", ""
	if rel != "." {
		start = filepath.ToSlash(rel)
		prefix = start + "/"
	}
	ask, stopAsking := context.WithCancel(ctx)
	index := l.startIndex(ask, prefix)
	defer func() {
		stopAsking()
		_, _ = index()
	}()
	cfg, err := l.config(ctx)
	if err != nil {
		return nil, err
	}
	base, warnings := baseScope(l.repo, cfg)
	t, w, err := l.begin(l.repo.top, prefix, cfg)
	if err != nil {
		return nil, err
	}
	t.GitRoot = l.repo.top
	t.infoAttrs, _ = readSideFile(filepath.Join(l.repo.commonDir, "info", "attributes"))

	w.base = base
	below, gitIgnored, ownIgnored := w.descendTo(start, base)
	if ownIgnored {
		// Whoever names a directory wants it, whatever rules above say about it.
		below.own = nil
	}
	if !gitIgnored {
		err = w.run(ctx, walkJob{path: start, scope: below, descend: true})
	}
	var state repoState
	if err == nil {
		state, err = index()
		warnings = append(warnings, state.warnings...)
	}
	if err == nil && !(gitIgnored && len(state.index) == 0) {
		j := &joiner{tree: t, walker: w, sel: l.sel, index: state.index, start: start}
		if err = j.join(ctx); err == nil {
			if !state.refused {
				t.past = l.historian("HEAD")
			}
			t.finish(w, warnings)
			return t, nil
		}
	}
	return nil, errors.Join(err, t.Close())
}

// config asks git for its configuration, and reads the files where git cannot or will not answer.
func (l *lister) config(ctx context.Context) (gitConfig, error) {
	if l.git != nil && l.repo.blocked == "" {
		cfg, err := l.git.askConfig(ctx, l.repo.top)
		if err == nil || ctx.Err() != nil {
			return cfg, ctx.Err()
		}
		// The question whether git accepts the work tree will fail for the same reason, and the answer is shown.
	}
	return readConfig(l.repo), nil
}

// startIndex begins to read the index and gives a function that waits for it.
func (l *lister) startIndex(ctx context.Context, prefix string) func() (repoState, error) {
	var state repoState
	var refusal string
	var g errgroup.Group
	g.Go(func() error {
		refusal = l.refusal(ctx, prefix)
		return ctx.Err()
	})
	g.Go(func() error {
		// Reading the file is several times faster than asking git, and gives the same for all but rare kinds.
		list, err := readIndex(l.repo)
		// Sorted as it is, what lies below a directory is one stretch of it.
		from := sort.Search(len(list), func(i int) bool { return list[i].path >= prefix })
		size := sort.Search(len(list)-from, func(i int) bool { return !strings.HasPrefix(list[from+i].path, prefix) })
		state.index = list[from : from+size]
		if errors.Is(err, errIndex) && l.git != nil && l.repo.blocked == "" {
			state.index, err = l.git.askIndex(ctx, l.root, prefix)
		}
		if err != nil {
			state.warnings = append(state.warnings, fmt.Sprintf("tracked files are not told from others: %v", err))
		}
		return ctx.Err()
	})
	return func() (repoState, error) {
		err := g.Wait()
		if refusal != "" {
			state.refused = true
			state.warnings = append(state.warnings, "listed without git: "+refusal)
			refusal = ""
		}
		return state, err
	}
}

// refusal asks whether git accepts the work tree as its owner's and agrees on where it begins: a setting can move it.
// It gives the reason if not; a machine without git has nothing to refuse.
func (l *lister) refusal(ctx context.Context, prefix string) string {
	if l.repo.blocked != "" || l.git == nil {
		return l.repo.blocked
	}
	out, err := l.git.answer(ctx, l.root, "rev-parse", "--is-inside-work-tree", "--show-prefix")
	switch {
	case err != nil:
		return err.Error()
	case string(out) != "true\n"+prefix+"\n":
		return "git has no work tree here, or has it elsewhere: see core.bare and core.worktree"
	}
	return ""
}
