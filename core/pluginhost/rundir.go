package pluginhost

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

const (
	runDirPrefix = "repox-run-"
	lockName     = "lock"
	// socketTail is how long the part of a socket's path below the temporary folder can get: the run's folder, the
	// plugin's, go-plugin's and the socket itself, each with a number of ten digits at most.
	socketTail = len("/" + runDirPrefix + "1234567890/12345/plugin-dir1234567890/plugin1234567890")
	// sweepAge keeps the sweep away from folders that a host is just making.
	sweepAge = 10 * time.Second
)

// runDir is the private folder of one host; every plugin has a folder in it. A lock held for the host's life tells the
// folder of a living host from one that was left behind.
type runDir struct {
	path string
	lock *os.File
}

// newRunDir makes the folder in the first place where a socket's path fits.
func newRunDir() (*runDir, *StartError) {
	var tooLong, failed error
	for _, base := range runDirBases() {
		if len(base)+socketTail > maxSocketPath {
			tooLong = fmt.Errorf("%s has %d bytes, at most %d fit", base, len(base), maxSocketPath-socketTail)
			continue
		}
		d, err := makeRunDir(base)
		if err == nil {
			return d, nil
		}
		failed = err
	}
	if failed != nil {
		return nil, &StartError{Reason: NoRuntimeDir, Detail: failed.Error(), Next: "set TMPDIR to a writable folder", Err: failed}
	}
	return nil, &StartError{Reason: SocketPathTooLong, Detail: tooLong.Error(), Next: "set TMPDIR to a shorter path", Err: tooLong}
}

// runDirBases lists the places to try. The user's own wish comes first.
func runDirBases() []string {
	bases := []string{os.TempDir()}
	if dir := os.Getenv("XDG_RUNTIME_DIR"); filepath.IsAbs(dir) {
		bases = append(bases, dir)
	}
	if privateNetwork == "unix" {
		bases = append(bases, fallbackTemp)
	}
	return bases
}

// fallbackTemp is where sockets go when the temporary folder's path is too long. Tests change it.
var fallbackTemp = "/tmp"

func makeRunDir(base string) (*runDir, error) {
	base, err := filepath.Abs(base)
	if err != nil {
		return nil, err
	}
	path, err := os.MkdirTemp(base, runDirPrefix)
	if err != nil {
		return nil, err
	}
	lock, err := lockFile(filepath.Join(path, lockName))
	if err != nil {
		_ = os.RemoveAll(path)
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	return &runDir{path: path, lock: lock}, nil
}

// remove deletes the folder.
func (d *runDir) remove() {
	_ = os.RemoveAll(d.path)
	_ = d.lock.Close()
}

// pluginDirs are the folders of one process.
type pluginDirs struct{ root, work, tmp string }

// plugin makes the folders of the n-th process.
func (d *runDir) plugin(n int) (pluginDirs, error) {
	root := filepath.Join(d.path, fmt.Sprint(n))
	dirs := pluginDirs{root: root, work: filepath.Join(root, "work"), tmp: filepath.Join(root, "tmp")}
	for _, p := range []string{dirs.root, dirs.work, dirs.tmp} {
		if err := os.Mkdir(p, 0o700); err != nil {
			return pluginDirs{}, err
		}
	}
	return dirs, nil
}

// sweep removes the folders that killed hosts have left beside this one.
func (d *runDir) sweep() {
	base := filepath.Dir(d.path)
	f, err := os.Open(base)
	if err != nil {
		return
	}
	defer f.Close()
	names, _ := f.Readdirnames(-1)
	for _, name := range names {
		if path := filepath.Join(base, name); strings.HasPrefix(name, runDirPrefix) && path != d.path && stale(path) {
			_ = os.RemoveAll(path)
		}
	}
}

func stale(path string) bool {
	info, err := os.Lstat(path)
	if err != nil || !info.IsDir() || time.Since(info.ModTime()) < sweepAge || !ownFile(info) {
		return false
	}
	lock, err := lockFile(filepath.Join(path, lockName))
	if err != nil {
		return false
	}
	_ = lock.Close()
	return true
}
