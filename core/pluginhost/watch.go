package pluginhost

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/status"
)

// memoryInterval is how often the memory of a plugin is measured: a fault can eat some hundred megabytes in between.
const memoryInterval = 50 * time.Millisecond

// healthService is the name under which go-plugin serves its health.
const healthService = "plugin"

// ownMethods begins the methods of the wire contract; the others, such as go-plugin's, are not calls that matter.
const ownMethods = "/repox."

// ping asks for a sign of life. A plugin without that service has given one by saying so.
func (p *Plugin) ping(ctx context.Context) error {
	_, err := grpc_health_v1.NewHealthClient(p.conn).Check(ctx, &grpc_health_v1.HealthCheckRequest{Service: healthService})
	if c := status.Code(err); c == codes.Unimplemented || c == codes.NotFound {
		return nil
	}
	return err
}

// callCounter counts the calls that run; only then a plugin is asked for signs of life.
type callCounter struct{ n atomic.Int64 }

func (c *callCounter) busy() bool { return c.n.Load() > 0 }

func (c *callCounter) unary(
	ctx context.Context, method string, req, reply any, conn *grpc.ClientConn, invoke grpc.UnaryInvoker, opts ...grpc.CallOption,
) error {
	if strings.HasPrefix(method, ownMethods) {
		c.n.Add(1)
		defer c.n.Add(-1)
	}
	return invoke(ctx, method, req, reply, conn, opts...)
}

func (c *callCounter) stream(
	ctx context.Context, desc *grpc.StreamDesc, conn *grpc.ClientConn, method string, open grpc.Streamer, opts ...grpc.CallOption,
) (grpc.ClientStream, error) {
	s, err := open(ctx, desc, conn, method, opts...)
	if err == nil && strings.HasPrefix(method, ownMethods) {
		c.n.Add(1)
		// A stream's context ends with it, however it ends.
		context.AfterFunc(s.Context(), func() { c.n.Add(-1) })
	}
	return s, err
}

// watchPulse kills a plugin that gives no sign of life while a call runs. An answer that is an error is a sign too.
func (p *Plugin) watchPulse() {
	p.every(p.host.opts.PingInterval, func() bool {
		if !p.calls.busy() {
			return true
		}
		ctx, cancel := context.WithTimeout(context.Background(), p.host.opts.PingTimeout)
		defer cancel()
		_ = p.ping(ctx)
		if ctx.Err() == nil {
			return true
		}
		p.runner.end(&CrashError{Cause: Frozen, Detail: fmt.Sprintf("silent for %s", p.host.opts.PingTimeout)})
		return false
	})
}

// watchMemory kills a plugin that holds more than it may.
func (p *Plugin) watchMemory() {
	pid := p.PID()
	p.every(memoryInterval, func() bool {
		held, ok := residentBytes(pid)
		if !ok {
			return false
		}
		if held <= p.spec.MemoryLimit {
			return true
		}
		p.runner.end(&CrashError{
			Cause: MemoryLimit, Detail: fmt.Sprintf("it held %d MiB, %d are allowed", held>>20, p.spec.MemoryLimit>>20),
		})
		return false
	})
}
