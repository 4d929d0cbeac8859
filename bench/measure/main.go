// Command measure holds repox against its floors on one folder of Go files, in one run, and prints ratios. It builds
// what it needs.
//
//	go run ./bench/measure [-n 3] [-edit] DIR
//
// Each ratio is of medians of n runs taken in turn:
//
//	cold   CPU time of all processes of `repox run` on an empty cache, to a bare parse of the same files
//	pack   CPU time of a pack process that serves every file, with its host, to the same
//	again  wall time of the second run, to `git status` (to `find` outside of a work tree)
//	edit   wall time of the run after one file has changed, to the same; only with -edit, as it writes to DIR
//
// Beside them it prints the largest resident size of a single process and whether the second run read or parsed anything.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"syscall"
	"time"
)

func main() {
	n := flag.Int("n", 3, "runs of each kind")
	edit := flag.Bool("edit", false, "append a line to one file of DIR and take it away again")
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(flag.Arg(0), *n, *edit); err != nil {
		fmt.Fprintln(os.Stderr, "measure:", err)
		os.Exit(1)
	}
}

// programs are the paths of what is measured.
type programs struct {
	repox, bare, pack string
}

func run(dir string, n int, edit bool) error {
	tmp, err := os.MkdirTemp("", "repox-measure")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	p, err := build(tmp)
	if err != nil {
		return err
	}
	var cold, bare, pack, again, reference, edited []float64
	var resident int64
	for i := range n {
		cache := filepath.Join(tmp, fmt.Sprint("cache", i))
		b, err := measure(nil, p.bare, dir)
		if err != nil {
			return err
		}
		c, err := measure(cacheAt(cache), p.repox, "run", "--path", dir, "--quiet")
		if err != nil {
			return err
		}
		s, err := measure(nil, p.pack, "--repox", p.repox, dir)
		if err != nil {
			return err
		}
		bare, cold, pack = append(bare, b.cpu), append(cold, c.cpu), append(pack, s.cpu)
		resident = max(resident, c.resident)
		// A file written less than two seconds ago is read again by design; the floor has no such scruples.
		time.Sleep(2 * time.Second)
		for range 3 {
			a, err := measure(cacheAt(cache), p.repox, "run", "--path", dir, "--quiet")
			if err != nil {
				return err
			}
			r, err := measure(nil, look(dir)[0], look(dir)[1:]...)
			if err != nil {
				return err
			}
			again, reference = append(again, a.wall), append(reference, r.wall)
		}
		if edit {
			e, err := afterEdit(p, dir, cache)
			if err != nil {
				return err
			}
			edited = append(edited, e)
		}
	}
	fmt.Printf("cold %.2f  pack %.2f  again %.2f (to %s)", median(cold)/median(bare), median(pack)/median(bare),
		median(again)/median(reference), filepath.Base(look(dir)[0]))
	if edit {
		fmt.Printf("  edit %.2f", median(edited)/median(reference))
	}
	fmt.Printf("  resident %d MiB\n", resident>>20)
	return nil
}

func build(tmp string) (programs, error) {
	p := programs{filepath.Join(tmp, "repox"), filepath.Join(tmp, "bareparse"), filepath.Join(tmp, "packserve")}
	for path, pkg := range map[string]string{p.repox: "./cmd/repox", p.bare: "./bench/bareparse", p.pack: "./bench/packserve"} {
		out, err := exec.Command("go", "build", "-o", path, pkg).CombinedOutput()
		if err != nil {
			return p, fmt.Errorf("build %s: %w\n%s", pkg, err, out)
		}
	}
	return p, nil
}

func cacheAt(dir string) []string { return []string{"REPOX_CACHE_DIR=" + dir} }

// cost is what a program and the processes it waited for took.
type cost struct {
	wall, cpu float64 // seconds
	resident  int64   // bytes
}

func measure(env []string, name string, args ...string) (cost, error) {
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), env...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	start := time.Now()
	if err := cmd.Run(); err != nil {
		return cost{}, fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, stderr.String())
	}
	c := cost{wall: time.Since(start).Seconds()}
	c.cpu = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	if ru, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		c.resident = int64(ru.Maxrss) << 10
	}
	return c, nil
}

// look is a command that looks at every file of dir as a second run must.
func look(dir string) []string {
	if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil && dir != "" {
		return []string{"git", "-C", dir, "status", "--porcelain"}
	}
	return []string{"find", dir, "-type", "f", "-size", "+0"}
}

func afterEdit(p programs, dir, cache string) (wall float64, err error) {
	victim, err := someFile(dir)
	if err != nil {
		return 0, err
	}
	old, err := os.ReadFile(victim)
	if err != nil {
		return 0, err
	}
	if err := os.WriteFile(victim, append(old[:len(old):len(old)], "\n// edited\n"...), 0o644); err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, os.WriteFile(victim, old, 0o644)) }()
	c, err := measure(cacheAt(cache), p.repox, "run", "--path", dir, "--quiet")
	return c.wall, err
}

// someFile gives the middle one of the Go files.
func someFile(dir string) (string, error) {
	var files []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && filepath.Ext(path) == ".go" {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		return "", err
	}
	if len(files) == 0 {
		return "", fmt.Errorf("no Go file in %s", dir)
	}
	sort.Strings(files)
	return files[len(files)/2], nil
}

func median(v []float64) float64 {
	sort.Float64s(v)
	return v[len(v)/2]
}
