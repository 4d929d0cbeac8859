package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"syscall"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	pluginv1 "github.com/repox-dev/repox/sdk/proto"
)

// pack serves the Pack service; a file's content says what goes wrong with it.
type pack struct {
	pluginv1.UnimplementedPackServer
	answered int
}

func (p *pack) Extract(stream pluginv1.Pack_ExtractServer) error {
	var (
		wg   sync.WaitGroup
		send sync.Mutex
	)
	defer wg.Wait()
	workers := make(chan struct{}, 2)
	for {
		req, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		do := strings.TrimPrefix(req.Instance, "do:")
		if do == "error" {
			return status.Error(codes.Internal, "pack is broken")
		}
		workers <- struct{}{}
		wg.Go(func() {
			resp := answer(req, do)
			<-workers
			send.Lock()
			defer send.Unlock()
			p.answered++
			resp.MemoryBytes = memory(do, p.answered)
			for range copies(do) {
				_ = stream.Send(resp)
			}
		})
	}
}

func memory(do string, answered int) uint64 {
	if do == "grow" {
		return uint64(answered) << 20
	}
	return 1 << 20
}

func copies(do string) int {
	if do == "twice" {
		return 2
	}
	return 1
}

// answer extracts a batch.
func answer(req *pluginv1.ExtractRequest, do string) *pluginv1.ExtractResponse {
	resp := &pluginv1.ExtractResponse{Seq: req.Seq}
	for _, f := range req.Files {
		if do == "crash-always" {
			os.Exit(9)
		}
		if r := extract(f); r != nil {
			resp.Results = append(resp.Results, r)
		}
	}
	switch do {
	case "unknown-seq":
		resp.Seq += 1000
	case "unknown-file":
		resp.Results[0].File += 1000
	case "same-file":
		resp.Results = append(resp.Results, resp.Results[0])
	case "skip-last":
		resp.Results = resp.Results[:len(resp.Results)-1]
	}
	return resp
}

func extract(f *pluginv1.SourceFile) *pluginv1.FileResult {
	r := &pluginv1.FileResult{File: f.File, Tags: []byte{0x0a, 0x00}}
	switch string(f.Content) {
	case "panic":
		panic("cannot parse " + string(f.Path))
	case "segv":
		fmt.Fprintln(stderr, "faulty: about to fault")
		_ = syscall.Kill(os.Getpid(), syscall.SIGSEGV)
		time.Sleep(time.Hour)
	case "hang":
		time.Sleep(time.Hour)
	case "freeze":
		freeze()
	case "huge":
		r.Tags = append([]byte{0x0a, 0x80, 0x80, 0x80, 0x08}, make([]byte, pluginv1.MessageLimit)...)
	case "undecodable":
		r.Tags = []byte("\xff\xff\xff")
	case "missing":
		return nil
	case "skip":
		r.Tags, r.Skip = nil, &pluginv1.Skip{Code: "unsupported", Message: "on purpose"}
	}
	return r
}
