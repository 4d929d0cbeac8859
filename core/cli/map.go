package cli

import (
	"os"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/repox-dev/repox/core/pipeline"
	"github.com/repox-dev/repox/core/preset"
)

// newMap makes `repox map`: the built-in pipeline of that name, with its usual options as flags.
func newMap(a *app) *cobra.Command {
	o := &runOptions{app: a}
	var budget int
	var focus, explain, format, tokenizer string
	var allClasses bool
	cmd := &cobra.Command{
		Use:   "map [PATH]",
		Short: "Print a ranked map of definitions within a token budget",
		Args:  usageArgs(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.path = "."
			if len(args) == 1 {
				o.path = args[0]
			}
			for flag, setting := range map[string]string{
				"budget":    "report.budget=" + strconv.Itoa(budget),
				"format":    "report.format=" + format,
				"tokenizer": "report.tokenizer=" + tokenizer,
				"focus":     "rank.focus=" + focus,
				"explain":   "rank.explain=" + explain,
			} {
				if cmd.Flags().Changed(flag) {
					o.settings = append(o.settings, setting)
				}
			}
			if allClasses {
				o.settings = append(o.settings, "extract.all_classes=true", "rank.all_classes=true")
			}
			p, err := a.loadWith(cmd.Context(), pipeline.Options{
				File: "built-in " + builtinMap, Data: preset.Map(), Set: o.settings, LookupEnv: os.LookupEnv, Catalog: a.catalog(), Presets: preset.FS,
			})
			if err != nil {
				return err
			}
			return contextCause(cmd.Context(), o.runLoaded(cmd.Context(), p))
		},
	}
	flags := cmd.Flags()
	flags.IntVar(&budget, "budget", 4096, "how many `tokens` the map may have at most")
	flags.StringVar(&focus, "focus", "", "what the reader is after: words, paths, identifiers")
	flags.StringVar(&explain, "explain", "", "say why `FILE[:NAME]` ranks where it does, instead of showing the map")
	flags.BoolVar(&allClasses, "all-classes", false, "rank and show generated, vendored and minified files too")
	flags.StringVar(&format, "format", "text", "text, markdown or json")
	flags.StringVar(&tokenizer, "tokenizer", "o200k_base", "how tokens are counted: o200k_base or cl100k_base")
	flags.StringVarP(&o.output, "output", "o", "", "write the map to this `file`, whole or not at all")
	flags.BoolVar(&o.print, "print-pipeline", false, "print the pipeline behind the map and stop")
	flags.BoolVar(&o.timings, "timings", false, "say on standard error where the time went")
	flags.BoolVar(&o.noCache, "no-cache", false, "neither use nor fill the cache")
	o.source.register(cmd)
	return cmd
}
