package tags

import (
	"context"
	"fmt"
	"time"

	pluginv1 "github.com/repox-dev/repox/sdk/proto"
)

// lingerTime is how long a batch that is not full waits for more files while the pack has nothing to do.
const lingerTime = 3 * time.Millisecond

// mercyTime is how long an answer may be on its way inside the host.
const mercyTime = 50 * time.Millisecond

// inlineLimit is how large the content of one file may be to fit into a message.
const inlineLimit = pluginv1.MessageLimit - 64<<10

// recycleAfter is how many batches a process must have answered before its memory counts against it: some packs are
// large from the start.
const recycleAfter = 32

// run is one call of Extractor.Run. Everything in it belongs to one goroutine.
type run struct {
	opts  Options
	open  Opener
	input <-chan File
	emit  func(*pluginv1.FileResult)
	stats Stats

	// waiting holds the numbers of the files that are not answered.
	waiting map[uint32]struct{}
	// gathered is the next batch, begun at gatherStart.
	gathered      []File
	gatheredBytes int64
	gatherStart   time.Time
	// suspects were in flight when a process died.
	suspects []File
	blame    blame
}

// loop drives one process after the other until every file is answered.
func (r *run) loop(ctx context.Context) error {
	for first := true; ; first = false {
		pack, err := r.open.Open(ctx)
		if err != nil {
			if first || ctx.Err() != nil {
				return err
			}
			if err = r.reopenFailed(err); err != nil {
				return r.giveUp(ctx, err)
			}
			continue
		}
		done, err := r.drive(ctx, pack)
		if err != nil || done {
			return err
		}
	}
}

// drive works with one process. It is done when every file is answered; else the process has to be replaced.
func (r *run) drive(ctx context.Context, pack Process) (done bool, err error) {
	s, err := newSession(ctx, pack, r.opts)
	if err != nil {
		return false, r.replace(ctx, pack, nil, &fault{err: pack.Explain("Extract", err)})
	}
	defer s.close()
	for {
		r.send(s)
		if len(s.flight) == 0 {
			if r.finished() {
				return true, nil
			}
			if s.worn {
				return false, r.recycle(ctx, s)
			}
		}
		f, err := r.step(ctx, s)
		if err != nil {
			return false, err
		}
		if f != nil {
			s.close()
			return false, r.replace(ctx, pack, s.unanswered(), f)
		}
	}
}

func (r *run) finished() bool {
	return r.input == nil && len(r.gathered) == 0 && len(r.suspects) == 0
}

// step waits for the next thing to happen: a file, an answer, a deadline or the end.
func (r *run) step(ctx context.Context, s *session) (*fault, error) {
	// An answer that is there counts, however late it is looked at.
	select {
	case a := <-s.answers:
		return r.take(s, a), nil
	default:
	}
	input := r.input
	if r.full() || s.worn {
		input = nil
	}
	timer := time.NewTimer(r.untilNext(s))
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	case f, ok := <-input:
		return nil, r.gather(f, ok)
	case a := <-s.answers:
		return r.take(s, a), nil
	case now := <-timer.C:
		return r.judge(s, now), nil
	}
}

// judge finds a batch whose deadline has passed. The host may have been the slow one, so that an answer that is on its way
// still counts.
func (r *run) judge(s *session, now time.Time) *fault {
	b := s.overdue(now)
	if b == nil {
		return nil
	}
	select {
	case a := <-s.answers:
		return r.take(s, a)
	case <-time.After(mercyTime):
		return &fault{overdue: true, err: fmt.Errorf("no answer within %s", b.time)}
	}
}

// untilNext is the time to the next deadline, or to the end of lingering.
func (r *run) untilNext(s *session) time.Duration {
	next := time.Now().Add(time.Hour)
	if len(s.flight) == 0 && len(r.gathered) > 0 {
		next = r.gatherStart.Add(lingerTime)
	}
	for _, b := range s.flight {
		if b.deadline.Before(next) {
			next = b.deadline
		}
	}
	return max(0, time.Until(next))
}

// gather takes a file into the next batch.
func (r *run) gather(f File, ok bool) error {
	if !ok {
		r.input = nil
		return nil
	}
	n := f.Source.File
	if _, twice := r.waiting[n]; twice {
		return fmt.Errorf("extract with %s: two files have the number %d; please report this", r.opts.Pack, n)
	}
	r.waiting[n] = struct{}{}
	r.stats.Files++
	if len(f.Source.Content) > inlineLimit {
		r.skip(n, "too_complex", "its content exceeds the message limit")
		return nil
	}
	if len(r.gathered) == 0 {
		r.gatherStart = time.Now()
	}
	r.gathered = append(r.gathered, f)
	r.gatheredBytes += max(f.Size, int64(len(f.Source.Content)))
	return nil
}

func (r *run) full() bool {
	return len(r.gathered) >= r.opts.BatchFiles || r.gatheredBytes >= r.opts.BatchBytes
}

// send sends what may be sent now. Suspects go first and alone, so that it is clear who ends the process.
func (r *run) send(s *session) {
	for !s.worn && len(s.flight) < 2*r.opts.Workers {
		if len(r.suspects) > 0 {
			if len(s.flight) == 0 {
				s.send([]File{r.suspects[0]}, true, r.opts)
				r.suspects = r.suspects[1:]
			}
			return
		}
		idle := len(s.flight) == 0 && time.Since(r.gatherStart) >= lingerTime
		if len(r.gathered) == 0 || !r.full() && r.input != nil && !idle {
			return
		}
		s.send(r.gathered, false, r.opts)
		r.gathered, r.gatheredBytes = nil, 0
	}
}

// take looks at an answer and passes its results on.
func (r *run) take(s *session, a answer) *fault {
	if a.err != nil {
		return &fault{err: a.err}
	}
	b := s.flight[a.resp.Seq]
	if b == nil {
		return &fault{garbage: true, err: fmt.Errorf("answer to batch %d, which is not open", a.resp.Seq)}
	}
	if err := b.check(a.resp.Results); err != nil {
		return &fault{garbage: true, err: err}
	}
	delete(s.flight, a.resp.Seq)
	s.answered++
	for _, res := range a.resp.Results {
		delete(r.waiting, res.File)
		if res.Skip != nil {
			r.stats.Skips++
		} else {
			r.stats.Facts++
		}
		r.emit(res)
	}
	s.worn = s.worn || a.resp.MemoryBytes > r.opts.RecycleBytes && s.answered >= recycleAfter
	return nil
}

// skip answers a file in the pack's place.
func (r *run) skip(file uint32, code, message string) {
	delete(r.waiting, file)
	r.stats.Skips++
	r.emit(&pluginv1.FileResult{File: file, Skip: &pluginv1.Skip{Code: code, Message: message}})
}
