package source

import (
	"io"
	"os"
	"path/filepath"
	"strings"
)

// repo is the repository that a directory lies in, found without git.
type repo struct {
	// top is the root of the work tree. gitDir holds the index, commonDir (the same but for linked work trees) the
	// configuration and info/exclude.
	top, gitDir, commonDir string
	// blocked says what stops git from being asked, such as an index that is a pipe.
	blocked string
}

// maxSideFile bounds files that steer the listing: ignore files, attributes, configuration.
const maxSideFile = 8 << 20

// findRepo walks up to the nearest repository. It gives nil outside of any.
func findRepo(dir string) *repo {
	for {
		if gitDir := gitDirOf(filepath.Join(dir, ".git")); gitDir != "" {
			r := &repo{top: dir, gitDir: gitDir, commonDir: commonDirOf(gitDir)}
			r.blocked = r.obstacle()
			return r
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return nil
		}
		dir = parent
	}
}

// boundary is the directory whose content is not to be trusted.
func (r *repo) boundary(root string) string {
	if r == nil {
		return root
	}
	return r.top
}

// obstacle names a file that git would open and wait on for ever.
func (r *repo) obstacle() string {
	for _, name := range []string{
		filepath.Join(r.gitDir, "HEAD"), filepath.Join(r.gitDir, "index"), filepath.Join(r.gitDir, "config.worktree"),
		filepath.Join(r.commonDir, "config"), filepath.Join(r.commonDir, "packed-refs"), filepath.Join(r.commonDir, "shallow"),
	} {
		// Stat rather than Lstat: what counts is what an open would reach.
		if st, err := os.Stat(name); err == nil && !st.Mode().IsRegular() {
			return name + " is not a regular file"
		}
	}
	return ""
}

// gitDirOf resolves a .git entry, a directory or a file that points to one. It gives "" for what is no repository.
func gitDirOf(dotGit string) string {
	st, err := os.Stat(dotGit)
	switch {
	case err != nil:
		return ""
	case st.IsDir():
		if isGitDir(dotGit) {
			return dotGit
		}
		return ""
	case !st.Mode().IsRegular():
		return ""
	}
	data, err := readSideFile(dotGit)
	target, ok := strings.CutPrefix(strings.TrimRight(string(data), "\r\n"), "gitdir: ")
	if err != nil || !ok || target == "" {
		return ""
	}
	if !filepath.IsAbs(target) {
		target = filepath.Join(filepath.Dir(dotGit), target)
	}
	if !isGitDir(target) {
		return ""
	}
	return target
}

func commonDirOf(gitDir string) string {
	data, err := readSideFile(filepath.Join(gitDir, "commondir"))
	if err != nil {
		return gitDir
	}
	common := strings.TrimRight(string(data), "\r\n")
	if !filepath.IsAbs(common) {
		common = filepath.Join(gitDir, common)
	}
	return common
}

// isGitDir has git's own test: a head that looks like one, and places for objects and refs.
func isGitDir(dir string) bool {
	if !looksLikeHead(filepath.Join(dir, "HEAD")) {
		return false
	}
	common := commonDirOf(dir)
	for _, name := range []string{"objects", "refs"} {
		if st, err := os.Stat(filepath.Join(common, name)); err != nil || !st.IsDir() {
			return false
		}
	}
	return true
}

func looksLikeHead(name string) bool {
	if target, err := os.Readlink(name); err == nil {
		return strings.HasPrefix(target, "refs/")
	}
	data, err := readSideFile(name)
	if err != nil {
		return false
	}
	if ref, ok := strings.CutPrefix(string(data), "ref:"); ok {
		return strings.HasPrefix(strings.TrimLeft(ref, " \t\r\n"), "refs/")
	}
	return len(data) >= 40 && strings.Trim(string(data[:40]), "0123456789abcdefABCDEF") == ""
}

// readSideFile reads a file outside the walk, following links. Opening cannot block and only regular files are read.
func readSideFile(name string) ([]byte, error) { return readFileLimit(name, maxSideFile) }

func readFileLimit(name string, limit int64) ([]byte, error) {
	f, err := os.OpenFile(name, os.O_RDONLY|openNonblock, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readRegular(f, limit)
}

// readRegular reads an open file up to a limit that it must not exceed.
func readRegular(f *os.File, limit int64) ([]byte, error) {
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() {
		return nil, errNotRegular
	}
	if st.Size() > limit {
		return nil, errTooLarge
	}
	// One byte more than the size lets the end of the file show without growing the buffer.
	buf := make([]byte, 0, st.Size()+1)
	for {
		n, err := f.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		if int64(len(buf)) > limit {
			return nil, errTooLarge
		}
		if err == io.EOF {
			return buf, nil
		}
		if err != nil {
			return nil, err
		}
		if len(buf) == cap(buf) {
			buf = append(buf, 0)[:len(buf)]
		}
	}
}
