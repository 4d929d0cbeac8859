package pluginhost

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"sync"
	"time"
)

const (
	// drainTime is how long the pipes of an ended process are still read: a grandchild may hold them open for ever.
	drainTime = 250 * time.Millisecond
	// reapTime is how long a killed process may take to be gone. Only one stuck in the kernel needs it.
	reapTime = 2 * time.Second
)

// errEnded: the process was ended before or while it started.
var errEnded = errors.New("plugin was ended")

// processRunner starts a plugin's process, reads its pipes and ends it. It implements go-plugin's runner.Runner, which
// hands go-plugin nothing but the handshake line.
//
//  1. The process leads a process group of its own, which is killed whole.
//  2. Standard input is a pipe that nothing is written to: its end tells the plugin that the host is gone.
//  3. Both outputs are read to their end, whatever comes.
//  4. exited is closed once the process is reaped, its group killed and its pipes are closed.
type processRunner struct {
	cmd         *exec.Cmd
	name        string
	log         *slog.Logger
	hostVersion string

	handshakes *handoff
	tail       stderrTail
	exited     chan struct{}

	mu       sync.Mutex
	process  *os.Process
	reaped   bool
	lifeline *os.File
	conns    []net.Conn
	greeting *handshake
	refusal  *StartError
	cause    *CrashError
	killed   bool
	startErr error

	// state is set before exited is closed.
	state *os.ProcessState
}

func newProcessRunner(cmd *exec.Cmd, name, hostVersion string, log *slog.Logger) *processRunner {
	return &processRunner{
		cmd: cmd, name: name, hostVersion: hostVersion, log: log,
		handshakes: newHandoff(), exited: make(chan struct{}),
	}
}

// Start implements runner.Runner.
func (r *processRunner) Start(context.Context) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	err := errEnded
	if !r.killed {
		err = r.start()
	}
	if err != nil {
		r.startErr = err
		r.handshakes.close()
		close(r.exited)
	}
	return err
}

func (r *processRunner) start() error {
	p, err := newPipes()
	if err != nil {
		return err
	}
	r.cmd.Stdin, r.cmd.Stdout, r.cmd.Stderr = p.stdinRead, p.stdoutWrite, p.stderrWrite
	ownGroup(r.cmd)
	cmd, err := startCommand(r.cmd)
	p.closeChildEnds()
	if err != nil {
		p.closeHostEnds()
		return err
	}
	r.process, r.lifeline = cmd.Process, p.stdinWrite
	// The three goroutines end with the process: reap closes what the readers read.
	var readers sync.WaitGroup
	readers.Go(func() { copyLines(p.stdoutRead, r.stdoutLine) })
	readers.Go(func() { copyLines(p.stderrRead, r.stderrLine) })
	go r.reap(p, &readers)
	return nil
}

// reap waits for the process's end and clears up after it.
func (r *processRunner) reap(p *pipes, readers *sync.WaitGroup) {
	r.collect()
	drained := make(chan struct{})
	go func() {
		readers.Wait()
		close(drained)
	}()
	select {
	case <-drained:
	case <-time.After(drainTime):
	}
	p.closeHostEnds()
	<-drained
	r.mu.Lock()
	for _, c := range r.conns {
		_ = c.Close()
	}
	r.conns = nil
	r.mu.Unlock()
	r.handshakes.close()
	close(r.exited)
}

// collect waits for the process's end, kills what is left of its group and reaps it.
func (r *processRunner) collect() {
	state := awaitExit(r.process)
	r.mu.Lock()
	defer r.mu.Unlock()
	killGroup(r.process)
	if state == nil {
		state, _ = r.process.Wait()
	}
	r.state = state
	r.killed, r.reaped = true, true
}

// stdoutLine takes the first handshake; everything before and after it is log.
func (r *processRunner) stdoutLine(line []byte, dropped int) {
	if dropped == 0 && r.takeHandshake(string(line)) {
		return
	}
	r.tail.add(line)
	r.logLine("stdout", line, dropped)
}

func (r *processRunner) stderrLine(line []byte, dropped int) {
	r.tail.add(line)
	r.logLine("stderr", line, dropped)
}

func (r *processRunner) logLine(stream string, line []byte, dropped int) {
	logTo(r.log, line, dropped, slog.String("plugin", r.name), slog.String("stream", stream))
}

func (r *processRunner) takeHandshake(line string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.greeting != nil {
		return false
	}
	h, ok := parseHandshake(line)
	if !ok {
		return false
	}
	r.greeting = &h
	if r.refusal = h.check(r.hostVersion); r.refusal != nil {
		// go-plugin would refuse it too, with an error that has no type.
		r.handshakes.close()
		return true
	}
	r.handshakes.give(line)
	return true
}

// dial connects to the plugin. The connection ends with the process even when somebody else holds its other end.
func (r *processRunner) dial(ctx context.Context, _ string) (net.Conn, error) {
	r.mu.Lock()
	h, ended := r.greeting, r.killed
	r.mu.Unlock()
	if h == nil || ended {
		return nil, errEnded
	}
	var d net.Dialer
	conn, err := d.DialContext(ctx, h.network, h.address)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.killed {
		_ = conn.Close()
		return nil, errEnded
	}
	r.conns = append(r.conns, conn)
	return conn, nil
}

// end kills the group at once. The first cause given is the one that is told.
func (r *processRunner) end(cause *CrashError) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.cause == nil {
		r.cause = cause
	}
	r.killed = true
	// Once it is reaped, its number may belong to another process.
	if r.process != nil && !r.reaped {
		killGroup(r.process)
	}
}

// expect notes the cause of an end that is about to come.
func (r *processRunner) expect(cause *CrashError) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.cause == nil {
		r.cause = cause
	}
}

// cutLifeline closes standard input, which asks the plugin to end.
func (r *processRunner) cutLifeline() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.lifeline != nil {
		_ = r.lifeline.Close()
	}
}

// gone waits until the process is gone, at most for d.
func (r *processRunner) gone(d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-r.exited:
		return true
	case <-t.C:
		return false
	}
}
