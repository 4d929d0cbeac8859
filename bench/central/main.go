// Command central tells where a map has the files that a repository's own documents call central.
//
//	go run ./bench/central [-program REPOX] DIR...
//
// The lists are in central.txt, by the name of the repository's folder. They were written before the weights were last
// changed, and are few: they show a kind of fault, and do not measure quality to the percent.
package main

import (
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

//go:embed central.txt
var lists string

// first is how many files of a map someone reads.
const first = 30

func main() {
	program := flag.String("program", "", "the `file` to run instead of building repox")
	flag.Parse()
	if flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(*program, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "central:", err)
		os.Exit(1)
	}
}

func run(program string, dirs []string) error {
	tmp, err := os.MkdirTemp("", "repox-central")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	if program == "" {
		program = filepath.Join(tmp, "repox")
		if out, err := exec.Command("go", "build", "-o", program, "./cmd/repox").CombinedOutput(); err != nil {
			return fmt.Errorf("build repox: %w\n%s", err, out)
		}
	}
	found, wanted, sum := 0, 0, 0.0
	for _, dir := range dirs {
		name := filepath.Base(dir)
		list := central(name)
		if list == nil {
			return fmt.Errorf("central.txt has no list for %q", name)
		}
		order, err := files(program, dir)
		if err != nil {
			return err
		}
		n, late := 0, []string{}
		for _, path := range list {
			at := slices.Index(order, path) + 1
			switch {
			case at == 0:
				late = append(late, path+" (not shown)")
			case at > first:
				late = append(late, fmt.Sprintf("%s (%d)", path, at))
			default:
				n++
			}
			if at > 0 {
				sum += 1 / float64(1+at/first)
			}
		}
		found += n
		wanted += len(list)
		fmt.Printf("%s: %d of %d among the first %d of %d files\n", name, n, len(list), first, len(order))
		if len(late) > 0 {
			fmt.Printf("\tlater: %s\n", strings.Join(late, ", "))
		}
	}
	fmt.Printf("all: %d of %d; with those that come later counted less, %.1f\n", found, wanted, sum)
	return nil
}

// central gives the list of a repository, nil for none.
func central(name string) []string {
	var out []string
	reading := false
	for line := range strings.Lines(lists) {
		path, listed := strings.CutPrefix(strings.TrimRight(line, "\n"), "\t")
		switch {
		case listed && reading:
			out = append(out, path)
		case !listed:
			reading = strings.HasPrefix(line, name+":")
		}
	}
	return out
}

// files gives the files of a large map, in their order.
func files(program, dir string) ([]string, error) {
	out, err := exec.Command(program, "map", dir, "--format", "json", "--budget", "400000").Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			err = fmt.Errorf("%w: %s", err, exit.Stderr)
		}
		return nil, fmt.Errorf("map %s: %w", dir, err)
	}
	var v struct{ Files []struct{ Path string } }
	if err := json.Unmarshal(out, &v); err != nil {
		return nil, err
	}
	paths := make([]string, len(v.Files))
	for i, f := range v.Files {
		paths[i] = f.Path
	}
	return paths, nil
}
