package pluginhost

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
)

// privateNetwork is what a plugin may listen on. Any user of the machine can connect to it, hence useMTLS.
const (
	privateNetwork = "tcp"
	useMTLS        = true
	maxSocketPath  = 1 << 15
)

// ownGroup does nothing: there are no process groups to kill. Children of a plugin end when they notice.
func ownGroup(*exec.Cmd) {}

func killGroup(p *os.Process) { _ = p.Kill() }

func startCommand(cmd *exec.Cmd) (*exec.Cmd, error) { return cmd, cmd.Start() }

func awaitExit(p *os.Process) *os.ProcessState {
	state, _ := p.Wait()
	return state
}

func signalOf(*os.ProcessState) string { return "" }

func startReason(err error) (reason StartReason, detail, next string) {
	if errors.Is(err, fs.ErrNotExist) {
		return NotFound, "", "check the path"
	}
	return StartFailed, err.Error(), ""
}
