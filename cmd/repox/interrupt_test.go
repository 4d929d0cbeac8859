//go:build linux

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
)

// interrupted is a repository with a cache.
type interrupted struct{ repo, cache string }

func (i *interrupted) command(args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(binaries, "repox"), args...)
	cmd.Env = append(os.Environ(), "REPOX_CACHE_DIR="+i.cache)
	return cmd
}

// remembered asks how many files' tags are in the cache, and of how many files they could be.
func (i *interrupted) remembered(t *testing.T) (remembered, readable int) {
	t.Helper()
	out, err := i.command("index", "status", i.repo, "--format", "json").Output()
	if err != nil {
		t.Fatal(err)
	}
	var status struct{ Readable, Remembered int }
	if err := json.Unmarshal(out, &status); err != nil {
		t.Fatal(err)
	}
	return status.Remembered, status.Readable
}

// TestTheRunAfterAnInterruptUsesWhatWasExtracted interrupts a cold run in the middle of its extraction.
func TestTheRunAfterAnInterruptUsesWhatWasExtracted(t *testing.T) {
	i := &interrupted{repo: bigTree(t, 1), cache: t.TempDir()}
	for n := range 3000 {
		src := fmt.Sprintf("package small\n\nfunc Small%d(a int) int { return other(a) }\n", n)
		if err := os.WriteFile(filepath.Join(i.repo, fmt.Sprintf("small%d.go", n)), []byte(src), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for n := range 400 {
		b, err := os.ReadFile(filepath.Join(i.repo, "f0.go"))
		if err == nil {
			err = os.WriteFile(filepath.Join(i.repo, fmt.Sprintf("z%d.go", n)), append(b, fmt.Sprintf("// %d\n", n)...), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	var out, errs bytes.Buffer
	file := filepath.Join(t.TempDir(), "map.txt")
	cmd := i.command("map", i.repo, "--output", file)
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	waitUntil(t, "some files are extracted", func() bool { n, _ := i.remembered(t); return n > 0 })
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if status := cmd.ProcessState.ExitCode(); status != 130 || out.Len() > 0 || errs.String() != "repox: interrupted\n" {
		t.Fatalf("exit status %d, output %q and %q", status, out.String(), errs.String())
	}
	if left, err := os.ReadDir(filepath.Dir(file)); err != nil || len(left) > 0 {
		t.Errorf("beside the output there is %v, %v", left, err)
	}

	known, all := i.remembered(t)
	if known == 0 || known == all {
		t.Fatalf("%d of %d files were extracted before the interrupt, so there is nothing to see", known, all)
	}
	out.Reset()
	errs.Reset()
	cmd = i.command("map", i.repo, "--timings")
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, errs.String())
	}
	counts := regexp.MustCompile(`pack lang-go .* (\d+) files parsed, (\d+) remembered`).FindStringSubmatch(errs.String())
	if counts == nil || counts[1] != strconv.Itoa(all-known) || counts[2] != strconv.Itoa(known) {
		t.Errorf("with %d of %d files known, the next run says\n%s", known, all, errs.String())
	}
	want, err := i.command("map", i.repo, "--no-cache").Output()
	if err != nil || !bytes.Equal(want, out.Bytes()) {
		t.Errorf("the next run gives another answer than one without a cache, or %v", err)
	}
}

// TestAnInterruptAtAnyTimeGivesAllOrNothing interrupts a run when a plugin has just been started.
func TestAnInterruptAtAnyTimeGivesAllOrNothing(t *testing.T) {
	repo := bigTree(t, 40)
	want, err := (&interrupted{repo: repo, cache: t.TempDir()}).command("map", repo).Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, plugin := range []string{"lang-go", "extract", "rank", "redact", "report"} {
		t.Run(plugin, func(t *testing.T) {
			var out bytes.Buffer
			cmd, tmp := start(t, &out, "map", repo)
			ended := make(chan struct{})
			go func() {
				_ = cmd.Wait() // the status is looked at below
				close(ended)
			}()
			var pids map[string]int
			waitUntil(t, plugin+" runs, or the command has ended", func() bool {
				select {
				case <-ended:
					return true
				default:
					pids = children(cmd.Process.Pid)
					return pids[plugin] != 0
				}
			})
			_ = cmd.Process.Signal(os.Interrupt) // it may have ended
			<-ended
			switch status := cmd.ProcessState.ExitCode(); {
			case status == 130 && out.Len() == 0:
			case status == 0 && bytes.Equal(out.Bytes(), want):
			default:
				t.Errorf("exit status %d with %d bytes of %d", status, out.Len(), len(want))
			}
			for component, pid := range pids {
				waitUntil(t, component+" has ended", func() bool { return !alive(pid) })
			}
			if left, err := os.ReadDir(filepath.Join(tmp, "tmp")); err != nil || len(left) > 0 {
				t.Errorf("left in the temporary folder: %v, %v", left, err)
			}
			again := &interrupted{repo: repo, cache: filepath.Join(tmp, "cache")}
			if got, err := again.command("map", repo).Output(); err != nil || !bytes.Equal(got, want) {
				t.Errorf("the next run gives another answer, or %v", err)
			}
		})
	}
}
