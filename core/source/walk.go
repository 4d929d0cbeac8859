package source

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
)

// The ignore files that are read in each directory. The second is this program's own: it has the same syntax, and
// takes away from what git's rules leave.
const (
	gitIgnoreFile = ".gitignore"
	ownIgnoreFile = ".repoxignore"
	attrsFile     = ".gitattributes"
)

// scope is the rules that apply in a directory.
type scope struct {
	git, own *chain
}

func (s scope) ignores(path string, dir bool) bool {
	return s.git.ignores(path, dir) || s.own.ignores(path, dir)
}

// entry is something that a walk met and that no rule ignores.
type entry struct {
	path string
	meta meta
	// reason is set for what is not a readable file.
	reason SkipReason
}

// walker walks directories side by side. Each directory is a job of its own, and pending jobs lie on a stack, so
// neither depth nor breadth matters.
type walker struct {
	root *dirRoot
	fold bool
	// base is the rules that apply at top.
	base scope
	// enters, if given, tells whether a directory, from top, is walked.
	enters func(path string) bool
	// stopAtRepos makes nested repositories an entry instead of descending into them.
	stopAtRepos bool

	mu      sync.Mutex
	wake    *sync.Cond
	jobs    []walkJob
	running int
	stopped bool

	// batches holds what was met, a slice for each directory.
	batches   [][]entry
	attrFiles []string
	warnings  []string
}

type walkJob struct {
	// path is the directory, from top; "" is top.
	path  string
	scope scope
	// descend makes the directory be walked even though it is a repository.
	descend bool
}

// walkResult is what one directory gave.
type walkResult struct {
	entries  []entry
	jobs     []walkJob
	attrs    string
	warnings []string
}

// run walks the jobs and everything below them.
func (w *walker) run(ctx context.Context, jobs ...walkJob) error {
	w.wake = sync.NewCond(&w.mu)
	w.jobs, w.stopped = jobs, false
	stop := context.AfterFunc(ctx, func() {
		w.mu.Lock()
		w.stopped = true
		w.wake.Broadcast()
		w.mu.Unlock()
	})
	defer stop()
	var workers sync.WaitGroup
	for range min(8, 2*runtime.GOMAXPROCS(0)) {
		workers.Go(w.work)
	}
	workers.Wait()
	return ctx.Err()
}

func (w *walker) work() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for {
		for len(w.jobs) == 0 && w.running > 0 && !w.stopped {
			w.wake.Wait()
		}
		if len(w.jobs) == 0 || w.stopped {
			w.wake.Broadcast()
			return
		}
		job := w.jobs[len(w.jobs)-1]
		w.jobs = w.jobs[:len(w.jobs)-1]
		w.running++
		w.mu.Unlock()
		res := w.directory(job)
		w.mu.Lock()
		w.running--
		if len(res.entries) > 0 {
			w.batches = append(w.batches, res.entries)
		}
		w.jobs = append(w.jobs, res.jobs...)
		w.warnings = append(w.warnings, res.warnings...)
		if res.attrs != "" {
			w.attrFiles = append(w.attrFiles, res.attrs)
		}
		if len(res.jobs) > 0 || w.running == 0 {
			w.wake.Broadcast()
		}
	}
}

// sorted gives all entries in the order of their paths' bytes.
func (w *walker) sorted() []*entry {
	n := 0
	for _, b := range w.batches {
		n += len(b)
	}
	list := make([]*entry, 0, n)
	for _, b := range w.batches {
		for i := range b {
			list = append(list, &b[i])
		}
	}
	slices.SortFunc(list, func(a, b *entry) int { return strings.Compare(a.path, b.path) })
	return list
}

