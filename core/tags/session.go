package tags

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"google.golang.org/protobuf/encoding/protowire"

	pluginv1 "github.com/repox-dev/repox/sdk/proto"
)

// errEarlyEnd: the pack ended the stream before every batch was answered.
var errEarlyEnd = errors.New("the pack ended its answers early")

// session is the stream of batches to one process.
type session struct {
	instance string
	// out is closed by close, answers by nobody.
	out     chan *pluginv1.ExtractRequest
	answers chan answer

	// flight holds the batches that are not answered, by sequence number.
	flight   map[uint64]*batch
	seq      uint64
	answered int
	// worn: the process holds too much memory, and gets no more batches.
	worn bool

	cancel context.CancelFunc
	wg     sync.WaitGroup
	once   sync.Once
}

// answer is what the stream gave.
type answer struct {
	resp *pluginv1.ExtractResponse
	err  error
}

// batch is a request in flight.
type batch struct {
	seq      uint64
	files    []File
	alone    bool
	time     time.Duration
	deadline time.Time
}

func newSession(ctx context.Context, pack Process, opts Options) (*session, error) {
	ctx, cancel := context.WithCancel(ctx)
	stream, err := pack.Client().Extract(ctx)
	if err != nil {
		cancel()
		return nil, err
	}
	s := &session{
		instance: pack.Instance(), flight: map[uint64]*batch{}, cancel: cancel,
		// As much as can be in flight, so that send does not wait.
		out:     make(chan *pluginv1.ExtractRequest, 2*opts.Workers),
		answers: make(chan answer),
	}
	// Both end when the context does, which close sees to.
	s.wg.Go(func() { sendAll(stream, s.out) })
	s.wg.Go(func() { s.receiveAll(ctx, stream) })
	return s, nil
}

func sendAll(stream pluginv1.Pack_ExtractClient, out <-chan *pluginv1.ExtractRequest) {
	for req := range out {
		if stream.Send(req) != nil {
			// The receiver gets the reason.
			return
		}
	}
	_ = stream.CloseSend()
}

func (s *session) receiveAll(ctx context.Context, stream pluginv1.Pack_ExtractClient) {
	for {
		resp, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			err = errEarlyEnd
		}
		select {
		case s.answers <- answer{resp, err}:
		case <-ctx.Done():
			return
		}
		if err != nil {
			return
		}
	}
}

// close ends the stream. It may be called several times.
func (s *session) close() {
	s.once.Do(func() {
		close(s.out)
		s.cancel()
		s.wg.Wait()
	})
}

func (s *session) send(files []File, alone bool, opts Options) {
	s.seq++
	req := &pluginv1.ExtractRequest{Instance: s.instance, Seq: s.seq, Files: make([]*pluginv1.SourceFile, len(files))}
	for i, f := range files {
		req.Files[i] = f.Source
	}
	limit := opts.answerTime(len(files))
	s.flight[s.seq] = &batch{seq: s.seq, files: files, alone: alone, time: limit, deadline: time.Now().Add(limit)}
	s.out <- req
}

// overdue gives a batch whose deadline has passed.
func (s *session) overdue(now time.Time) *batch {
	for _, b := range s.flight {
		if now.After(b.deadline) {
			return b
		}
	}
	return nil
}

// unanswered gives the batches in flight in the order in which they were sent.
func (s *session) unanswered() []*batch {
	var list []*batch
	for _, b := range s.flight {
		list = append(list, b)
	}
	slices.SortFunc(list, func(a, b *batch) int { return int(a.seq) - int(b.seq) })
	return list
}

// check finds what is wrong with the results of a batch as a whole, before any of them is believed.
func (b *batch) check(results []*pluginv1.FileResult) error {
	open := make(map[uint32]*pluginv1.SourceFile, len(b.files))
	for _, f := range b.files {
		open[f.Source.File] = f.Source
	}
	for _, res := range results {
		file, known := open[res.File]
		switch {
		case !known:
			return fmt.Errorf("answer for file number %d, which is not in the batch", res.File)
		case file == nil:
			return fmt.Errorf("two answers for file number %d", res.File)
		}
		if problem := checkResult(res); problem != "" {
			return fmt.Errorf("%s for %q", problem, file.Path)
		}
		open[res.File] = nil
	}
	if len(results) < len(b.files) {
		return fmt.Errorf("%d of %d files are not answered", len(b.files)-len(results), len(b.files))
	}
	return nil
}

func checkResult(res *pluginv1.FileResult) (problem string) {
	switch {
	case res.Skip != nil && (len(res.Tags) > 0 || len(res.Imports) > 0):
		return "facts and a skip"
	case res.Skip != nil && res.Skip.Code == "":
		return "a skip without a code"
	case !wellFormed(res.Tags) || !wellFormed(res.Imports):
		return "undecodable facts"
	}
	return ""
}

// wellFormed tells whether b is a protobuf message of some kind. What its fields mean is for those who decode it; this
// only keeps out what nobody can, for a fraction of the cost.
func wellFormed(b []byte) bool {
	for len(b) > 0 {
		_, _, n := protowire.ConsumeField(b)
		if n < 0 {
			return false
		}
		b = b[n:]
	}
	return true
}
