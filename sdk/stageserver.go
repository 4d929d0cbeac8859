package sdk

import (
	"errors"
	"io"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	pluginv1 "github.com/repox-dev/repox/sdk/proto"
)

// stageServer serves the Stage service.
type stageServer struct {
	pluginv1.UnimplementedStageServer
	registry *registry
}

// Process implements the Stage service: it gathers the sections, runs the stage, and sends what it produced.
func (s *stageServer) Process(stream pluginv1.Stage_ProcessServer) error {
	header, m, err := receiveModel(stream)
	if err != nil {
		return err
	}
	in, err := s.registry.instance(header.Instance)
	if err != nil {
		return err
	}
	stage, ok := in.component.(*Stage)
	if !ok {
		return status.Errorf(codes.InvalidArgument, "instance %q is no stage", header.Instance)
	}
	if err := stage.Run(stream.Context(), in.config, m); err != nil {
		return status.Error(codes.Aborted, err.Error())
	}
	return sendModel(stream, stage, m)
}

func receiveModel(stream pluginv1.Stage_ProcessServer) (*pluginv1.ProcessHeader, *Model, error) {
	m := &Model{in: map[string][]byte{}, out: map[string][]byte{}}
	var header *pluginv1.ProcessHeader
	for {
		req, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, nil, err
		}
		if req.Header != nil {
			header = req.Header
			for i, name := range header.Sections {
				m.in[name] = make([]byte, 0, room(header.Sizes, i))
			}
		}
		if c := req.Chunk; c != nil {
			m.in[c.Section] = append(m.in[c.Section], c.Data...)
		}
	}
	if header == nil {
		return nil, nil, status.Error(codes.InvalidArgument, "a process stream must begin with its header")
	}
	return header, m, nil
}

// room is how much is set aside for a section at once. A size is only what the host says, so it is bounded.
func room(sizes []uint64, i int) uint64 {
	if i >= len(sizes) {
		return 0
	}
	return min(sizes[i], 1<<30)
}

func sendModel(stream pluginv1.Stage_ProcessServer, stage *Stage, m *Model) error {
	for _, name := range stage.Produces {
		data := m.out[name]
		// At least one chunk, so that an empty section is still said to be there.
		for first := true; first || len(data) > 0; first = false {
			n := min(len(data), pluginv1.ChunkSize)
			if err := stream.Send(&pluginv1.ProcessResponse{Chunk: &pluginv1.Chunk{Section: name, Data: data[:n]}}); err != nil {
				return err
			}
			data = data[n:]
		}
	}
	return nil
}
