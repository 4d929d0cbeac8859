package sdk

import (
	"errors"
	"io"
	"io/fs"
	"runtime"
	"sync"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	pluginv1 "github.com/repox-dev/repox/sdk/proto"
)

// packServer serves the Pack service.
type packServer struct {
	pluginv1.UnimplementedPackServer
	registry *registry
}

// Extract implements the Pack service. Batches are worked on side by side, one worker each, and answered as they are
// done.
func (s *packServer) Extract(stream pluginv1.Pack_ExtractServer) error {
	var (
		wg   sync.WaitGroup
		send sync.Mutex
		fail error
	)
	// Every goroutine started here has ended when Extract returns: the stream dies with it.
	defer wg.Wait()
	for {
		req, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			wg.Wait()
			return fail
		}
		if err != nil {
			return err
		}
		in, err := s.pack(req.Instance)
		if err != nil {
			return err
		}
		w, err := in.pool.take(stream.Context())
		if err != nil {
			return status.FromContextError(err).Err()
		}
		wg.Go(func() {
			resp := extractBatch(stream, w, req)
			in.pool.give(w)
			send.Lock()
			defer send.Unlock()
			if err := stream.Send(resp); err != nil && fail == nil {
				fail = err
			}
		})
	}
}

func extractBatch(stream pluginv1.Pack_ExtractServer, w *worker, req *pluginv1.ExtractRequest) *pluginv1.ExtractResponse {
	resp := &pluginv1.ExtractResponse{Seq: req.Seq}
	for _, f := range req.Files {
		if stream.Context().Err() != nil {
			break
		}
		resp.Results = append(resp.Results, w.extract(stream.Context(), f))
	}
	resp.MemoryBytes = memory()
	return resp
}

// memory is what the Go side of this process holds; the C side is bounded for each file and given back after it.
func memory() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.Sys - m.HeapReleased
}

func (s *packServer) pack(id string) (*instance, error) {
	in, err := s.registry.instance(id)
	if err != nil {
		return nil, err
	}
	if in.pool == nil {
		return nil, status.Errorf(codes.InvalidArgument, "instance %q is no language pack", id)
	}
	return in, nil
}

// Fixtures implements the Pack service.
func (s *packServer) Fixtures(req *pluginv1.FixturesRequest, stream pluginv1.Pack_FixturesServer) error {
	p, ok := s.registry.find(req.Component).(*Pack)
	if !ok {
		return status.Errorf(codes.NotFound, "no language pack %q in this plugin", req.Component)
	}
	if p.Fixtures == nil {
		return nil
	}
	return fs.WalkDir(p.Fixtures, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := fs.ReadFile(p.Fixtures, path)
		if err != nil {
			return err
		}
		return stream.Send(&pluginv1.Fixture{Path: path, Content: b})
	})
}
