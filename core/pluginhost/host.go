package pluginhost

import (
	"errors"
	"log/slog"
	"sync"
)

// errClosed: the host has been closed.
var errClosed = errors.New("plugin host is closed")

// Host owns the plugins of one run. It is safe for concurrent use.
//
// Whoever makes a Host must call Close, also after an interrupt; KillAll before it makes that short.
type Host struct {
	opts Options
	log  *slog.Logger

	mu      sync.Mutex
	closed  bool
	dir     *runDir
	started int
	plugins map[*Plugin]struct{}
	// starting counts the calls of Start that have not returned, and the sweep.
	starting sync.WaitGroup
	// closing is closed by Close and KillAll; running starts give up on it.
	closing   chan struct{}
	closeOnce sync.Once
}

// New makes a host. It starts nothing and touches no file.
func New(opts Options) *Host {
	opts = opts.withDefaults()
	return &Host{opts: opts, log: opts.Logger, plugins: map[*Plugin]struct{}{}, closing: make(chan struct{})}
}

// Close stops every plugin, each with its grace, and removes the host's folder. It may be called several times.
func (h *Host) Close() error { return h.end((*Plugin).stop) }

// KillAll ends every plugin at once, without grace, and removes the host's folder. It is for interrupts.
func (h *Host) KillAll() { _ = h.end((*Plugin).kill) }

// end refuses new starts, ends the running ones and applies stop to every plugin.
func (h *Host) end(stop func(*Plugin) error) error {
	h.mu.Lock()
	h.closed = true
	h.mu.Unlock()
	h.closeOnce.Do(func() { close(h.closing) })
	// A second call (KillAll during Close) overtakes the first: what it kills, the first no longer waits for.
	var (
		wg   sync.WaitGroup
		mu   sync.Mutex
		errs []error
	)
	for _, p := range h.running() {
		wg.Go(func() {
			if err := stop(p); err != nil {
				mu.Lock()
				errs = append(errs, err)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	h.starting.Wait()
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.dir != nil {
		h.dir.remove()
		h.dir = nil
	}
	return errors.Join(errs...)
}

func (h *Host) running() []*Plugin {
	h.mu.Lock()
	defer h.mu.Unlock()
	var list []*Plugin
	for p := range h.plugins {
		list = append(list, p)
	}
	return list
}

// enter prepares a start: it counts it and makes the process's folders.
func (h *Host) enter() (pluginDirs, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return pluginDirs{}, errClosed
	}
	if h.dir == nil {
		dir, err := newRunDir()
		if err != nil {
			return pluginDirs{}, err
		}
		h.dir = dir
		// It ends with its list of names; Close waits for it.
		h.starting.Go(dir.sweep)
	}
	h.started++
	dirs, err := h.dir.plugin(h.started)
	if err != nil {
		return pluginDirs{}, &StartError{Reason: NoRuntimeDir, Detail: err.Error(), Next: "set TMPDIR to a writable folder", Err: err}
	}
	h.starting.Add(1)
	return dirs, nil
}

// keep takes a started plugin into the host's care; false when the host was closed meanwhile.
func (h *Host) keep(p *Plugin) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return false
	}
	h.plugins[p] = struct{}{}
	return true
}

func (h *Host) forget(p *Plugin) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.plugins, p)
}
