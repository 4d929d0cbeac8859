package tags

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"time"

	pluginv1 "github.com/repox-dev/repox/sdk/proto"
)

// File is one file to extract.
type File struct {
	// Source is what the pack gets. Its number must be the file's own within one Run.
	Source *pluginv1.SourceFile
	// Size is the size of the file in bytes, which batches are closed by.
	Size int64
}

// Options configure an Extractor. The zero value is good for use.
type Options struct {
	// Pack is the pack's name, for messages.
	Pack string
	// Workers is how many batches the pack works on side by side, as its limits say; twice as many are in flight.
	// Zero means 2.
	Workers int
	// BatchFiles and BatchBytes close a batch. Zero means 64 files and 1 MiB.
	BatchFiles int
	BatchBytes int64
	// FileTime is the time that the pack may spend on one file, as its limits say. Zero means 5 seconds.
	FileTime time.Duration
	// AnswerFloor and AnswerCap bound the deadline of a batch from below and above. Zero means 5 and 20 seconds. Missing
	// it costs no facts: the files are asked for again one by one.
	AnswerFloor, AnswerCap time.Duration
	// RecycleBytes is how much memory the pack may report before its process is replaced. Zero means 1 GiB.
	RecycleBytes uint64
	// Logger receives restarts at debug level. Nil discards them.
	Logger *slog.Logger
}

func (o Options) withDefaults() Options {
	setDefault(&o.Workers, 2)
	setDefault(&o.BatchFiles, 64)
	setDefault(&o.BatchBytes, 1<<20)
	setDefault(&o.FileTime, 5*time.Second)
	setDefault(&o.AnswerFloor, 5*time.Second)
	setDefault(&o.AnswerCap, 20*time.Second)
	setDefault(&o.RecycleBytes, 1<<30)
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return o
}

func setDefault[T ~int | ~int64 | ~uint64](field *T, value T) {
	if *field <= 0 {
		*field = value
	}
}

// answerTime is how long a batch of n files may take.
func (o Options) answerTime(n int) time.Duration {
	if n == 1 {
		return max(o.AnswerFloor, 2*o.FileTime)
	}
	return max(o.AnswerFloor, min(time.Duration(n)*o.FileTime, max(o.AnswerCap, 2*o.FileTime)))
}

// Stats says what a Run did. Files is always Facts plus Skips unless the context ended the run.
type Stats struct {
	Files, Facts, Skips int
	// Restarts counts processes that died or were killed for a fault, Recycled those replaced for their memory.
	Restarts, Recycled int
}

// Extractor gives the files of one language pack to its process and watches that each is answered once.
//
// Files travel in batches, of which a few are in flight; answers come in any order. When the process dies, passes a
// deadline or answers garbage, it is replaced, and the files that were in flight are asked for one at a time: the file
// that fails alone has failed twice and becomes a skip. So one bad file among thousands costs two processes.
type Extractor struct {
	open Opener
	opts Options
}

var _ Running = (*Extractor)(nil)

// NewExtractor makes an extractor for the pack that open starts.
func NewExtractor(open Opener, opts Options) *Extractor {
	return &Extractor{open: open, opts: opts.withDefaults()}
}

// Run extracts files until the channel is closed, and calls emit, from one goroutine and in no certain order, once for
// each of them: with facts or with a skip. Close the channel also when ctx ends.
//
// When the pack has to be given up, the remaining files are skips of code "crashed" and the error is a *PackError; when it
// cannot be started, the error is that of Opener.Open and nothing was emitted. The pack's process is left running for
// other calls.
func (e *Extractor) Run(ctx context.Context, files <-chan File, emit func(*pluginv1.FileResult)) (Stats, error) {
	r := &run{opts: e.opts, open: e.open, input: files, emit: emit, waiting: map[uint32]struct{}{}}
	err := r.loop(ctx)
	if err == nil && (len(r.waiting) > 0 || r.stats.Files != r.stats.Facts+r.stats.Skips) {
		err = fmt.Errorf("extract with %s: %d files are unaccounted for; please report this", e.opts.Pack, len(r.waiting))
	}
	return r.stats, err
}

// Extract extracts files that are all known already; see Run. It implements Running.
func (e *Extractor) Extract(ctx context.Context, files []*pluginv1.SourceFile, emit func(*pluginv1.FileResult)) error {
	list := make([]File, len(files))
	for i, f := range files {
		list[i] = File{Source: f, Size: sizeOf(f)}
	}
	_, err := e.Run(ctx, Feed(list), emit)
	return err
}

// Client gives the client and the instance of the running pack, for calls other than Extract. It implements Running.
func (e *Extractor) Client(ctx context.Context) (client pluginv1.PackClient, instance string, err error) {
	p, err := e.open.Open(ctx)
	if err != nil {
		return nil, "", err
	}
	return p.Client(), p.Instance(), nil
}

// sizeOf is the size of a file; where it lies on this machine and cannot be looked at, the pack will say so.
func sizeOf(f *pluginv1.SourceFile) int64 {
	if len(f.Local) == 0 {
		return int64(len(f.Content))
	}
	info, err := os.Stat(string(f.Local))
	if err != nil {
		return 0
	}
	return info.Size()
}

// Feed makes a closed channel of files that are known already.
func Feed(files []File) <-chan File {
	ch := make(chan File, len(files))
	for _, f := range files {
		ch <- f
	}
	close(ch)
	return ch
}
