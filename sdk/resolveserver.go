package sdk

import (
	"errors"
	"io"
	"unsafe"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	pluginv1 "github.com/repox-dev/repox/sdk/proto"
	"github.com/repox-dev/repox/sdk/tag"
)

// edgesPerMessage keeps answers well below the message limit.
const edgesPerMessage = 2048

// Resolve implements the Pack service.
func (s *packServer) Resolve(stream pluginv1.Pack_ResolveServer) error {
	repo := &Repository{Manifests: map[string][]byte{}}
	var in *instance
	var resolve Resolver
	sets := &setTable{index: map[setKey]uint32{}}
	for {
		req, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if in, err = s.pack(req.Instance); err != nil {
			return err
		}
		for _, f := range req.Files {
			repo.Files = append(repo.Files, RepositoryFile{File: f.File, Path: string(f.Path)})
		}
		for _, m := range req.Manifests {
			repo.Manifests[string(m.Path)] = m.Content
		}
		if len(req.Imports) == 0 {
			continue
		}
		if resolve == nil {
			if resolve, err = newResolver(stream, in, repo); err != nil {
				return err
			}
		}
		if err := answerImports(stream, resolve, sets, req.Imports); err != nil {
			return err
		}
	}
}

func newResolver(stream pluginv1.Pack_ResolveServer, in *instance, repo *Repository) (Resolver, error) {
	p := in.component.(*Pack)
	if p.Resolve == nil {
		return func(uint32, tag.Import) []uint32 { return nil }, nil
	}
	r, err := p.Resolve(stream.Context(), repo)
	if err != nil {
		return nil, status.Error(codes.Aborted, err.Error())
	}
	return r, nil
}

func answerImports(stream pluginv1.Pack_ResolveServer, resolve Resolver, sets *setTable, files []*pluginv1.FileImports) error {
	resp := &pluginv1.ResolveResponse{}
	for _, f := range files {
		imports, err := tag.DecodeImports(f.Imports)
		if err != nil {
			return status.Error(codes.InvalidArgument, err.Error())
		}
		edges := &pluginv1.FileEdges{File: f.File}
		for _, imp := range imports {
			edges.Sets = append(edges.Sets, sets.number(resolve(f.File, imp), resp))
		}
		resp.Edges = append(resp.Edges, edges)
		if len(resp.Edges) == edgesPerMessage {
			if err := stream.Send(resp); err != nil {
				return err
			}
			resp = &pluginv1.ResolveResponse{}
		}
	}
	return stream.Send(resp)
}

// setTable numbers target sets from 1. The same slice gets the same number.
type setTable struct {
	index map[setKey]uint32
}

type setKey struct {
	first *uint32
	len   int
}

// number gives the number of a set; one not seen before is added to the answer.
func (t *setTable) number(files []uint32, resp *pluginv1.ResolveResponse) uint32 {
	if len(files) == 0 {
		return 0
	}
	key := setKey{unsafe.SliceData(files), len(files)}
	if n, ok := t.index[key]; ok {
		return n
	}
	n := uint32(len(t.index) + 1)
	t.index[key] = n
	resp.Sets = append(resp.Sets, &pluginv1.FileSet{Files: files})
	return n
}
