package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/repox-dev/repox/core/pipeline"
	"github.com/repox-dev/repox/sdk/model"
)

// runOptions are the flags of `repox run`.
type runOptions struct {
	app       *app
	file      string
	path      string
	settings  []string
	source    sourceFlags
	output    string
	outputDir string
	print     bool
	dryRun    bool
	timings   bool
	noCache   bool
}

// sourceFlags are the flags that say what is read.
type sourceFlags struct {
	include, exclude, languages []string
	rev                         string
	maxFileBytes                string
}

func (f *sourceFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVar(&f.include, "include", nil, "read only files that match the `glob`; may be repeated")
	flags.StringArrayVar(&f.exclude, "exclude", nil, "leave out files that match the `glob`; may be repeated")
	flags.StringArrayVar(&f.languages, "lang", nil, "read only this `language`; may be repeated")
	flags.StringVar(&f.maxFileBytes, "max-file-bytes", "", "leave out files above this `size`, such as 2MiB (default 1MiB)")
	flags.StringVar(&f.rev, "rev", "", "read a `commit` instead of the work tree")
}

// apply puts the flags over what the pipeline says.
func (f *sourceFlags) apply(p *pipeline.Pipeline) error {
	p.Source.Include = append(p.Source.Include, f.include...)
	p.Source.Exclude = append(p.Source.Exclude, f.exclude...)
	if f.rev != "" {
		p.Source.Rev = f.rev
	}
	if f.maxFileBytes != "" {
		size, err := pipeline.ParseSize(f.maxFileBytes)
		if err != nil {
			return fmt.Errorf("--max-file-bytes: %w", err)
		}
		p.Source.MaxFileBytes = size
	}
	if len(f.languages) == 0 {
		return nil
	}
	return p.OnlyLanguages(f.languages)
}

func newRun(a *app) *cobra.Command {
	o := &runOptions{app: a}
	cmd := &cobra.Command{
		Use:   "run [PIPELINE]",
		Short: "Run a pipeline file",
		Long: "Run a pipeline file: ./pipeline.yaml if none is named, else the built-in pipeline. " +
			"The documents go to standard output.",
		Args: usageArgs(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				o.file = args[0]
			}
			return contextCause(cmd.Context(), o.run(cmd.Context()))
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&o.path, "path", "", "the `directory` to read, instead of the pipeline's")
	flags.StringArrayVar(&o.settings, "set", nil, "set an option, as in report.budget=2000; may be repeated")
	flags.StringVarP(&o.output, "output", "o", "", "write the documents to this `file`, whole or not at all")
	flags.StringVar(&o.outputDir, "output-dir", "", "write documents that have a name into this `directory`")
	flags.BoolVar(&o.print, "print-pipeline", false, "print the effective pipeline and stop")
	flags.BoolVar(&o.dryRun, "dry-run", false, "print what would run beside what and stop")
	flags.BoolVar(&o.timings, "timings", false, "say on standard error where the time went")
	flags.BoolVar(&o.noCache, "no-cache", false, "neither use nor fill the cache")
	o.source.register(cmd)
	return cmd
}

func (o *runOptions) run(ctx context.Context) error {
	p, err := o.app.load(ctx, o.file, o.settings)
	if err != nil {
		return err
	}
	return o.runLoaded(ctx, p)
}

func (o *runOptions) runLoaded(ctx context.Context, p *pipeline.Pipeline) error {
	if o.path != "" {
		p.Source.Path = o.path
	}
	if o.noCache {
		p.Cache = false
	}
	if err := o.source.apply(p); err != nil {
		return &usageError{err}
	}
	switch {
	case o.print:
		return o.show(p.Print)
	case o.dryRun:
		return o.show(p.WritePlan)
	}
	res, err := o.app.runPipeline(ctx, p)
	if err != nil {
		return err
	}
	if o.timings {
		res.watch.write(o.app.stderr, time.Since(res.watch.begun))
	}
	return o.deliver(res.documents)
}

func (o *runOptions) show(write func(io.Writer) error) error {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return err
	}
	return o.app.writeOutput(o.output, b.Bytes())
}

// deliver writes the documents: those with a name into the output directory, if there is one, all others one behind the
// other.
func (o *runOptions) deliver(docs []*model.Document) error {
	var rest []byte
	for _, d := range docs {
		if d.Name == "" || o.outputDir == "" {
			rest = append(rest, d.Content...)
			continue
		}
		if d.Name != filepath.Base(d.Name) || d.Name == "." || d.Name == ".." {
			return fmt.Errorf("a report is named %q, which is no plain file name; correct it in the pipeline", d.Name)
		}
		if err := o.app.writeOutput(filepath.Join(o.outputDir, d.Name), d.Content); err != nil {
			return err
		}
	}
	if rest == nil && o.output == "" {
		return nil
	}
	return o.app.writeOutput(o.output, rest)
}