// directory reads one directory.
func (w *walker) directory(job walkJob) (res walkResult) {
	dir, err := w.root.openDir(job.path)
	if err != nil {
		res.fail(job.path, err)
		return res
	}
	defer dir.Close()
	list, err := dir.ReadDir(-1)
	if err != nil {
		// What could be read is used all the same.
		res.fail(job.path, err)
	}
	base := ""
	if job.path != "" {
		base = job.path + "/"
	}
	if w.stopAtRepos && !job.descend && w.isRepo(job.path, list) {
		res.entries = append(res.entries, entry{path: job.path, reason: SkipNestedRepo})
		return res
	}
	res.entries = slices.Grow(res.entries, len(list))
	rules := w.extend(job.scope, dir, job.path, list, &res)
	for _, d := range list {
		w.entry(dir, base, d, rules, &res)
	}
	return res
}

func (r *walkResult) fail(path string, err error) {
	// A directory that has gone, or become a link, between listing and opening is no directory of this tree.
	if !isGone(err) && !isLoop(err) && !errors.Is(err, errLinkInWay) {
		r.entries = append(r.entries, entry{path: path, reason: SkipUnreadable})
	}
}

func (w *walker) isRepo(path string, list []os.DirEntry) bool {
	for _, d := range list {
		if d.Name() == ".git" {
			return gitDirOf(filepath.Join(w.root.abs(path), ".git")) != ""
		}
	}
	return false
}

// extend puts the directory's ignore files on top of the rules from above. Only regular files count, as for git.
func (w *walker) extend(s scope, dir *os.File, path string, list []os.DirEntry, res *walkResult) scope {
	base := path
	if base != "" {
		base += "/"
	}
	for _, d := range list {
		switch d.Name() {
		case gitIgnoreFile:
			s.git = s.git.push(w.sideFile(dir, path, d, res), base, w.fold)
		case ownIgnoreFile:
			s.own = s.own.push(w.sideFile(dir, path, d, res), base, w.fold)
		case attrsFile:
			res.attrs = base + attrsFile
		}
	}
	return s
}

func (w *walker) sideFile(dir *os.File, path string, d os.DirEntry, res *walkResult) []byte {
	if t := d.Type(); !t.IsRegular() && t != os.ModeIrregular {
		return nil
	}
	f, err := w.root.openIn(dir, path, d.Name())
	if err == nil {
		defer f.Close()
		var data []byte
		if data, err = readRegular(f, maxSideFile); err == nil {
			return data
		}
	}
	res.warnings = append(res.warnings, sideFileWarning(w.root.abs(path), d.Name(), err))
	return nil
}

func (w *walker) entry(dir *os.File, base string, d os.DirEntry, rules scope, res *walkResult) {
	name := d.Name()
	if name == ".git" || w.fold && strings.EqualFold(name, ".git") {
		return
	}
	path := base + name
	if rules.ignores(path, d.IsDir()) {
		return
	}
	if d.IsDir() {
		if w.enters != nil && !w.enters(path) {
			return
		}
		res.jobs = append(res.jobs, walkJob{path: path, scope: rules})
		return
	}
	e := entry{path: path}
	switch t := d.Type(); {
	case t&os.ModeSymlink != 0:
		e.reason = SkipSymlink
	case !t.IsRegular():
		e.reason = SkipSpecial
	default:
		parent := strings.TrimSuffix(base, "/")
		e.meta, e.reason = inspect(w.root, dir, parent, name)
		if e.reason == SkipDeleted {
			return
		}
	}
	res.entries = append(res.entries, e)
}

// inspect looks at a file in an open directory and says why it is not to be read, if so.
func inspect(root *dirRoot, dir *os.File, parent, name string) (meta, SkipReason) {
	m, err := root.statIn(dir, parent, name)
	switch {
	case err != nil && isGone(err):
		return m, SkipDeleted
	case err != nil:
		return m, SkipUnreadable
	case m.kind == kindSymlink:
		return m, SkipSymlink
	case m.kind != kindFile:
		return m, SkipSpecial
	case !root.readable(dir, parent, name, m):
		return m, SkipUnreadable
	}
	return m, ""
}
