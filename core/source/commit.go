package source

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
)

// listCommit lists the tree of a commit.
func (l *lister) listCommit(ctx context.Context) (*Tree, error) {
	rev := l.opts.Rev
	switch {
	case strings.HasPrefix(rev, "-"):
		return nil, &RevError{Rev: rev, Problem: "a revision cannot begin with a dash"}
	case strings.ContainsAny(rev, "\x00\n"):
		return nil, &RevError{Rev: rev, Problem: "a revision is a single line"}
	case l.git == nil:
		return nil, &RevError{Rev: rev, Problem: "reading a commit needs git: install it or leave --rev out", Err: errNoGit}
	case l.repo != nil && l.repo.blocked != "":
		return nil, &RevError{Rev: rev, Problem: "git cannot be asked: " + l.repo.blocked}
	}
	t := &Tree{Root: l.root, maxBytes: l.opts.MaxFileBytes}
	if l.repo != nil {
		t.GitRoot = l.repo.top
		if rel, err := filepath.Rel(l.repo.top, l.root); err == nil && rel != "." {
			t.prefix = filepath.ToSlash(rel) + "/"
		}
	}
	var err error
	if t.Commit, err = l.resolveCommit(ctx); err != nil {
		return nil, err
	}
	t.blobs = &blobReader{git: l.git, dir: l.root}
	t.past = l.historian(t.Commit)
	if err := l.fillCommit(ctx, t); err != nil {
		return nil, errors.Join(err, t.Close())
	}
	return t, nil
}

func (l *lister) resolveCommit(ctx context.Context) (string, error) {
	rev := l.opts.Rev
	out, err := l.git.answer(ctx, l.root, "rev-parse", "--verify", "--quiet", rev+"^{commit}")
	if err == nil {
		return strings.TrimSpace(string(out)), nil
	}
	var failed *gitError
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if !errors.As(err, &failed) {
		return "", &RevError{Rev: rev, Problem: err.Error(), Err: err}
	}
	if failed.stderr == "" {
		return "", &RevError{Rev: rev, Problem: "no such commit here: check the name, or fetch it first", Err: err}
	}
	return "", &RevError{Rev: rev, Problem: failed.Error(), Err: err}
}

// commitEntry is a line of git ls-tree.
type commitEntry struct {
	mode, object, path string
	size               int64
}

func (l *lister) fillCommit(ctx context.Context, t *Tree) error {
	entries, err := l.commitEntries(ctx, t)
	if err != nil {
		return err
	}
	own := newOwnRules(t.commitFile, false)
	own.startAt(strings.TrimSuffix(t.prefix, "/"))
	for _, e := range entries {
		path := t.prefix + e.path
		if own.ignores(path) {
			continue
		}
		if strings.HasSuffix("/"+path, "/"+attrsFile) {
			t.attrFiles = append(t.attrFiles, path)
		}
		var reason SkipReason
		switch {
		case e.mode == "160000":
			reason = SkipSubmodule
		case e.mode == "120000":
			reason = SkipSymlink
		case !strings.HasPrefix(e.mode, "100"):
			reason = SkipSpecial
		}
		t.add(l.sel, path, meta{size: e.size, object: e.object}, reason)
	}
	return nil
}

func (l *lister) commitEntries(ctx context.Context, t *Tree) ([]commitEntry, error) {
	// A colon and a path, empty for the root, name a directory of the commit.
	out, err := l.git.output(ctx, l.root, "ls-tree", "-r", "-z", "-l", "--full-tree", t.Commit+":"+strings.TrimSuffix(t.prefix, "/"))
	var failed *gitError
	if errors.As(err, &failed) {
		problem := failed.Error()
		if t.prefix != "" && strings.Contains(failed.stderr, "Not a valid object name") {
			problem = "the commit has no directory " + t.prefix
		}
		return nil, &RevError{Rev: l.opts.Rev, Problem: problem, Err: err}
	}
	if err != nil {
		return nil, err
	}
	var entries []commitEntry
	for text := string(out); text != ""; {
		var line string
		line, text, _ = strings.Cut(text, "\x00")
		info, path, ok := strings.Cut(line, "\t")
		fields := strings.Fields(info)
		if !ok || len(fields) != 4 {
			return nil, fmt.Errorf("git ls-tree: unexpected line %q", line)
		}
		size, _ := strconv.ParseInt(fields[3], 10, 64) // a submodule has a dash for its size
		entries = append(entries, commitEntry{mode: fields[0], object: fields[2], path: path, size: size})
	}
	return entries, nil
}

// commitFile gives a file of the commit by its path from the top of the work tree, nil where there is none.
func (t *Tree) commitFile(path string) []byte {
	if strings.ContainsRune(path, '\n') {
		// The protocol is made of lines.
		return nil
	}
	data, err := t.blobs.read(t.Commit+":"+path, maxSideFile)
	if err != nil {
		return nil
	}
	return data
}
