package source

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// gitTool calls the git command so that nothing a repository configures can run.
type gitTool struct {
	exe string
	env []string
	// patience bounds a question that git answers at once unless a file it reads, such as an included one, is a pipe.
	patience time.Duration
}

// errNoGit says that the git command is not to be had; the caller does without or says so.
var errNoGit = errors.New("git is not on PATH")

// The limits of a call that may have much to read, and of a question. They are for a repository built to make git
// wait, not for a slow disk.
const (
	gitTimeout  = 5 * time.Minute
	gitPatience = 10 * time.Second
)

// overrides win over every configuration file, included ones too, because settings of the command line are read last.
// The calls made here trigger few of them; the rest cost nothing and keep that true for any version of git.
var overrides = []string{
	"core.fsmonitor=false",
	"core.hooksPath=" + os.DevNull,
	"core.pager=cat",
	"core.editor=false",
	"core.askPass=",
	"core.sshCommand=false",
	"core.gitProxy=",
	"core.alternateRefsCommand=:",
	"core.untrackedCache=false",
	"credential.helper=",
	"diff.external=",
	"gpg.program=false",
	"gpg.ssh.program=false",
	"gpg.x509.program=false",
	"log.showSignature=false",
	"protocol.allow=never",
	"protocol.ext.allow=never",
	"protocol.file.allow=never",
	"protocol.git.allow=never",
	"protocol.http.allow=never",
	"protocol.https.allow=never",
	"protocol.ssh.allow=never",
	"submodule.recurse=false",
	"fetch.recurseSubmodules=false",
	"gc.auto=0",
	"maintenance.auto=false",
	"advice.detachedHead=false",
}

// passedEnv is the only environment that git gets: where the user's own configuration lies, and what programs need to start.
var passedEnv = []string{
	"HOME", "XDG_CONFIG_HOME", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM",
	"GIT_CEILING_DIRECTORIES", "GIT_DISCOVERY_ACROSS_FILESYSTEM", "SUDO_UID", "TMPDIR", "DEVELOPER_DIR",
	"USERPROFILE", "HOMEDRIVE", "HOMEPATH", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "SYSTEMROOT", "TEMP", "TMP",
}

// fixedEnv keeps git from waiting, writing, fetching and translating. The protocol lists say the same twice: older
// versions do not know GIT_NO_LAZY_FETCH, and a missing object must not start a transport.
var fixedEnv = []string{
	"GIT_OPTIONAL_LOCKS=0",
	"GIT_NO_LAZY_FETCH=1",
	"GIT_TERMINAL_PROMPT=0",
	"GIT_ALLOW_PROTOCOL=",
	"GIT_PROTOCOL_FROM_USER=0",
	"GIT_PAGER=cat",
	"GIT_FLUSH=0",
	"LC_ALL=C",
}

// findGit looks git up on PATH. Entries that are relative or lie inside the tree to be read are passed over: their
// programs come from whoever wrote the tree.
func findGit(boundary string) *gitTool {
	var dirs []string
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		if filepath.IsAbs(dir) && !within(dir, boundary) {
			dirs = append(dirs, dir)
		}
	}
	for _, dir := range dirs {
		exe := filepath.Join(dir, "git")
		if runtime.GOOS == "windows" {
			exe += ".exe"
		}
		if real, err := filepath.EvalSymlinks(exe); err != nil || within(real, boundary) || !isExecutable(real) {
			continue
		}
		g := &gitTool{exe: exe, patience: gitPatience, env: append([]string{"PATH=" + strings.Join(dirs, string(filepath.ListSeparator))}, fixedEnv...)}
		for _, key := range passedEnv {
			if value, ok := os.LookupEnv(key); ok {
				g.env = append(g.env, key+"="+value)
			}
		}
		return g
	}
	return nil
}

func isExecutable(name string) bool {
	st, err := os.Stat(name)
	return err == nil && st.Mode().IsRegular() && (runtime.GOOS == "windows" || st.Mode()&0o111 != 0)
}

// within tells whether a path is a directory or lies below it.
func within(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// command prepares a call in a directory.
func (g *gitTool) command(ctx context.Context, dir string, args ...string) *exec.Cmd {
	full := []string{"--no-pager", "--no-optional-locks", "--literal-pathspecs"}
	for _, o := range overrides {
		full = append(full, "-c", o)
	}
	cmd := exec.CommandContext(ctx, g.exe, append(full, args...)...)
	cmd.Dir = dir
	cmd.Env = append([]string{"PWD=" + dir}, g.env...)
	cmd.WaitDelay = time.Second
	return cmd
}

// gitError is a call that git answered with an error status.
type gitError struct {
	args   []string
	status int
	stderr string
}

// Error gives git's own first line.
func (e *gitError) Error() string {
	line, _, _ := strings.Cut(strings.TrimSpace(e.stderr), "\n")
	if line == "" {
		line = fmt.Sprintf("exit status %d", e.status)
	}
	return fmt.Sprintf("git %s: %s", e.args[0], strings.TrimPrefix(line, "fatal: "))
}

// output runs git and gives its standard output.
func (g *gitTool) output(ctx context.Context, dir string, args ...string) ([]byte, error) {
	return g.outputWithin(ctx, gitTimeout, dir, args...)
}

// answer is output for a question that takes git no time.
func (g *gitTool) answer(ctx context.Context, dir string, args ...string) ([]byte, error) {
	return g.outputWithin(ctx, g.patience, dir, args...)
}

func (g *gitTool) outputWithin(ctx context.Context, limit time.Duration, dir string, args ...string) ([]byte, error) {
	out, _, err := g.outputUpTo(ctx, limit, math.MaxInt, dir, args...)
	return out, err
}

// outputUpTo gives at most so many bytes of the output and tells whether there would have been more.
func (g *gitTool) outputUpTo(ctx context.Context, limit time.Duration, most int, dir string, args ...string) (out []byte, more bool, err error) {
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := g.command(limited, dir, args...)
	stdout := boundedBuffer{most: most}
	var stderr headBuffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err = cmd.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return nil, false, ctx.Err()
	case err == nil, stdout.full:
		return stdout.buf.Bytes(), stdout.full, nil
	case limited.Err() != nil:
		return nil, false, fmt.Errorf("git %s did not answer within %v", args[0], limit)
	case errors.As(err, &exit):
		return nil, false, &gitError{args: args, status: exit.ExitCode(), stderr: string(stderr)}
	}
	return nil, false, fmt.Errorf("run git %s: %w", args[0], err)
}

// boundedBuffer is a writer that takes a number of bytes and then fails, which ends the program that writes.
type boundedBuffer struct {
	// buf is not embedded: its ReadFrom would take everything.
	buf  bytes.Buffer
	most int
	full bool
}

var errFull = errors.New("more output than is wanted")

// Write fails when there is no room left.
func (b *boundedBuffer) Write(p []byte) (int, error) {
	if room := b.most - b.buf.Len(); len(p) > room {
		b.full = true
		n, _ := b.buf.Write(p[:room])
		return n, errFull
	}
	return b.buf.Write(p)
}

// headBuffer is a writer that keeps the beginning of what it gets, enough for a message.
type headBuffer []byte

// Write never fails, so that a talkative program is not stopped.
func (h *headBuffer) Write(p []byte) (int, error) {
	if room := 4096 - len(*h); room > 0 {
		*h = append(*h, p[:min(room, len(p))]...)
	}
	return len(p), nil
}
