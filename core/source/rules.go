package source

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// baseScope is the rules that no directory holds: info/exclude, and below it the user's own excludes file.
func baseScope(r *repo, cfg gitConfig) (scope, []string) {
	var s scope
	var warnings []string
	files := []string{excludesFile(cfg, r)}
	if r != nil {
		files = append(files, filepath.Join(r.commonDir, "info", "exclude"))
	}
	for _, name := range files {
		if name == "" {
			continue
		}
		data, err := readSideFile(name)
		if err != nil {
			if !isGone(err) {
				warnings = append(warnings, sideFileWarning(filepath.Dir(name), filepath.Base(name), err))
			}
			continue
		}
		s.git = s.git.push(data, "", cfg.ignoreCase)
	}
	return s, warnings
}

// excludesFile is where the user keeps rules for all repositories.
func excludesFile(cfg gitConfig, r *repo) string {
	if cfg.excludesFile == nil {
		return xdgGit("ignore")
	}
	name := expandHome(*cfg.excludesFile)
	if name != "" && !filepath.IsAbs(name) && r != nil {
		name = filepath.Join(r.top, name)
	}
	return name
}

// xdgGit is the place of one of git's files in the user's configuration directory, "" if there is none.
func xdgGit(name string) string {
	if dir := os.Getenv("XDG_CONFIG_HOME"); dir != "" {
		return filepath.Join(dir, "git", name)
	}
	if home := homeDir(); home != "" {
		return filepath.Join(home, ".config", "git", name)
	}
	return ""
}

func homeDir() string {
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return home
}

func expandHome(name string) string {
	if rest, ok := strings.CutPrefix(name, "~/"); ok {
		if home := homeDir(); home != "" {
			return filepath.Join(home, rest)
		}
	}
	return name
}

// descendTo reads the ignore files of the directories from top down to the parent of a path. It tells whether they
// ignore the path itself.
func (w *walker) descendTo(path string, s scope) (below scope, gitIgnored, ownIgnored bool) {
	at := ""
	for rest := path; rest != ""; {
		s = w.extendAt(s, at)
		var name string
		name, rest, _ = strings.Cut(rest, "/")
		at = joinPath(at, name)
		gitIgnored = gitIgnored || s.git.ignores(at, true)
		ownIgnored = ownIgnored || s.own.ignores(at, true)
	}
	return s, gitIgnored, ownIgnored
}

// extendAt is extend for a directory that is passed through rather than listed: it may not even be readable.
func (w *walker) extendAt(s scope, path string) scope {
	base := path
	if base != "" {
		base += "/"
	}
	s.git = s.git.push(w.readRules(base+gitIgnoreFile), base, w.fold)
	s.own = s.own.push(w.readRules(base+ownIgnoreFile), base, w.fold)
	return s
}

func (w *walker) readRules(path string) []byte {
	f, err := w.root.openFile(path)
	if err != nil {
		// Missing, or a link, which counts as missing.
		return nil
	}
	defer f.Close()
	data, err := readRegular(f, maxSideFile)
	if errors.Is(err, errTooLarge) || errors.Is(err, fs.ErrPermission) {
		w.warnings = append(w.warnings, sideFileWarning(w.root.path, path, err))
	}
	return data
}

func joinPath(dir, name string) string {
	if dir == "" {
		return name
	}
	return dir + "/" + name
}

// sideFileWarning says that a file with rules could not be read. The cause goes without its own path.
func sideFileWarning(dir, name string, err error) string {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	return fmt.Sprintf("%s is not used: %v", filepath.Join(dir, name), err)
}

// ownRules answers whether .repoxignore files ignore a path, for paths that no walk came by: tracked files in
// directories that git ignores, and the files of a commit.
type ownRules struct {
	// read gives an ignore file by its path from top, nil where there is none.
	read func(path string) []byte
	fold bool
	dirs map[string]ownDir
}

type ownDir struct {
	rules   *chain
	ignored bool
}

func newOwnRules(read func(path string) []byte, fold bool) *ownRules {
	return &ownRules{read: read, fold: fold, dirs: map[string]ownDir{}}
}

// startAt makes the directories from top to start count as not ignored: it was asked for by name.
func (o *ownRules) startAt(start string) {
	d := o.dir(start)
	if d.ignored {
		d = ownDir{rules: (*chain)(nil).push(o.read(joinPath(start, ownIgnoreFile)), start+"/", o.fold)}
	}
	o.dirs[start] = d
}

func (o *ownRules) ignores(path string) bool {
	d := o.dir(parentPath(path))
	return d.ignored || d.rules.ignores(path, false)
}

func (o *ownRules) dir(path string) ownDir {
	if d, ok := o.dirs[path]; ok {
		return d
	}
	var d ownDir
	base := ""
	if path != "" {
		d = o.dir(parentPath(path))
		d.ignored = d.ignored || d.rules.ignores(path, true)
		base = path + "/"
	}
	if !d.ignored {
		d.rules = d.rules.push(o.read(base+ownIgnoreFile), base, o.fold)
	}
	o.dirs[path] = d
	return d
}

// parentPath is the directory of a path from top, "" for top itself.
func parentPath(path string) string {
	return path[:max(0, strings.LastIndexByte(path, '/'))]
}
