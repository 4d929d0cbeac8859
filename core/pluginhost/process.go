package pluginhost

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	pluginv1 "github.com/repox-dev/repox/sdk/proto"
)

// Process runs a stage: it sends the sections, in pieces, and gives those that the stage produces. Sections are never
// looked into. When ctx's deadline passes the plugin is killed, as it did not keep to it.
func (p *Plugin) Process(ctx context.Context, instance string, sections map[string][]byte) (map[string][]byte, error) {
	begin := time.Now()
	// Ending the context ends the stream and with it the sender.
	streamCtx, cancel := context.WithCancel(ctx)
	stream, err := pluginv1.NewStageClient(p.conn).Process(streamCtx)
	if err != nil {
		cancel()
		return nil, p.explainProcess(ctx, begin, err)
	}
	sent := make(chan struct{})
	go func() {
		defer close(sent)
		_ = sendSections(stream, instance, sections)
	}()
	out, err := receiveSections(stream, p.host.opts.AnswerLimit)
	cancel()
	// A stage may answer before it has read everything; what fails the sender fails the receiver too.
	<-sent
	var broken *brokenAnswer
	switch {
	case errors.As(err, &broken):
		return nil, &CallError{Plugin: p.spec.Name, Method: "Process", Reason: broken.reason, Detail: broken.detail}
	case err != nil:
		return nil, p.explainProcess(ctx, begin, err)
	}
	return out, nil
}

func (p *Plugin) explainProcess(ctx context.Context, begin time.Time, err error) error {
	if deadlinePassed(ctx) {
		p.Kill(Overdue, fmt.Sprintf("%s have passed", time.Since(begin).Round(time.Millisecond)))
		if c := p.crash("Process", true); c != nil {
			return c
		}
	}
	return p.explain("Process", begin, err)
}

func sendSections(stream pluginv1.Stage_ProcessClient, instance string, sections map[string][]byte) error {
	names := slices.Sorted(maps.Keys(sections))
	header := &pluginv1.ProcessHeader{Instance: instance, Sections: names}
	for _, name := range names {
		header.Sizes = append(header.Sizes, uint64(len(sections[name])))
	}
	err := stream.Send(&pluginv1.ProcessRequest{Header: header})
	for _, name := range names {
		for piece := range slices.Chunk(sections[name], pluginv1.ChunkSize) {
			if err != nil {
				return err
			}
			err = stream.Send(&pluginv1.ProcessRequest{Chunk: &pluginv1.Chunk{Section: name, Data: piece}})
		}
	}
	if err != nil {
		return err
	}
	return stream.CloseSend()
}

// deadlinePassed tells whether ctx has run out of time, or is about to: the plugin knows the deadline too, and its clock may
// strike first.
func deadlinePassed(ctx context.Context) bool {
	deadline, ok := ctx.Deadline()
	return ok && time.Until(deadline) < 50*time.Millisecond && !errors.Is(ctx.Err(), context.Canceled)
}

// brokenAnswer is an answer that the host does not take.
type brokenAnswer struct {
	reason CallReason
	detail string
}

// Error implements error.
func (b *brokenAnswer) Error() string { return b.detail }

// chunkCost is what a chunk counts for besides its bytes, so that a flood of empty ones is bounded too.
const chunkCost = 64

func receiveSections(stream pluginv1.Stage_ProcessClient, limit int64) (map[string][]byte, error) {
	pieces := map[string][][]byte{}
	var total int64
	for {
		resp, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return joinSections(pieces), nil
		}
		if err != nil {
			return nil, err
		}
		c := resp.GetChunk()
		if c.GetSection() == "" {
			return nil, &brokenAnswer{Garbage, "a chunk names no section"}
		}
		if total += int64(len(c.Data) + len(c.Section) + chunkCost); total > limit {
			return nil, &brokenAnswer{TooLarge, fmt.Sprintf("the answer has more than %d bytes", limit)}
		}
		pieces[c.Section] = append(pieces[c.Section], c.Data)
	}
}

func joinSections(pieces map[string][][]byte) map[string][]byte {
	out := make(map[string][]byte, len(pieces))
	for name, p := range pieces {
		if len(p) == 1 {
			out[name] = p[0]
		} else {
			out[name] = slices.Concat(p...)
		}
	}
	return out
}
