// Package verify runs a language pack, in its own process, against the fixtures that it serves, and remembers which builds
// have passed. What is checked is in package fixture of the sdk.
package verify

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/repox-dev/repox/core/cache"
	"github.com/repox-dev/repox/core/pluginhost"
	"github.com/repox-dev/repox/core/source"
	"github.com/repox-dev/repox/core/tags"
	"github.com/repox-dev/repox/sdk/fixture"
	pluginv1 "github.com/repox-dev/repox/sdk/proto"
)

// Limits are what a pack may spend while it is verified.
func Limits(workers int) *pluginv1.Limits {
	l := fixture.Limits()
	l.Workers = uint32(workers)
	return l
}

// Options say how Run verifies.
type Options struct {
	// Workers is how many files the pack works on side by side.
	Workers int
	// Fixtures, if not nil, are used instead of those that the pack serves.
	Fixtures []fixture.File
	Logger   *slog.Logger
}

// Run verifies a pack. The component is to be configured with Limits. An error means that the pack could not be asked: it
// does not start, refuses its configuration, or its fixtures cannot be read.
func Run(ctx context.Context, c *pluginhost.Component, info *pluginv1.PackInfo, o Options) (*fixture.Report, error) {
	files := o.Fixtures
	if files == nil {
		var err error
		if files, err = served(ctx, c); err != nil {
			return nil, err
		}
	}
	limit := time.Duration(Limits(1).FileMillis) * time.Millisecond
	pack := tags.NewExtractor(tags.FromComponent(c), tags.Options{Pack: c.Name(), Workers: o.Workers, FileTime: limit, Logger: o.Logger})
	return fixture.Verify(ctx, pack, info, files, fixture.Options{Decode: decode})
}

// decode makes text as a run does. What would be skipped goes to the pack as it is: it must survive that too.
func decode(raw []byte) []byte {
	if text, _, reason := source.Decode(raw); reason == "" {
		return text
	}
	return raw
}

// maxFixtureBytes bounds what a pack may serve.
const maxFixtureBytes = 64 << 20

// served asks a pack for its fixtures.
func served(ctx context.Context, c *pluginhost.Component) ([]fixture.File, error) {
	in, err := c.Open(ctx)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	stream, err := in.Plugin.Pack().Fixtures(ctx, &pluginv1.FixturesRequest{Component: c.Name()})
	if err != nil {
		return nil, in.Plugin.Explain("Fixtures", err)
	}
	out := []fixture.File{}
	size := 0
	for {
		f, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, in.Plugin.Explain("Fixtures", err)
		}
		if size += len(f.Content); size > maxFixtureBytes {
			return nil, fmt.Errorf("%s serves more than %d MiB of fixtures", c.Name(), maxFixtureBytes>>20)
		}
		out = append(out, fixture.File{Path: f.Path, Content: f.Content})
	}
}

// Outcome is what is remembered of a verification.
type Outcome struct {
	Passed bool
	// Reason is the first failure.
	Reason string
}

// OutcomeOf sums up a report.
func OutcomeOf(r *fixture.Report, err error) Outcome {
	switch {
	case err != nil:
		return Outcome{Reason: err.Error()}
	case !r.OK():
		f := r.Failures[0]
		return Outcome{Reason: f.Place + ": " + f.Message}
	}
	return Outcome{Passed: true}
}

// engine changes whenever a pack that passed might not pass any more.
const engine = "1"

func key(identity []byte) []byte {
	h := sha256.New()
	h.Write([]byte("verification " + engine + "\x00"))
	h.Write(identity)
	return h.Sum(nil)
}

// Remembered gives the outcome for a pack's identity, which stands for its executable, the component and its configuration.
// The store may be nil.
func Remembered(ctx context.Context, store *cache.Store, identity []byte) (Outcome, bool) {
	values, err := store.Get(ctx, cache.Description, [][]byte{key(identity)})
	if err != nil || len(values[0]) == 0 {
		return Outcome{}, false // it is found out again
	}
	return Outcome{Passed: values[0][0] == '+', Reason: string(values[0][1:])}, true
}

// Remember keeps an outcome. Only time is lost if it cannot.
func Remember(ctx context.Context, store *cache.Store, identity []byte, o Outcome) {
	mark := "-"
	if o.Passed {
		mark = "+"
	}
	_ = store.Put(ctx, cache.Description, []cache.Entry{{Key: key(identity), Value: []byte(mark + o.Reason)}})
}
