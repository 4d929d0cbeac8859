//go:build unix

package pluginhost

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestStartAndFirstCall(t *testing.T) {
	w := newWorld(t)
	p := w.start("good")
	resp, err := p.Describe(w.context())
	if err != nil {
		t.Fatal(err)
	}
	if len(resp.Components) != 2 {
		t.Errorf("got %d components, want 2", len(resp.Components))
	}
	if err := p.Stop(w.context()); err != nil {
		t.Error(err)
	}
	waitGone(t, p.PID())
	if err := p.Stop(w.context()); err != nil {
		t.Errorf("second stop: %v", err)
	}
}

func TestNoiseOnStandardOutputIsLog(t *testing.T) {
	for mode, said := range map[string]string{
		"noise-before": "hello from an init function",
		"noise-after":  "noise through go-plugin's pipe",
		"long-before":  "dropped_bytes=",
		"long-after":   "dropped_bytes=",
		"bad-log":      `{\"an\":\"object\"}`,
	} {
		t.Run(mode, func(t *testing.T) {
			w := newWorld(t)
			p := w.start(mode)
			for range 3 {
				if _, err := p.Describe(w.context()); err != nil {
					t.Fatal(err)
				}
			}
			w.log.eventually(t, said)
			if in := w.do(p, "echo"); in == "" {
				t.Error("no instance")
			}
		})
	}
}

func TestFailedStartsSayWhy(t *testing.T) {
	tests := []struct {
		mode   string
		reason StartReason
		says   []string
	}{
		{"exit0", ExitedBeforeHandshake, []string{"exit status 0", "mode exit0"}},
		{"exit3", ExitedBeforeHandshake, []string{"exit status 3", "cannot read its grammar"}},
		{"panic", ExitedBeforeHandshake, []string{"exit status 2", "panic: no grammar"}},
		{"too-old", ProtocolVersion, []string{"speaks protocol 0", "repox 1.2.3 speaks 1", "upgrade the plugin"}},
		{"too-new", ProtocolVersion, []string{"speaks protocol 7", "repox 1.2.3 speaks 1", "upgrade repox"}},
		{"old-core", ProtocolVersion, []string{"version 0", "upgrade the plugin"}},
		{"silent", HandshakeTimeout, []string{"1.5s", "start timeout"}},
		{"frozen-start", HandshakeTimeout, []string{"1.5s"}},
		{"lying", Unreachable, []string{"does not answer"}},
		{"netrpc", Transport, []string{"netrpc"}},
		{"tcp", Transport, []string{"127.0.0.1"}},
		{"orphan-maker", ExitedBeforeHandshake, []string{"exit status 4"}},
	}
	for _, tt := range tests {
		t.Run(tt.mode, func(t *testing.T) {
			w := newWorld(t, func(o *Options) { o.StartTimeout = 1500 * time.Millisecond })
			_, err := w.Start(w.context(), w.spec(tt.mode))
			checkStartError(t, err, tt.reason, tt.says...)
		})
	}
}

func checkStartError(t *testing.T, err error, reason StartReason, says ...string) {
	t.Helper()
	var e *StartError
	if !errors.As(err, &e) {
		t.Fatalf("got %v, want a *StartError", err)
	}
	if e.Reason != reason {
		t.Errorf("got reason %q, want %q: %v", e.Reason, reason, err)
	}
	says = append(says, "start plugin faulty")
	for _, s := range says {
		if !strings.Contains(err.Error(), s) {
			t.Errorf("error does not say %q: %v", s, err)
		}
	}
	if strings.ContainsAny(err.Error(), "\n\r") {
		t.Errorf("error has several lines: %q", err)
	}
}

func TestFilesThatAreNoPlugins(t *testing.T) {
	dir := t.TempDir()
	write := func(name, content string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	tests := []struct {
		name, path string
		reason     StartReason
		says       string
	}{
		{"missing", filepath.Join(dir, "none"), NotFound, "no such file"},
		{"folder", dir, NotExecutable, "folder"},
		{"mode", write("mode", "x", 0o644), NotExecutable, "chmod +x"},
		{"no shebang", write("script", "echo hello\n", 0o755), NotExecutable, "#! line"},
		{"no interpreter", write("lost", "#!/nonexistent/interpreter\n", 0o755), NotFound, "interpreter"},
		{"other system", write("other", "\x7fELF\x02\x01\x01\x00garbage", 0o755), NotExecutable, "this system"},
		{"error page", write("page", "<html>404</html>", 0o755), NotExecutable, "this system"},
		{"script that ends", write("ends", "#!/bin/sh\necho no plugin >&2; exit 5\n", 0o755), ExitedBeforeHandshake, "no plugin"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			_, err := w.Start(w.context(), Spec{Name: "faulty", Path: tt.path})
			checkStartError(t, err, tt.reason, tt.says)
		})
	}
}

