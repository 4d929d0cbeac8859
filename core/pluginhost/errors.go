package pluginhost

import (
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	pluginv1 "github.com/repox-dev/repox/sdk/proto"
)

// StartReason says why a plugin could not be started.
type StartReason int

// The reasons of a StartError.
const (
	StartFailed StartReason = iota
	NotFound
	NotExecutable
	DigestMismatch
	ExitedBeforeHandshake
	HandshakeTimeout
	ProtocolVersion
	Transport
	Unreachable
	SocketPathTooLong
	NoRuntimeDir
)

var startReasons = map[StartReason]string{
	StartFailed: "the system refused to run it", NotFound: "no such file", NotExecutable: "not executable",
	DigestMismatch: "not the program that is pinned", ExitedBeforeHandshake: "it ended before it was ready",
	HandshakeTimeout: "it was not ready in time", ProtocolVersion: "it speaks another protocol version",
	Transport: "it offers no gRPC on a private socket", Unreachable: "it does not answer on its socket",
	SocketPathTooLong: "the temporary folder's path is too long for a socket", NoRuntimeDir: "no private folder for its socket",
}

// String gives the reason in words.
func (r StartReason) String() string { return startReasons[r] }

// StartError says that a plugin could not be started. The command line ends with the status for that on it.
type StartError struct {
	Plugin string
	Path   string
	Reason StartReason
	// Detail is what is known besides, in one line; Next is what to do.
	Detail string
	Next   string
	// Panic holds the first lines of a panic, StderrTail the last lines that the plugin wrote.
	Panic      []string
	StderrTail []string
	// Want and Got are the digests of a DigestMismatch.
	Want, Got []byte
	Err       error
}

// Error gives one line: what failed, where, and what to do next.
func (e *StartError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "start plugin %s (%s): %s", e.Plugin, e.Path, e.Reason)
	if e.Reason == DigestMismatch {
		fmt.Fprintf(&b, ": expected sha256 %s, got %s", hex.EncodeToString(e.Want), hex.EncodeToString(e.Got))
	}
	appendPart(&b, ": ", e.Detail)
	appendPart(&b, ": ", telling(e.Panic, e.StderrTail))
	appendPart(&b, "; ", e.Next)
	return b.String()
}

// Unwrap gives the cause, where the system or the context gave one.
func (e *StartError) Unwrap() error { return e.Err }

// Cause says why a process ended, as far as the host knows.
type Cause int

// The causes of a CrashError.
const (
	// Crashed: it ended by itself.
	Crashed Cause = iota
	// OutOfMemory: the system killed it, most likely for its memory.
	OutOfMemory
	// MemoryLimit: the host killed it above Spec.MemoryLimit.
	MemoryLimit
	// Frozen: the host killed it because it gave no sign of life.
	Frozen
	// Overdue: the host killed it because a call passed its deadline.
	Overdue
	// Faulty: the host killed it because of what it answered.
	Faulty
	// Stopped: the host stopped it while the call ran.
	Stopped
)

var causes = map[Cause]string{
	Crashed: "crashed", OutOfMemory: "was killed by the system, most likely for lack of memory",
	MemoryLimit: "was stopped above its memory limit", Frozen: "was stopped because it gave no sign of life",
	Overdue: "was stopped because it passed its deadline", Faulty: "was stopped because of a faulty answer", Stopped: "was stopped",
}

// String gives the cause as the end of a sentence about the plugin.
func (c Cause) String() string { return causes[c] }

// CrashError says that a plugin's process ended during a call. Supervisors restart on it.
type CrashError struct {
	Plugin string
	Method string
	Cause  Cause
	// Detail is what the host knows besides, in one line.
	Detail string
	// ExitCode is -1 when a signal ended the process; Signal is then its name.
	ExitCode int
	Signal   string
	// Panic holds the first lines of the panic or fatal error, StderrTail the last lines that the plugin wrote.
	Panic      []string
	StderrTail []string
}

// Error gives one line: what failed, where, and what to do next.
func (e *CrashError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "plugin %s %s", e.Plugin, e.Cause)
	appendPart(&b, " during ", e.Method)
	if e.Cause == Crashed || e.Cause == OutOfMemory {
		fmt.Fprintf(&b, " (%s)", e.exit())
	}
	appendPart(&b, ": ", e.Detail)
	if e.Cause == Crashed {
		appendPart(&b, ": ", telling(e.Panic, e.StderrTail))
		b.WriteString("; run again with --log-level debug to see its log")
	}
	return b.String()
}

func (e *CrashError) exit() string {
	if e.Signal != "" {
		return "signal: " + e.Signal
	}
	return fmt.Sprintf("exit status %d", e.ExitCode)
}

// CallReason says why a call failed though the process lives.
type CallReason int

// The reasons of a CallError.
const (
	// CallFailed: the plugin answered with an error.
	CallFailed CallReason = iota
	// CallTimeout: the deadline passed.
	CallTimeout
	// CallCanceled: the caller gave up.
	CallCanceled
	// TooLarge: a message or an answer passed its limit.
	TooLarge
	// Garbage: the answer breaks the protocol.
	Garbage
	// Unsupported: the plugin has no such call or component.
	Unsupported
)

// CallError says that a call failed. Callers branch on Reason.
type CallError struct {
	Plugin string
	Method string
	Reason CallReason
	// Detail is one line.
	Detail  string
	Elapsed time.Duration
	Err     error
}

// Error gives one line: what failed, where, and why.
func (e *CallError) Error() string {
	head := fmt.Sprintf("plugin %s: %s", e.Plugin, e.Method)
	switch e.Reason {
	case CallTimeout:
		return fmt.Sprintf("%s: no answer within %s", head, e.Elapsed.Round(time.Millisecond))
	case CallCanceled:
		return head + ": interrupted"
	case TooLarge:
		return head + ": over the size limit: " + oneLine(e.Detail)
	case Garbage:
		return head + ": answer breaks the protocol: " + oneLine(e.Detail)
	default:
		return head + ": " + oneLine(e.Detail)
	}
}

// Unwrap gives the cause.
func (e *CallError) Unwrap() error { return e.Err }

// ConfigError says that a component refused its configuration. The pipeline maps each diagnostic to its line.
type ConfigError struct {
	Plugin      string
	Component   string
	Diagnostics []*pluginv1.Diagnostic
}

// Error gives the first fault in one line.
func (e *ConfigError) Error() string {
	head := fmt.Sprintf("configure %s of plugin %s: ", e.Component, e.Plugin)
	for _, d := range e.Diagnostics {
		if d.Severity == pluginv1.Diagnostic_SEVERITY_ERROR {
			return head + strings.TrimPrefix(strings.Join(d.ConfigPath, ".")+": ", ": ") + oneLine(d.Message)
		}
	}
	return head + "refused without a reason"
}
