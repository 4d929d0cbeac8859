package cli

import (
	"context"
	"crypto/sha256"
	"slices"

	"google.golang.org/protobuf/proto"

	"github.com/repox-dev/repox/core/cache"
	"github.com/repox-dev/repox/core/pipeline"
	"github.com/repox-dev/repox/sdk/model"
)

// wantsHistory tells whether any stage reads the history: without one, git is not asked for it.
func wantsHistory(plan *pipeline.Plan) bool { return users(plan, model.SectionHistory) > 0 }

// users counts the stages that get a section from the host.
func users(plan *pipeline.Plan, section string) int {
	n := 0
	for _, s := range plan.Steps {
		if slices.ContainsFunc(s.Inputs, func(in pipeline.Input) bool {
			return in.Section == section && slices.Contains(in.From, pipeline.Host)
		}) {
			n++
		}
	}
	return n
}

// historyKey stands for the history of the listed files: where it begins, and which number each file has.
func (h *hostSections) historyKey(ctx context.Context) []byte {
	sum := sha256.New()
	sum.Write(h.inv.Key[:])
	sum.Write(h.inv.Tree.PastKey(ctx))
	rules := h.inv.Secrets.Fingerprint()
	sum.Write(rules[:])
	return sum.Sum(nil)
}

// history is remembered without secrets: messages of commits are text of the repository. One that cannot be read is
// told of and left out, since all else works without it.
func (h *hostSections) history(ctx context.Context) ([]byte, error) {
	key := append([]byte("host history "), h.past...)
	if values, err := h.store.Get(ctx, cache.Section, [][]byte{key}); err == nil && values[0] != nil {
		return values[0], nil
	}
	out, err := h.readHistory(ctx)
	if err != nil {
		if ctx.Err() != nil {
			return nil, err
		}
		h.warn(&historyError{err})
		h.mu.Lock()
		h.pastMissed = true
		h.mu.Unlock()
		return nil, nil
	}
	b, err := proto.Marshal(out)
	if err != nil {
		return nil, err
	}
	if err := h.store.Put(ctx, cache.Section, []cache.Entry{{Key: key, Value: b}}); err != nil {
		h.warn(err)
	}
	return b, nil
}

func (h *hostSections) readHistory(ctx context.Context) (*model.History, error) {
	past, err := h.inv.Tree.Past(ctx)
	if err != nil {
		return nil, err
	}
	number := make(map[string]uint32, len(h.inv.Entries))
	for i := range h.inv.Entries {
		number[h.inv.Entries[i].File.Path] = uint32(i)
	}
	out := &model.History{Branch: h.inv.Secrets.Redact("", past.Branch), Truncated: past.Truncated}
	for i := range past.Commits {
		c := &past.Commits[i]
		to := &model.Commit{
			Id: c.ID, Time: c.Time, Author: h.inv.Secrets.Redact("", c.Author), Message: h.inv.Secrets.Redact("", c.Message), Elsewhere: uint32(c.Outside),
		}
		for _, path := range c.Paths {
			if n, ok := number[path]; ok {
				to.Files = append(to.Files, n)
			} else {
				to.Elsewhere++
			}
		}
		slices.Sort(to.Files)
		out.Commits = append(out.Commits, to)
	}
	return out, nil
}

// historyError is a history that is there and cannot be read.
type historyError struct{ err error }

// Error says what goes on without it.
func (e *historyError) Error() string {
	return "going on without the history of the repository: " + e.err.Error()
}
