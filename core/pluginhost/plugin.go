package pluginhost

import (
	"context"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/emptypb"

	pluginv1 "github.com/repox-dev/repox/sdk/proto"
)

// shutdownMethod is go-plugin's own request to end.
const shutdownMethod = "/plugin.GRPCController/Shutdown"

// Plugin is a running plugin. It is safe for concurrent use. A plugin that has ended stays ended.
type Plugin struct {
	host   *Host
	spec   Spec
	runner *processRunner
	client *plugin.Client
	conn   *grpc.ClientConn
	dirs   pluginDirs

	calls *callCounter
	// released is done once everything of the process is gone.
	released sync.Once
	// watchers are the goroutines that end with the process.
	watchers sync.WaitGroup
}

// Name is the plugin's name as the Spec gave it.
func (p *Plugin) Name() string { return p.spec.Name }

// PID is the number of the process, which is also that of its group.
func (p *Plugin) PID() int { return p.runner.process.Pid }

// Exited is closed when the process is gone.
func (p *Plugin) Exited() <-chan struct{} { return p.runner.exited }

// Pack gives the raw client of the Pack service, for streams. Use Explain on its errors.
func (p *Plugin) Pack() pluginv1.PackClient { return pluginv1.NewPackClient(p.conn) }

// Kill ends the process group at once, for the given cause, which calls that run will tell. It waits until the process
// is gone.
func (p *Plugin) Kill(cause Cause, detail string) {
	p.runner.end(&CrashError{Cause: cause, Detail: detail})
	_ = p.release()
}

// Stop asks the plugin to end and kills it when its grace has passed or ctx ends. It may be called several times, also
// for a plugin that has ended, and it removes what the plugin left.
func (p *Plugin) Stop(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, p.host.opts.StopGrace)
	defer cancel()
	p.runner.expect(&CrashError{Cause: Stopped})
	// The answer may not come: the plugin ends while it answers. Half of the grace is for those that do not hear it.
	ask, done := context.WithTimeout(ctx, p.host.opts.StopGrace/2)
	_ = p.conn.Invoke(ask, shutdownMethod, &emptypb.Empty{}, &emptypb.Empty{})
	done()
	p.runner.cutLifeline()
	select {
	case <-p.runner.exited:
	case <-ctx.Done():
		p.runner.end(&CrashError{Cause: Stopped})
	}
	return p.release()
}

func (p *Plugin) stop() error { return p.Stop(context.Background()) }

func (p *Plugin) kill() error {
	p.runner.end(&CrashError{Cause: Stopped})
	return p.release()
}

// release waits for the end of the process, which must have been killed or have ended, and frees everything of it.
func (p *Plugin) release() error {
	if p.runner.ID() != "" && !p.runner.gone(reapTime) {
		return fmt.Errorf("stop plugin %s: process %s does not end; kill it by hand", p.spec.Name, p.runner.ID())
	}
	p.released.Do(func() {
		// The process and its pipes are gone, so that none of go-plugin's waits can last.
		p.client.Kill()
		p.watchers.Wait()
		_ = os.RemoveAll(p.dirs.root)
		p.host.forget(p)
	})
	return nil
}

// watch begins to watch over the plugin; the goroutines end with the process.
func (p *Plugin) watch() {
	p.watchers.Go(p.watchPulse)
	if p.spec.MemoryLimit > 0 {
		p.watchers.Go(p.watchMemory)
	}
}

// every calls f at the given interval until the process is gone or f is false.
func (p *Plugin) every(interval time.Duration, f func() bool) {
	t := time.NewTicker(interval)
	defer t.Stop()
	for {
		select {
		case <-p.runner.exited:
			return
		case <-t.C:
			if !f() {
				return
			}
		}
	}
}
