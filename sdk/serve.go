package sdk

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"

	"github.com/repox-dev/repox/sdk/heap"
	pluginv1 "github.com/repox-dev/repox/sdk/proto"
)

// errNotServed: go-plugin gave up before it served; the reason is in its log.
var errNotServed = errors.New("serve plugin: could not listen for the host; see the log lines above")

// Transport settings, chosen for few large messages over a local socket.
const (
	windowSize = 8 << 20
	bufferSize = 512 << 10
)

// garbage is how many bytes a plugin gathers before it collects them: several run at once beside their host.
const garbage = 48 << 20

// lifelineGrace is how long a plugin may go on after its host has closed the lifeline, so that a shutdown that is
// already under way can end in order.
const lifelineGrace = 500 * time.Millisecond

// Serve speaks to the host that started this process until the host ends. It must be called before anything is read
// from standard input. Most programs call Main instead.
func Serve(components ...Component) error {
	stderr := os.Stderr
	if err := redirectStdout(); err != nil {
		return err
	}
	slog.SetDefault(slog.New(logHandler(stderr)))
	go watchLifeline(os.Stdin)
	// Plugins live for seconds and hold little that is old: a lazier collector is worth some memory.
	heap.Bound(garbage)
	served := false
	plugin.Serve(&plugin.ServeConfig{
		HandshakeConfig: plugin.HandshakeConfig{
			ProtocolVersion: pluginv1.ProtocolVersion, MagicCookieKey: pluginv1.CookieKey, MagicCookieValue: pluginv1.CookieValue,
		},
		VersionedPlugins: map[int]plugin.PluginSet{
			pluginv1.ProtocolVersion: {pluginv1.SetName: &server{components: components}},
		},
		GRPCServer: func(opts []grpc.ServerOption) *grpc.Server {
			served = true
			return grpc.NewServer(append(opts,
				grpc.MaxRecvMsgSize(pluginv1.MessageLimit), grpc.MaxSendMsgSize(pluginv1.MessageLimit),
				grpc.InitialWindowSize(windowSize), grpc.InitialConnWindowSize(windowSize),
				grpc.ReadBufferSize(bufferSize), grpc.WriteBufferSize(bufferSize))...)
		},
		Logger: hclog.New(&hclog.LoggerOptions{Level: hclog.Warn, Output: stderr, JSONFormat: true}),
	})
	if !served {
		return errNotServed
	}
	return nil
}

// watchLifeline ends the process when the host closes the other end of standard input, or is gone.
func watchLifeline(stdin io.Reader) {
	_, _ = io.Copy(io.Discard, stdin)
	time.Sleep(lifelineGrace)
	os.Exit(0)
}

// logHandler writes log records in the form that go-plugin hosts read.
func logHandler(w io.Writer) slog.Handler {
	return slog.NewJSONHandler(w, &slog.HandlerOptions{
		Level: slog.LevelDebug,
		ReplaceAttr: func(groups []string, a slog.Attr) slog.Attr {
			if len(groups) > 0 {
				return a
			}
			switch a.Key {
			case slog.TimeKey, slog.LevelKey:
				a.Key = "@" + a.Key
			case slog.MessageKey:
				a.Key = "@message"
			}
			return a
		},
	})
}

// server registers the services on go-plugin's gRPC server.
type server struct {
	plugin.NetRPCUnsupportedPlugin
	components []Component
}

// GRPCServer implements plugin.GRPCPlugin.
func (s *server) GRPCServer(_ *plugin.GRPCBroker, g *grpc.Server) error {
	reg := newRegistry(s.components)
	pluginv1.RegisterPluginServer(g, reg)
	pluginv1.RegisterPackServer(g, &packServer{registry: reg})
	pluginv1.RegisterStageServer(g, &stageServer{registry: reg})
	return nil
}

// GRPCClient implements plugin.GRPCPlugin; this side has no client.
func (s *server) GRPCClient(context.Context, *plugin.GRPCBroker, *grpc.ClientConn) (any, error) {
	return nil, errors.New("a plugin is not a client of itself")
}
