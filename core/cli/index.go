package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/repox-dev/repox/core/inventory"
	"github.com/repox-dev/repox/core/pipeline"
	"github.com/repox-dev/repox/core/preset"
	"github.com/repox-dev/repox/core/tags"
)

// indexOptions are the flags of `repox index` and its commands.
type indexOptions struct {
	app    *app
	path   string
	format string
	source sourceFlags
}

// formatText and formatJSON are the formats of `repox index status`.
const (
	formatText = "text"
	formatJSON = "json"
)

func newIndex(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "index",
		Short: "Warm or inspect the derived cache",
		Args:  usageArgs(cobra.NoArgs),
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newIndexBuild(a), newIndexRefresh(a), newIndexStatus(a))
	return cmd
}

func newIndexBuild(a *app) *cobra.Command {
	return newIndexCommand(&indexOptions{app: a}, &cobra.Command{
		Use:   "build [PATH]",
		Short: "Read every file again, extract its tags and remember all that a map needs",
	}, func(ctx context.Context, o *indexOptions) error { return o.warm(ctx, true) })
}

func newIndexRefresh(a *app) *cobra.Command {
	return newIndexCommand(&indexOptions{app: a}, &cobra.Command{
		Use:   "refresh [PATH]",
		Short: "Read the files that changed and bring what is remembered up to date",
	}, func(ctx context.Context, o *indexOptions) error { return o.warm(ctx, false) })
}

func newIndexStatus(a *app) *cobra.Command {
	o := &indexOptions{app: a}
	cmd := newIndexCommand(o, &cobra.Command{
		Use:   "status [PATH]",
		Short: "Say what is remembered of a directory, and change nothing",
	}, func(ctx context.Context, o *indexOptions) error { return o.status(ctx) })
	cmd.Flags().StringVar(&o.format, "format", formatText, "text or json")
	return cmd
}

func newIndexCommand(o *indexOptions, cmd *cobra.Command, run func(context.Context, *indexOptions) error) *cobra.Command {
	cmd.Args = usageArgs(cobra.MaximumNArgs(1))
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		o.path = "."
		if len(args) == 1 {
			o.path = args[0]
		}
		return contextCause(cmd.Context(), run(cmd.Context(), o))
	}
	o.source.register(cmd)
	return cmd
}

// load gives the pipeline of `repox map`, whose sections are the index.
func (o *indexOptions) load(ctx context.Context) (*pipeline.Pipeline, error) {
	p, err := o.app.loadWith(ctx, pipeline.Options{
		File: "built-in " + builtinMap, Data: preset.Map(), LookupEnv: os.LookupEnv, Catalog: o.app.catalog(), Presets: preset.FS,
	})
	if err != nil {
		return nil, err
	}
	p.Source.Path = o.path
	if err := o.source.apply(p); err != nil {
		return nil, &usageError{err}
	}
	return p, nil
}

// errNoCache: there is nowhere to remember anything.
var errNoCache = errors.New("there is no usable cache; set REPOX_CACHE_DIR to a folder that can be written")

// warm extracts tags, then does what a map does and throws the map away. Afresh, it first forgets what it knew.
func (o *indexOptions) warm(ctx context.Context, afresh bool) error {
	p, err := o.load(ctx)
	if err != nil {
		return err
	}
	return o.app.withSession(ctx, p, func(s *session) error {
		if s.store == nil {
			return errNoCache
		}
		if err := s.extractAll(ctx, afresh); err != nil {
			return err
		}
		_, err := s.run(ctx)
		return err
	})
}

// extractAll sees to it that the tags of every file are remembered. A run alone would not: where the map itself is
// remembered, it does not ask for tags.
func (s *session) extractAll(ctx context.Context, afresh bool) error {
	if afresh {
		if err := s.forgetListing(ctx); err != nil {
			return err
		}
	}
	inv, err := s.inventory(ctx)
	if err != nil {
		return err
	}
	defer inv.Tree.Close()
	packs, err := s.packs()
	if err != nil {
		return err
	}
	if afresh {
		if err := tags.Forget(ctx, inv, packs, s.store); err != nil {
			return err
		}
	}
	s.plan(inv, packs)
	_, err = tags.Collect(ctx, inv, packs, s.store, s.warnOnce)
	return err
}

