package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	pluginv1 "github.com/repox-dev/repox/sdk/proto"
)

// control serves the Plugin service. An instance's name is what its configuration wants done.
type control struct {
	pluginv1.UnimplementedPluginServer
	mode string
}

func (c *control) Describe(context.Context, *pluginv1.DescribeRequest) (*pluginv1.DescribeResponse, error) {
	switch c.mode {
	case "noise-after":
		// Neither through os.Stdout, which go-plugin has replaced by now, nor through anything of Go's.
		_, _ = syscall.Write(1, []byte("noise\n1|1|unix|/nonexistent|grpc\n"))
		fmt.Println("noise through go-plugin's pipe")
	case "long-after":
		line := strings.Repeat("y", 200<<10) + "\n"
		for range 10 {
			_, _ = io.WriteString(os.NewFile(1, "stdout"), line)
			_, _ = io.WriteString(os.NewFile(2, "stderr"), line)
			fmt.Print(line)
		}
	case "bad-log":
		for _, s := range []string{
			`{"@level":"warn","@message":{"an":"object"}}`, `{"@level":7,"@message":null}`, `{"@message":[1,2`, `{}`, `[]`,
			`{"@level":"info","@message":"plain","@timestamp":12,"b":1,"a":{"c":true}}`, "\xff\xfe{",
		} {
			_, _ = syscall.Write(2, []byte(s+"\n"))
		}
	case "hanging-describe":
		time.Sleep(time.Hour)
	}
	return &pluginv1.DescribeResponse{
		SdkVersion: "faulty",
		Components: []*pluginv1.Component{{Name: "stage", Stage: &pluginv1.StageInfo{}}, {Name: "pack", Pack: &pluginv1.PackInfo{}}},
	}, nil
}

func (c *control) Open(_ context.Context, req *pluginv1.OpenRequest) (*pluginv1.OpenResponse, error) {
	var cfg struct{ Do string }
	if err := json.Unmarshal(req.ConfigJson, &cfg); err != nil {
		return nil, status.Error(codes.InvalidArgument, err.Error())
	}
	switch cfg.Do {
	case "refuse":
		return &pluginv1.OpenResponse{Diagnostics: []*pluginv1.Diagnostic{{
			Severity: pluginv1.Diagnostic_SEVERITY_ERROR, Message: "not this", ConfigPath: []string{"do"},
		}}}, nil
	case "nothing":
		return &pluginv1.OpenResponse{}, nil
	}
	return &pluginv1.OpenResponse{Instance: "do:" + cfg.Do}, nil
}

func (c *control) Close(context.Context, *pluginv1.CloseRequest) (*pluginv1.CloseResponse, error) {
	return &pluginv1.CloseResponse{}, nil
}

// stage serves the Stage service.
type stage struct {
	pluginv1.UnimplementedStageServer
}

func (s *stage) Process(stream pluginv1.Stage_ProcessServer) error {
	req, err := stream.Recv()
	if err != nil {
		return err
	}
	do := strings.TrimPrefix(req.GetHeader().GetInstance(), "do:")
	if err := misbehave(do); err != nil {
		return err
	}
	switch do {
	case "env":
		env := strings.Join(os.Environ(), "\n")
		return send(stream, "env", []byte(env))
	case "pwd":
		dir, _ := os.Getwd()
		return send(stream, "pwd", []byte(dir))
	case "over-limit":
		return send(stream, "big", make([]byte, pluginv1.MessageLimit+1))
	case "nameless":
		return send(stream, "", []byte("x"))
	case "flood":
		for {
			if err := send(stream, "flood", make([]byte, 1<<20)); err != nil {
				return err
			}
		}
	case "early":
		return send(stream, "early", []byte("done"))
	}
	return echo(stream)
}

// misbehave does what no stage should, whatever it is asked to make.
func misbehave(do string) error {
	switch do {
	case "panic":
		panic("boom\nsecond line")
	case "exit":
		fmt.Fprintln(stderr, "faulty: leaving")
		os.Exit(9)
	case "kill":
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		time.Sleep(time.Hour)
	case "freeze":
		freeze()
	case "hang":
		time.Sleep(time.Hour)
	case "eat":
		var held [][]byte
		for {
			b := make([]byte, 8<<20)
			for i := range b {
				b[i] = 1
			}
			held = append(held, b)
			if len(held) > 256 {
				time.Sleep(time.Hour)
			}
		}
	case "grandchild":
		spawn("stubborn-sleeper")
	case "error":
		return status.Error(codes.Aborted, "cannot rank\nan empty graph")
	case "crash-once":
		mark := os.Getenv("CHILDREN")
		if _, err := os.Stat(mark); errors.Is(err, os.ErrNotExist) {
			note(0)
			os.Exit(9)
		}
	}
	return nil
}

func send(stream pluginv1.Stage_ProcessServer, section string, data []byte) error {
	return stream.Send(&pluginv1.ProcessResponse{Chunk: &pluginv1.Chunk{Section: section, Data: data}})
}

func echo(stream pluginv1.Stage_ProcessServer) error {
	for {
		req, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := stream.Send(&pluginv1.ProcessResponse{Chunk: req.Chunk}); err != nil {
			return err
		}
	}
}