func TestDigestIsCheckedBeforeTheStart(t *testing.T) {
	w := newWorld(t)
	b, err := os.ReadFile(faultyPath)
	if err != nil {
		t.Fatal(err)
	}
	right := sha256.Sum256(b)
	wrong := sha256.Sum256([]byte("another"))
	spec := w.spec("good")
	spec.Digest = wrong[:]
	_, err = w.Start(w.context(), spec)
	checkStartError(t, err, DigestMismatch, hex.EncodeToString(right[:]), hex.EncodeToString(wrong[:]))
	if w.log.String() != "" {
		t.Error("the plugin ran before its digest was checked")
	}
	// Twice: a check must not spoil the next.
	for range 2 {
		spec.Digest = right[:]
		if _, err := w.Start(w.context(), spec); err != nil {
			t.Error(err)
		}
	}
}

func TestTooLongTemporaryFolder(t *testing.T) {
	w := newWorld(t)
	long := filepath.Join(w.tmp, strings.Repeat("long/", 20))
	if err := os.MkdirAll(long, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(filepath.Join(w.tmp, "long")) })
	t.Setenv("TMPDIR", long)
	t.Setenv("XDG_RUNTIME_DIR", "")
	fallback := shortTempDir(t)
	useFallback(t, fallback)
	p := w.start("good")
	if _, err := p.Describe(w.context()); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if left, _ := os.ReadDir(fallback); len(left) > 0 {
		t.Errorf("left in the fallback: %v", left)
	}
	useFallback(t, long)
	_, err := New(Options{}).Start(w.context(), w.spec("good"))
	checkStartError(t, err, SocketPathTooLong, "TMPDIR", "at most")
	os.RemoveAll(filepath.Join(w.tmp, "long"))
}

func useFallback(t *testing.T, dir string) {
	old := fallbackTemp
	fallbackTemp = dir
	t.Cleanup(func() { fallbackTemp = old })
}

func TestCancelledStartEndsAtOnce(t *testing.T) {
	w := newWorld(t)
	ctx, cancel := context.WithCancel(w.context())
	go func() {
		time.Sleep(100 * time.Millisecond)
		cancel()
	}()
	_, err := w.Start(ctx, w.spec("silent"))
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want the context's error inside", err)
	}
	if _, err := w.Start(ctx, w.spec("good")); !errors.Is(err, context.Canceled) {
		t.Errorf("start under an ended context: got %v", err)
	}
}

func TestPluginsStartSideBySide(t *testing.T) {
	w := newWorld(t)
	errs := make(chan error, 5)
	for range cap(errs) {
		go func() {
			_, err := w.Start(w.context(), w.spec("good"))
			errs <- err
		}()
	}
	for range cap(errs) {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
}

func TestSecretsStayInTheHost(t *testing.T) {
	t.Setenv("GITHUB_TOKEN", "planted-secret")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "planted-secret")
	t.Setenv("GODEBUG", "planted=secret")
	w := newWorld(t)
	p := w.start("good")
	out, err := p.Process(w.context(), w.do(p, "env"), nil)
	if err != nil {
		t.Fatal(err)
	}
	env := string(out["env"])
	if strings.Contains(env, "planted") {
		t.Errorf("the plugin got a secret:\n%s", env)
	}
	for _, want := range []string{"PATH=", "TMPDIR=" + w.tmp, "CHILDREN="} {
		if !strings.Contains(env, want) {
			t.Errorf("the plugin lacks %s:\n%s", want, env)
		}
	}
	out, err = p.Process(w.context(), w.do(p, "pwd"), nil)
	if err != nil || !strings.HasPrefix(string(out["pwd"]), w.tmp) {
		t.Errorf("works in %q, %v; want a folder in %s", out["pwd"], err, w.tmp)
	}
}
