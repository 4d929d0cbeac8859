package tags

import (
	"context"
	"errors"

	"github.com/repox-dev/repox/core/pluginhost"
)

// recycle replaces a process that has grown too large; that is no fault.
func (r *run) recycle(ctx context.Context, s *session) error {
	r.opts.Logger.Debug("pack is replaced for its memory", "pack", r.opts.Pack, "batches", s.answered)
	s.close()
	r.stats.Recycled++
	return r.open.Stop(ctx)
}

// replace ends a faulty process and settles what its end means for the files that were in flight.
func (r *run) replace(ctx context.Context, pack Process, flight []*batch, f *fault) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	f.explain(pack)
	pack.Kill(f.cause(), f.err.Error())
	r.stats.Restarts++
	r.opts.Logger.Debug("pack is replaced after a fault", "pack", r.opts.Pack, "error", f.err, "batches_in_flight", len(flight))
	var unsupported *pluginhost.CallError
	if errors.As(f.err, &unsupported) && unsupported.Reason == pluginhost.Unsupported {
		r.suspect(flight)
		return r.giveUp(ctx, f.err)
	}
	if len(flight) == 1 && flight[0].alone {
		file := flight[0].files[0].Source
		r.skip(file.File, f.code(), f.message())
		r.blame.isolated(string(file.Path), f)
	} else {
		r.suspect(flight)
		r.blame.barren()
	}
	if r.blame.exhausted() {
		return r.giveUp(ctx, f.err)
	}
	return nil
}

func (r *run) suspect(flight []*batch) {
	var files []File
	for _, b := range flight {
		files = append(files, b.files...)
	}
	r.suspects = append(files, r.suspects...)
}

// reopenFailed settles that a replacement did not start. Only a crash is worth another try.
func (r *run) reopenFailed(err error) error {
	var crash *pluginhost.CrashError
	r.blame.barren()
	if !errors.As(err, &crash) || r.blame.exhausted() {
		return err
	}
	r.stats.Restarts++
	return nil
}

// giveUp ends the pack: whatever is not answered is a skip.
func (r *run) giveUp(ctx context.Context, cause error) error {
	err := &PackError{Pack: r.opts.Pack, Files: r.blame.files, Restarts: r.stats.Restarts, Err: cause}
	message := "its language pack was given up after repeated faults"
	for _, f := range append(r.suspects, r.gathered...) {
		r.skip(f.Source.File, "crashed", message)
	}
	r.suspects, r.gathered = nil, nil
	for r.input != nil {
		select {
		case f, ok := <-r.input:
			if !ok {
				return err
			}
			r.stats.Files++
			r.skip(f.Source.File, "crashed", message)
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return err
}
