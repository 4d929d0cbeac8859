//go:build unix

package tags

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

func TestMain(m *testing.M) {
	code := m.Run()
	faulty.remove()
	os.Exit(code)
}

// faulty is the plugin that misbehaves on purpose, built when a test first needs it.
var faulty faultyPlugin

type faultyPlugin struct {
	once sync.Once
	dir  string
	err  error
}

func (f *faultyPlugin) build() (path string, err error) {
	f.once.Do(func() {
		if f.dir, f.err = os.MkdirTemp("", "faulty"); f.err != nil {
			return
		}
		out, err := exec.Command("go", "build", "-o", f.path(), "../pluginhost/testdata/faulty").CombinedOutput()
		if err != nil {
			f.err = fmt.Errorf("build the faulty plugin: %v: %s", err, out)
		}
	})
	return f.path(), f.err
}

func (f *faultyPlugin) path() string { return filepath.Join(f.dir, "faulty") }

func (f *faultyPlugin) remove() {
	if f.dir != "" {
		_ = os.RemoveAll(f.dir)
	}
}
