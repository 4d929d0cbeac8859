package pluginhost

// obituary tells how the process ended, which must be so.
func (r *processRunner) obituary() *CrashError {
	c := &CrashError{Plugin: r.name, ExitCode: -1}
	r.mu.Lock()
	if r.cause != nil {
		c.Cause, c.Detail = r.cause.Cause, r.cause.Detail
	}
	given := r.cause != nil
	if r.state != nil {
		c.ExitCode, c.Signal = r.state.ExitCode(), signalOf(r.state)
	}
	r.mu.Unlock()
	if !given && c.Signal == "SIGKILL" {
		c.Cause = OutOfMemory
	}
	c.Panic, c.StderrTail = r.tail.snapshot()
	return c
}
