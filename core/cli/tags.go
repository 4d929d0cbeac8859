package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/repox-dev/repox/core/inventory"
	"github.com/repox-dev/repox/core/pipeline"
	"github.com/repox-dev/repox/core/preset"
	"github.com/repox-dev/repox/core/source"
	"github.com/repox-dev/repox/core/tagfile"
	"github.com/repox-dev/repox/core/tags"
)

// tagsOptions are the flags of `repox tags`.
type tagsOptions struct {
	app      *app
	pipeline string
	format   string
	output   string
	noCache  bool
	source   sourceFlags
}

// formats of `repox tags`.
const (
	formatJSONL = "jsonl"
	formatCTags = "ctags"
)

func newTags(a *app) *cobra.Command {
	o := &tagsOptions{app: a}
	cmd := &cobra.Command{
		Use:   "tags [PATH...]",
		Short: "Print every definition, reference and import",
		Long: "Print every fact of the files below the paths: definitions, references and imports, unranked, as JSON Lines " +
			"or as a ctags file of the definitions. Paths in the output are relative to the directory that holds all the paths.",
		RunE: func(cmd *cobra.Command, args []string) error {
			return contextCause(cmd.Context(), o.run(cmd.Context(), args))
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&o.format, "format", formatJSONL, "jsonl or ctags")
	flags.StringVarP(&o.output, "output", "o", "", "write to this `file`, whole or not at all")
	flags.StringVar(&o.pipeline, "pipeline", "", "take the language packs of this pipeline `file`")
	flags.BoolVar(&o.noCache, "no-cache", false, "neither use nor fill the cache")
	o.source.register(cmd)
	return cmd
}

func (o *tagsOptions) run(ctx context.Context, args []string) error {
	if o.format != formatJSONL && o.format != formatCTags {
		return &usageError{fmt.Errorf("format %q is not one of %s, %s", o.format, formatJSONL, formatCTags)}
	}
	p, err := o.load(ctx)
	if err != nil {
		return err
	}
	root, within, err := source.Span(args)
	if err != nil {
		return err
	}
	p.Source.Path = root
	if o.noCache {
		p.Cache = false
	}
	if err := o.source.apply(p); err != nil {
		return &usageError{err}
	}
	o.app.streams = o.output == ""
	return o.app.withSession(ctx, p, func(s *session) error {
		inv, err := s.inventory(ctx, within...)
		if err != nil {
			return err
		}
		defer inv.Tree.Close()
		if err := s.checkVerified(ctx, inv); err != nil {
			return err
		}
		o.warnOfUnlisted(inv, within)
		return o.app.produce(o.output, func(w io.Writer) error { return o.write(ctx, s, inv, w) })
	})
}

// load gives the pipeline whose packs are used.
func (o *tagsOptions) load(ctx context.Context) (*pipeline.Pipeline, error) {
	if o.pipeline != "" {
		return o.app.load(ctx, o.pipeline, nil)
	}
	return o.app.loadWith(ctx, pipeline.Options{
		File: "built-in " + builtinMap, Data: preset.Map(), LookupEnv: os.LookupEnv, Catalog: o.app.catalog(), Presets: preset.FS,
	})
}

// warnOfUnlisted tells of named paths below which nothing is read.
func (o *tagsOptions) warnOfUnlisted(inv *inventory.Inventory, within []string) {
	for _, path := range within {
		below := func(p string) bool { return p == path || strings.HasPrefix(p, path+"/") }
		found := false
		for i := range inv.Entries {
			found = found || below(inv.Entries[i].File.Path)
		}
		for _, skip := range inv.SkippedFiles {
			found = found || below(skip.Path)
		}
		if !found {
			o.app.warnf("%s: nothing is read there; it may be ignored or excluded", path)
		}
	}
}

func (o *tagsOptions) write(ctx context.Context, s *session, inv *inventory.Inventory, w io.Writer) error {
	packs, err := s.packs()
	if err != nil {
		return err
	}
	out, discard, err := o.writer(w)
	if err != nil {
		return err
	}
	defer discard()
	s.plan(inv, packs)
	f := newFacts(inv, out)
	findings, err := tags.Stream(ctx, inv, packs, s.store, s.warnOnce, f.write)
	if err != nil {
		return err
	}
	if err := f.finish(findings); err != nil {
		return err
	}
	if err := s.store.Prune(ctx); err != nil {
		s.warnOnce(err)
	}
	return nil
}

// writer gives the writer of the format, and what frees it if it is not closed.
func (o *tagsOptions) writer(w io.Writer) (tagfile.Writer, func(), error) {
	if o.format == formatCTags {
		c, err := tagfile.NewCTags(w, Version)
		if err != nil {
			return nil, nil, err
		}
		return c, c.Discard, nil
	}
	return tagfile.NewJSONL(w), func() {}, nil
}
