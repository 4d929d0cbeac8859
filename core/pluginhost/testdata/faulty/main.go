// Command faulty is a plugin that misbehaves on purpose: the tests of the host run it. Its argument says what goes
// wrong around the start; what goes wrong in a call is said by the stage's configuration or by a file's content.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"

	pluginv1 "github.com/repox-dev/repox/sdk/proto"
)

// stderr is the real one: go-plugin replaces the variable with a pipe whose end is lost when the process dies.
var stderr = os.Stderr

func main() {
	mode := "good"
	if len(os.Args) > 1 {
		mode = os.Args[1]
	}
	if mode == "sleeper" || mode == "stubborn-sleeper" {
		sleep(mode)
	}
	fmt.Fprintln(os.Stderr, "faulty: mode", mode)
	before(mode)
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		if mode != "deaf" {
			os.Exit(0)
		}
	}()
	serve(mode)
	if mode == "deaf" {
		select {}
	}
}

// before does what goes wrong before the handshake.
func before(mode string) {
	switch mode {
	case "noise-before":
		fmt.Println("hello from an init function")
		fmt.Println("1|2|3")
		fmt.Print("no|hand|shake|at all\r\n\n")
	case "long-before":
		fmt.Println(strings.Repeat("x", 200<<10))
	case "exit0":
		os.Exit(0)
	case "exit3":
		fmt.Fprintln(os.Stderr, "faulty: cannot read its grammar")
		os.Exit(3)
	case "panic":
		panic("no grammar")
	case "silent":
		time.Sleep(time.Hour)
	case "frozen-start":
		freeze()
	case "lying":
		fmt.Println("1|1|unix|/nonexistent/socket|grpc")
		time.Sleep(time.Hour)
	case "netrpc":
		fmt.Println("1|1|unix|/nonexistent/socket|netrpc")
		time.Sleep(time.Hour)
	case "tcp":
		fmt.Println("1|1|tcp|127.0.0.1:1|grpc")
		time.Sleep(time.Hour)
	case "old-core":
		fmt.Println("0|1|unix|/nonexistent/socket|grpc")
		time.Sleep(time.Hour)
	case "grandchild", "deaf":
		spawn("sleeper")
	case "stubborn-grandchild":
		spawn("stubborn-sleeper")
	case "orphan-maker":
		spawn("sleeper")
		os.Exit(4)
	}
}

// versions are those that the plugin claims to speak.
func versions(mode string) map[int]plugin.PluginSet {
	set := plugin.PluginSet{pluginv1.SetName: &services{mode: mode}}
	switch mode {
	case "too-old":
		return map[int]plugin.PluginSet{0: set}
	case "too-new":
		return map[int]plugin.PluginSet{7: set, 8: set}
	default:
		return map[int]plugin.PluginSet{1: set, 2: set}
	}
}

func serve(mode string) {
	plugin.Serve(&plugin.ServeConfig{
		HandshakeConfig:  plugin.HandshakeConfig{MagicCookieKey: pluginv1.CookieKey, MagicCookieValue: pluginv1.CookieValue},
		VersionedPlugins: versions(mode),
		GRPCServer: func(opts []grpc.ServerOption) *grpc.Server {
			return grpc.NewServer(append(opts, tuning()...)...)
		},
		Logger: hclog.New(&hclog.LoggerOptions{Level: hclog.Error, Output: os.Stderr, JSONFormat: true}),
	})
}

// tuning is what a plugin's author should set; the benchmarks vary it.
func tuning() []grpc.ServerOption {
	opts := []grpc.ServerOption{grpc.MaxRecvMsgSize(pluginv1.MessageLimit), grpc.MaxSendMsgSize(64 << 20)}
	if os.Getenv("FAULTY_UNTUNED") != "" {
		return opts
	}
	return append(opts,
		grpc.InitialWindowSize(8<<20), grpc.InitialConnWindowSize(8<<20),
		grpc.ReadBufferSize(512<<10), grpc.WriteBufferSize(512<<10))
}

// services registers the three services.
type services struct {
	plugin.NetRPCUnsupportedPlugin
	mode string
}

func (s *services) GRPCServer(_ *plugin.GRPCBroker, g *grpc.Server) error {
	pluginv1.RegisterPluginServer(g, &control{mode: s.mode})
	pluginv1.RegisterPackServer(g, &pack{})
	pluginv1.RegisterStageServer(g, &stage{})
	return nil
}

// GRPCClient makes go-plugin see a plugin for gRPC.
func (s *services) GRPCClient(context.Context, *plugin.GRPCBroker, *grpc.ClientConn) (any, error) {
	return nil, errors.New("no client here")
}

// spawn starts a child that holds this process's outputs and notes its number in the file that CHILDREN names.
func spawn(kind string) {
	cmd := exec.Command(os.Args[0], kind)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Start(); err != nil {
		panic(err)
	}
	note(cmd.Process.Pid)
}

func note(pid int) {
	f, err := os.OpenFile(os.Getenv("CHILDREN"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	fmt.Fprintln(f, pid)
}

func sleep(kind string) {
	if kind == "stubborn-sleeper" {
		signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGPIPE)
	}
	for {
		time.Sleep(50 * time.Millisecond)
		fmt.Fprintln(os.Stderr, "still here")
	}
}

func freeze() {
	_ = syscall.Kill(os.Getpid(), syscall.SIGSTOP)
	time.Sleep(time.Hour)
}
