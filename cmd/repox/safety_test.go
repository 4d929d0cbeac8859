package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// plant writes a repository with secrets in it and gives them. They are put together here, so that none stands in this
// file.
func plant(t *testing.T) (dir string, secrets []string) {
	t.Helper()
	aws := "AKIA" + "Q3EGRIXV7NBTW5LK"
	github := "gh" + "p_" + "a8Xk29QmZ41LpRt77BvCwYd3EuHnJs60GfTi"
	keyBody := strings.Repeat("MIIEpAIBAAKCAQEA7bq3"+"Zt9Kx0", 3)
	begin, end := "-----BEGIN RSA "+"PRIVATE KEY-----", "-----END RSA "+"PRIVATE KEY-----"
	dir = t.TempDir()
	files := map[string]string{
		"keys.go": fmt.Sprintf("package keys\n\nconst AwsKey = %q\n\nvar Token = %q\n\n// Pem holds %s.\nvar Pem = `%s\n%s\n%s`\n\nfunc Use(k string) string { return k }\n",
			aws, github, aws, begin, keyBody, end),
		"short.go":                 "package keys\n\n// Default is " + github + "\nconst Default, Next = \"" + aws + "\", 1\n",
		"dir-" + aws + "/x.go":     "package x\n\nfunc X() {}\n",
		"name.go":                  "package keys\n\nfunc Get_" + github + "() {}\n",
		"param.go":                 "package keys\n\nfunc P(k struct{ a [len(\"" + aws + "\")]int }) {}\n",
		".env":                     "TOKEN=" + github + "\n",
		"broken_" + github + ".go": "package x\n\nfunc broken( {\n",
	}
	for name, content := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir, []string{aws, github, keyBody, keyBody[:20]}
}

func TestNoSecretLeaves(t *testing.T) {
	dir, secrets := plant(t)
	tmp := t.TempDir()
	for _, format := range []string{"text", "markdown", "json"} {
		for _, focus := range secrets[:2] {
			cmd := exec.Command(filepath.Join(binaries, "repox"), "map", dir, "--format", format, "--focus", focus, "--log-level", "debug", "--timings")
			cmd.Env = append(os.Environ(), "REPOX_CACHE_DIR="+filepath.Join(tmp, "cache"))
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			if !bytes.Contains(out, []byte("REDACTED")) || !bytes.Contains(out, []byte("func Use")) {
				t.Errorf("%s: not what was expected:\n%s", format, out)
			}
			for _, s := range secrets {
				if bytes.Contains(out, []byte(s)) {
					t.Errorf("%s: a secret came through:\n%s", format, out)
				}
			}
		}
	}
}

func TestMessagesQuoteNoSecret(t *testing.T) {
	dir, secrets := plant(t)
	file := filepath.Join(dir, "p.yaml")
	if err := os.WriteFile(file, []byte("version: 1\nextends: map\nverify: "+secrets[1]+"\nlimits: {file: {time: "+secrets[0]+"}}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"lint", file},
		{"run", "--set", "report.budget=" + secrets[1]},
		{"map", filepath.Join(dir, "no-"+secrets[0])},
		{"map", dir, "--rev", secrets[1]},
		{"run", filepath.Join(dir, secrets[1]+".yaml")},
		{"run", "--" + secrets[1]},
	} {
		out, err := exec.Command(filepath.Join(binaries, "repox"), args...).CombinedOutput()
		if err == nil || len(out) == 0 {
			t.Errorf("%q: no error", args)
		}
		for _, s := range secrets {
			if bytes.Contains(out, []byte(s)) {
				t.Errorf("%q: a secret came through:\n%s", args, out)
			}
		}
	}
}

// snapshot gives the names, sizes and times below dir.
func snapshot(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		fmt.Fprintln(&b, path, info.Size(), info.ModTime(), info.Mode())
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestNothingIsWrittenIntoTheRepository(t *testing.T) {
	dir, _ := plant(t)
	before := snapshot(t, dir)
	cmd := exec.Command(filepath.Join(binaries, "repox"), "map")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "REPOX_CACHE_DIR="+t.TempDir())
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if after := snapshot(t, dir); after != before {
		t.Errorf("before\n%s\nafter\n%s", before, after)
	}
}

// TestTheAnswerIsAlwaysTheSame runs on this repository with few and many workers, with and without a cache.
func TestTheAnswerIsAlwaysTheSame(t *testing.T) {
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	cache := t.TempDir()
	var first []byte
	for _, procs := range []string{"1", "8", "2"} {
		for _, extra := range [][]string{{"--no-cache"}, nil, nil} {
			cmd := exec.Command(filepath.Join(binaries, "repox"), append([]string{"run", filepath.Join(root, "pipeline.yaml")}, extra...)...)
			cmd.Env = append(os.Environ(), "GOMAXPROCS="+procs, "REPOX_CACHE_DIR="+cache)
			out, err := cmd.Output()
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = out
			}
			if !bytes.Equal(first, out) {
				t.Fatalf("GOMAXPROCS=%s %v gives another answer", procs, extra)
			}
		}
	}
	if !bytes.Contains(first, []byte("core/")) {
		t.Errorf("the map of this repository is\n%s", first)
	}
}
