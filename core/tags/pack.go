package tags

import (
	"context"
	"sync"
	"time"

	pluginv1 "github.com/repox-dev/repox/sdk/proto"
)

// Pack is a language pack as Collect needs it.
type Pack struct {
	// Name is for messages.
	Name string
	// Identity stands for the executable, the component and its configuration: tags of one identity are never served
	// to another.
	Identity  []byte
	Languages []string
	Manifests []string
	// Start gives the running pack. It is called at most once, and only if there is work.
	Start func(ctx context.Context) (Running, error)
	// Done, if given, is told of files of a language that are done, and whether they were remembered. It may be called
	// from several goroutines.
	Done func(language string, files int, remembered bool)
	// Release, if given, is told that Collect asks nothing more of the pack: what it holds can go. It must not wait.
	Release func()
}

func (p *Pack) release() {
	if p.Release != nil {
		p.Release()
	}
}

func (p *Pack) done(language string, files int, remembered bool) {
	if p.Done != nil && files > 0 {
		p.Done(language, files, remembered)
	}
}

// Running is a started pack.
type Running interface {
	// Extract answers every file exactly once through emit, which may be called from several goroutines.
	Extract(ctx context.Context, files []*pluginv1.SourceFile, emit func(*pluginv1.FileResult)) error
	// Client speaks to the pack, for Resolve.
	Client(ctx context.Context) (pluginv1.PackClient, string, error)
}

// starter starts a pack when it is first needed.
type starter struct {
	pack    *Pack
	once    sync.Once
	running Running
	err     error
}

func (s *starter) get(ctx context.Context) (Running, error) {
	s.once.Do(func() { s.running, s.err = s.pack.Start(ctx) })
	return s.running, s.err
}

// PackWork is what a pack had to do.
type PackWork struct {
	Pack string
	// Remembered and Extracted count its files by where their tags came from.
	Remembered, Extracted int
	Start                 time.Time
	// Extract is the time until all tags were there, Resolve that for imports after it.
	Extract, Resolve time.Duration
}

// UnusableError says that a pack cannot work at all, for a reason of its own: its query does not fit its grammar, say. Start
// returns it, and the other packs go on.
type UnusableError struct {
	Pack string
	Err  error
}

// Error gives one line.
func (e *UnusableError) Error() string { return e.Err.Error() }

// Unwrap gives the cause.
func (e *UnusableError) Unwrap() error { return e.Err }
