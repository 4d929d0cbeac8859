package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/repox-dev/repox/core/diag"
	"github.com/repox-dev/repox/core/pipeline"
	"github.com/repox-dev/repox/core/preset"
	"github.com/repox-dev/repox/core/verify"
	"github.com/repox-dev/repox/sdk"
	"github.com/repox-dev/repox/sdk/fixture"
)

// verifyOptions are the flags of `repox verify`.
type verifyOptions struct {
	app      *app
	pipeline string
	fixtures string
	update   bool
}

// errUnverified: a pack failed, and what failed has been shown.
var errUnverified = errors.New("language packs failed verification")

func newVerify(a *app) *cobra.Command {
	o := &verifyOptions{app: a}
	cmd := &cobra.Command{
		Use:   "verify [PACK...]",
		Short: "Run language packs against their own fixtures",
		Long: "Run language packs against the fixtures that they serve and against inputs that every pack must survive. " +
			"A PACK is the name of a built-in one or the path of an executable; without any, the built-in ones are verified.",
		RunE: func(cmd *cobra.Command, args []string) error {
			return contextCause(cmd.Context(), o.run(cmd.Context(), args))
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&o.pipeline, "pipeline", "", "verify the language packs of this pipeline `file`")
	flags.StringVar(&o.fixtures, "fixtures", "", "use the fixtures in this `directory` instead of those that the pack serves")
	flags.BoolVar(&o.update, "update", false, "rewrite the listings of tags in the directory that --fixtures names")
	return cmd
}

func (o *verifyOptions) run(ctx context.Context, args []string) error {
	if o.pipeline != "" && len(args) > 0 {
		return &usageError{errors.New("name packs or a pipeline, not both")}
	}
	p, err := o.load(ctx, args)
	if err != nil {
		return err
	}
	if o.fixtures != "" && len(p.Languages) != 1 {
		return &usageError{fmt.Errorf("--fixtures is for one pack, and there are %d; name one", len(p.Languages))}
	}
	if o.update && o.fixtures == "" {
		return &usageError{errors.New("--update needs --fixtures: the directory in which the pack's author keeps them")}
	}
	files, err := readFixtures(o.fixtures)
	if err != nil {
		return err
	}
	return o.app.withSession(ctx, p, func(s *session) error {
		failed := 0
		for i := range p.Languages {
			ok, err := o.one(ctx, s, &p.Languages[i], files)
			if err != nil {
				return err
			}
			if !ok {
				failed++
			}
		}
		if failed > 0 {
			return fmt.Errorf("%d of %d %w; what was expected stands after -, what was found after +", failed, len(p.Languages), errUnverified)
		}
		return nil
	})
}

// load gives a pipeline of the packs that are to be verified.
func (o *verifyOptions) load(ctx context.Context, args []string) (*pipeline.Pipeline, error) {
	if o.pipeline != "" {
		return o.app.load(ctx, o.pipeline, nil)
	}
	var builtin []string
	for _, c := range o.app.builtin {
		if p, ok := c.(*sdk.Pack); ok {
			builtin = append(builtin, p.Name)
		}
	}
	if len(args) == 0 {
		args = builtin
	}
	for _, a := range args {
		if !strings.ContainsAny(a, `/\`) && !slices.Contains(builtin, a) && !slices.Contains(builtin, "lang-"+a) {
			err := fmt.Errorf("no built-in language pack %q; there are %s; an executable is named by a path, such as ./%s", a, strings.Join(builtin, ", "), a)
			if near := diag.Nearest(a, builtin); near != "" {
				err = fmt.Errorf("no built-in language pack %q; did you mean %q?", a, near)
			}
			return nil, &usageError{err}
		}
	}
	languages, err := json.Marshal(args)
	if err != nil {
		return nil, err
	}
	return o.app.loadWith(ctx, pipeline.Options{
		File: "the packs to verify", Data: []byte("version: 1\nextends: map\nlanguages: " + string(languages) + "\n"),
		LookupEnv: os.LookupEnv, Catalog: o.app.catalog(), Presets: preset.FS,
	})
}

// one verifies a pack and writes what came of it.
func (o *verifyOptions) one(ctx context.Context, s *session, item *pipeline.Item, files []fixture.File) (bool, error) {
	start := time.Now()
	report, err := s.verify(ctx, item, files)
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	var b strings.Builder
	writeVerdict(&b, item, report, err, time.Since(start))
	if _, err := io.WriteString(o.app.stdout, o.app.redact(b.String())); err != nil {
		return false, fmt.Errorf("write result: %w", err)
	}
	if o.update && err == nil {
		return true, writeListings(o.fixtures, report)
	}
	return err == nil && report.OK(), nil
}

// verify runs a pack against its fixtures, and remembers the outcome if they are its own.
func (s *session) verify(ctx context.Context, item *pipeline.Item, files []fixture.File) (*fixture.Report, error) {
	prog, err := s.program(item)
	if err != nil {
		return nil, err
	}
	workers := runtime.GOMAXPROCS(0)
	config := item.ConfigJSON()
	component := prog.supervisor.Component(item.Component.Name, config, verify.Limits(workers))
	report, err := verify.Run(ctx, component, item.Component.Pack, verify.Options{Workers: workers, Fixtures: files, Logger: s.log})
	err = s.explain(item, err)
	if files == nil && ctx.Err() == nil {
		verify.Remember(ctx, s.store, identity(prog.digest, item.Component, config), verify.OutcomeOf(report, err))
	}
	return report, err
}

func writeVerdict(b *strings.Builder, item *pipeline.Item, r *fixture.Report, err error, took time.Duration) {
	var grammars []string
	for _, l := range item.Component.Pack.Languages {
		if l.Grammar != "" && !slices.Contains(grammars, l.Grammar) {
			grammars = append(grammars, l.Grammar)
		}
	}
	fmt.Fprintf(b, "%s %s", item.Component.Name, item.Component.Version)
	if len(grammars) > 0 {
		fmt.Fprintf(b, " (%s)", strings.Join(grammars, ", "))
	}
	if err != nil {
		fmt.Fprintf(b, ": FAILED\n    %s\n", oneLine(err.Error()))
		return
	}
	verdict := "verified"
	if !r.OK() {
		verdict = "FAILED"
	}
	fmt.Fprintf(b, ": %s\n    fixtures %d of %d passed, kinds %d of %d covered, conformance %d of %d, time %.1f s\n",
		verdict, r.Passed, r.Cases, r.Covered, r.Kinds, r.Survived, r.Inputs, took.Seconds())
	for _, f := range r.Failures {
		fmt.Fprintf(b, "    %s: %s\n", oneLine(f.Place), oneLine(f.Message))
		for _, line := range f.Diff {
			fmt.Fprintf(b, "      %s\n", oneLine(line))
		}
	}
}

// readFixtures reads a fixtures folder; none is nil.
func readFixtures(dir string) ([]fixture.File, error) {
	if dir == "" {
		return nil, nil
	}
	files := []fixture.File{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		files = append(files, fixture.File{Path: filepath.ToSlash(rel), Content: b})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read fixtures: %w", err)
	}
	return files, nil
}

// writeListings rewrites the listings of a fixtures folder.
func writeListings(dir string, r *fixture.Report) error {
	for name, listing := range r.Listings {
		file := filepath.Join(dir, filepath.FromSlash(name)+fixture.ListingSuffix)
		if err := writeFile(file, func(w io.Writer) error { _, err := io.WriteString(w, listing); return err }); err != nil {
			return err
		}
	}
	return nil
}
