package source

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Past is what the history of a tree says, newest commit first.
type Past struct {
	// Head is the object id of the newest commit, Branch its branch; both are empty where there is no history.
	Head, Branch string
	Commits      []PastCommit
	// Truncated: there are older commits than those listed.
	Truncated bool
}

// PastCommit is one commit. Merges list no paths: what they bring was changed by the commits that they merge.
type PastCommit struct {
	ID string
	// Time is the committer's, in seconds since 1970.
	Time    int64
	Author  string
	Message string
	// Paths are those changed below the tree's root, relative to it; Outside counts the others.
	Paths   []string
	Outside int
}

// The bounds of a history. Beyond so many commits names and folders have moved; the bytes bound what a repository built
// for it could make of so many.
const (
	pastCommits      = 5000
	pastBytes        = 64 << 20
	pastMessageBytes = 4 << 10
	pastTime         = 30 * time.Second
)

// pastID is the form of commits' ids in Past: long enough to be unique in any repository.
const pastID = 12

// historian asks git for the past of a tree.
type historian struct {
	git *gitTool
	dir string
	// rev is the commit to begin at.
	rev string
	// shallow is the file that lists where a shallow clone ends.
	shallow string
}

// PastKey stands for what Past would give: two equal keys, one answer. It is nil where there is no history: outside of
// git, without the git command, before the first commit, and where git refuses the directory.
func (t *Tree) PastKey(ctx context.Context) []byte {
	if t.past == nil {
		return nil
	}
	out, err := t.past.git.answer(ctx, t.past.dir, "rev-parse", "--quiet", t.past.rev+"^{commit}", "--abbrev-ref", t.past.rev)
	if err != nil {
		return nil
	}
	// A shallow clone that is deepened has the same head and more behind it.
	border, _ := readSideFile(t.past.shallow)
	return []byte(fmt.Sprintf("past 1 %s%s\x00%s", out, t.prefix, border))
}

// Past reads the history. Nothing that the repository configures runs, and nothing is fetched. A tree without history
// gives an empty Past; an error says why there is one that cannot be read.
func (t *Tree) Past(ctx context.Context) (*Past, error) {
	if t.past == nil {
		return &Past{}, nil
	}
	return t.past.read(ctx, t.prefix)
}

func (h *historian) read(ctx context.Context, prefix string) (*Past, error) {
	out, err := h.git.answer(ctx, h.dir, "rev-parse", "--quiet", h.rev+"^{commit}", "--abbrev-ref", h.rev)
	if err != nil {
		var failed *gitError
		if errors.As(err, &failed) {
			// A branch without a commit.
			return &Past{}, nil
		}
		return nil, err
	}
	head, branch, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	p := &Past{Head: head, Branch: branch}
	if branch == h.rev {
		p.Branch = ""
	}
	args := []string{
		"log", "-z", "--name-only", "--no-renames", "--no-ext-diff", "--no-textconv", "--no-show-signature", "--no-notes",
		"--no-color", "--no-decorate", "--no-mailmap", "--no-relative", "--full-diff", "--encoding=UTF-8", "-O" + os.DevNull,
		"--max-count=" + strconv.Itoa(pastCommits+1), "--format=/%H%x00%ct%x00%an%x00%B%x00", head, "--",
	}
	if prefix != "" {
		args = append(args, strings.TrimSuffix(prefix, "/"))
	}
	text, cut, err := h.git.outputUpTo(ctx, pastTime, pastBytes, h.dir, args...)
	if err != nil {
		return nil, fmt.Errorf("read history: %w", err)
	}
	p.Commits = parsePast(text, prefix)
	if n := len(p.Commits); cut && n > 0 {
		// The last one may lack some of its paths.
		p.Commits, p.Truncated = p.Commits[:n-1], true
	}
	if border, _ := readSideFile(h.shallow); len(border) > 0 {
		p.Truncated = true
	}
	if len(p.Commits) > pastCommits {
		p.Commits, p.Truncated = p.Commits[:pastCommits], true
	}
	return p, nil
}

// parsePast reads the output of git log: for each commit five fields, each ended by a zero byte, and then its paths. No
// path begins with a slash, and so a field that does begins the next commit.
func parsePast(text []byte, prefix string) []PastCommit {
	var out []PastCommit
	next := func() string {
		var field []byte
		field, text, _ = bytes.Cut(text, []byte{0})
		return string(field)
	}
	for len(text) > 0 {
		field := next()
		if id, ok := strings.CutPrefix(field, "/"); ok {
			c := PastCommit{ID: id[:min(len(id), pastID)]}
			c.Time, _ = strconv.ParseInt(next(), 10, 64)
			c.Author = strings.ToValidUTF8(next(), "\uFFFD")
			c.Message = cutMessage(strings.TrimSpace(next()))
			out = append(out, c)
			continue
		}
		if len(out) == 0 {
			continue
		}
		c := &out[len(out)-1]
		if len(c.Paths)+c.Outside == 0 {
			// An empty line stands before the first path.
			field = strings.TrimPrefix(field, "\n")
		}
		if path, ok := strings.CutPrefix(field, prefix); ok && path != "" {
			c.Paths = append(c.Paths, path)
		} else if field != "" {
			c.Outside++
		}
	}
	return out
}

// cutMessage bounds a message and leaves valid text.
func cutMessage(s string) string {
	if len(s) > pastMessageBytes {
		s = s[:pastMessageBytes]
		for len(s) > 0 && !utf8.RuneStart(s[len(s)-1]) {
			s = s[:len(s)-1]
		}
		s = s[:max(0, len(s)-1)]
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}

// historian gives nil where there is no repository or no git command.
func (l *lister) historian(rev string) *historian {
	if l.git == nil || l.repo == nil || l.repo.blocked != "" {
		return nil
	}
	return &historian{git: l.git, dir: l.repo.top, rev: rev, shallow: filepath.Join(l.repo.commonDir, "shallow")}
}
