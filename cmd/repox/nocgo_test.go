package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestWithoutCgo: the program starts, and what cannot work says in one line what to install.
func TestWithoutCgo(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "repox")
	build := exec.Command("go", "build", "-o", program, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	run := func(args ...string) (string, int) {
		cmd := exec.Command(program, args...)
		cmd.Env = append(os.Environ(), "REPOX_CACHE_DIR="+filepath.Join(dir, "cache"))
		out, _ := cmd.CombinedOutput()
		return string(out), cmd.ProcessState.ExitCode()
	}
	if out, status := run("--version"); status != 0 || !strings.HasPrefix(out, "repox ") {
		t.Errorf("--version gives %d and %q", status, out)
	}
	source := filepath.Join(dir, "tree")
	if err := os.Mkdir(source, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(source, "a.go"), []byte("package a\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	out, status := run("map", source, "--no-cache")
	if status != 4 || strings.Count(out, "\n") != 1 || !strings.Contains(out, "install gcc or clang") {
		t.Errorf("map gives %d and\n%s", status, out)
	}
}
