//go:build unix

package pluginhost

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// privateNetwork is what a plugin may listen on.
const privateNetwork = "unix"

// useMTLS: the socket lies in a folder that only this user can enter.
const useMTLS = false

// ownGroup makes the process lead a group: a Ctrl-C at the terminal does not reach it, and it can be killed with its
// children.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}

func killGroup(p *os.Process) { _ = unix.Kill(-p.Pid, unix.SIGKILL) }

// startCommand starts what spec describes. A file that was written a moment ago may still be held open for writing by a
// process that is just being forked; that passes.
func startCommand(spec *exec.Cmd) (*exec.Cmd, error) {
	pause := 5 * time.Millisecond
	for {
		cmd := &exec.Cmd{
			Path: spec.Path, Args: spec.Args, Env: spec.Env, Dir: spec.Dir, SysProcAttr: spec.SysProcAttr,
			Stdin: spec.Stdin, Stdout: spec.Stdout, Stderr: spec.Stderr,
		}
		err := cmd.Start()
		if !errors.Is(err, unix.ETXTBSY) || pause > 100*time.Millisecond {
			return cmd, err
		}
		time.Sleep(pause)
		pause *= 2
	}
}

// signalOf names the signal that ended the process, or is empty.
func signalOf(s *os.ProcessState) string {
	if ws, ok := s.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return unix.SignalName(ws.Signal())
	}
	return ""
}

// startReason sorts an error of exec.
func startReason(err error) (reason StartReason, detail, next string) {
	switch {
	case errors.Is(err, unix.ENOEXEC):
		return NotExecutable, "the file is no program for this system", "if it is a script, begin it with a #! line; else get the build for this system"
	case errors.Is(err, unix.ENOENT):
		return NotFound, "the file or the interpreter it names is missing", "check the path and the #! line"
	case errors.Is(err, unix.EACCES), errors.Is(err, unix.EPERM):
		return NotExecutable, "permission denied", "check its mode, and that its folder is not mounted noexec"
	}
	return StartFailed, err.Error(), ""
}