func (s *session) forgetListing(ctx context.Context) error {
	tree, err := s.list(ctx, nil)
	if err != nil {
		return err
	}
	defer tree.Close()
	return inventory.Forget(ctx, tree, s.app.secrets.Load(), s.store)
}

// indexStatus is what `repox index status` says; its JSON form is for scripts.
type indexStatus struct {
	Files      int            `json:"files"`
	Languages  map[string]int `json:"languages"`
	Skipped    map[string]int `json:"skipped"`
	Changed    int            `json:"changed"`
	Readable   int            `json:"readable"`
	Remembered int            `json:"remembered"`
	Fresh      bool           `json:"fresh"`
	Cache      cacheStatus    `json:"cache"`
}

// cacheStatus is the part about the store, which all repositories share.
type cacheStatus struct {
	Path     string `json:"path"`
	Bytes    int64  `json:"bytes"`
	MaxBytes int64  `json:"max_bytes"`
	Entries  int64  `json:"entries"`
}

func (o *indexOptions) status(ctx context.Context) error {
	if o.format != formatText && o.format != formatJSON {
		return &usageError{fmt.Errorf("format %q is not one of %s, %s", o.format, formatText, formatJSON)}
	}
	p, err := o.load(ctx)
	if err != nil {
		return err
	}
	var st *indexStatus
	err = o.app.withSession(ctx, p, func(s *session) (err error) {
		if s.store == nil {
			return errNoCache
		}
		s.store.Freeze()
		st, err = s.indexStatus(ctx)
		return err
	})
	if err != nil {
		return err
	}
	return o.app.produce("", st.writer(o.format))
}

func (s *session) indexStatus(ctx context.Context) (*indexStatus, error) {
	inv, err := s.inventory(ctx)
	if err != nil {
		return nil, err
	}
	defer inv.Tree.Close()
	packs, err := s.packs()
	if err != nil {
		return nil, err
	}
	st := &indexStatus{Files: len(inv.Entries), Languages: map[string]int{}, Skipped: inv.Skipped, Changed: inv.Read}
	for i := range inv.Entries {
		if l := inv.Entries[i].Language; l != "" {
			st.Languages[l]++
		}
	}
	if st.Readable, st.Remembered, err = tags.Remembered(ctx, inv, packs, s.store); err != nil {
		return nil, err
	}
	st.Fresh = st.Readable == st.Remembered && st.Changed == 0
	usage, err := s.store.Usage(ctx)
	st.Cache = cacheStatus{Path: usage.Path, Bytes: usage.Bytes, MaxBytes: usage.MaxBytes, Entries: usage.Entries}
	return st, err
}

// writer gives what writes the status in a format.
func (st *indexStatus) writer(format string) func(io.Writer) error {
	if format == formatJSON {
		return func(w io.Writer) error {
			e := json.NewEncoder(w)
			e.SetIndent("", "  ")
			return e.Encode(st)
		}
	}
	return st.writeText
}

func (st *indexStatus) writeText(w io.Writer) error {
	state := "up to date"
	if !st.Fresh {
		state = "not up to date; `repox index refresh` reads what changed"
	}
	_, err := fmt.Fprintf(w, "state  %s\nfiles  %d, of which %d are new or changed\ntags   of %d files remembered, of %d to extract\n"+
		"cache  %s, %d of at most %d MiB, %d entries\n",
		state, st.Files, st.Changed, st.Remembered, st.Readable-st.Remembered,
		oneLine(st.Cache.Path), (st.Cache.Bytes+1<<20-1)>>20, st.Cache.MaxBytes>>20, st.Cache.Entries)
	return err
}
