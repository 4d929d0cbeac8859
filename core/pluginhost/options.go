package pluginhost

import (
	"log/slog"
	"time"
)

// Options configure a Host. The zero value is good for use.
type Options struct {
	// Logger receives what plugins log, and what the host does at debug level. Nil discards both.
	Logger *slog.Logger
	// HostVersion is told to plugins and shown when versions do not match.
	HostVersion string
	// StartTimeout bounds the time from exec to the first answer. Zero means 20 seconds.
	StartTimeout time.Duration
	// StopGrace is the time a plugin has to end by itself before it is killed. Zero means 500 milliseconds.
	StopGrace time.Duration
	// CallTimeout bounds the calls that do no real work: Describe, Open and Close. Zero means 30 seconds.
	CallTimeout time.Duration
	// PingInterval is how often a plugin is asked for a sign of life while a call runs. Zero means 2 seconds.
	PingInterval time.Duration
	// PingTimeout is how long a plugin may stay silent then before it counts as frozen and is killed. Zero means 15 seconds:
	// a busy machine is slow too.
	PingTimeout time.Duration
	// AnswerLimit bounds the bytes of all sections that one stage may answer with. Zero means 1 GiB.
	AnswerLimit int64
}

func (o Options) withDefaults() Options {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	setDefault(&o.StartTimeout, 20*time.Second)
	setDefault(&o.StopGrace, 500*time.Millisecond)
	setDefault(&o.CallTimeout, 30*time.Second)
	setDefault(&o.PingInterval, 2*time.Second)
	setDefault(&o.PingTimeout, 15*time.Second)
	setDefault(&o.AnswerLimit, 1<<30)
	return o
}

func setDefault[T ~int64](field *T, value T) {
	if *field <= 0 {
		*field = value
	}
}

// Spec says which program to start.
type Spec struct {
	// Name is what people call the plugin; errors and log lines carry it.
	Name string
	// Path is the executable. It is never searched for.
	Path string
	Args []string
	// Digest is the SHA-256 the executable must have; empty allows any.
	Digest []byte
	// Env holds further variables in the form KEY=VALUE; the host's own environment is not passed on.
	Env []string
	// MemoryLimit bounds the resident memory in bytes; above it the plugin is killed. Zero means no limit. It is watched on Linux only,
	// and for the process itself, not for its children.
	MemoryLimit int64
}
