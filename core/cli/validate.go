package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/repox-dev/repox/core/handoff"
)

// validateOptions are the flags of `repox validate`.
type validateOptions struct {
	app        *app
	input      string
	format     string
	checkFiles bool
}

// maxHandoff bounds what is read; a handoff at its hard limits is a hundredth of it.
const maxHandoff = 32 << 20

func newValidate(a *app) *cobra.Command {
	o := &validateOptions{app: a}
	cmd := &cobra.Command{
		Use:   "validate FILE|-",
		Short: "Check a handoff against the contract",
		Long: "Check a handoff, made by this program or another, and print every violation with its JSON pointer: the schema, " +
			"limits, line ranges, references among its parts, duplicates, and secrets that are not redacted. " +
			"`repox schema handoff` prints the schema.",
		Args: usageArgs(cobra.MaximumNArgs(1)),
		RunE: func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) == 1 && o.input != "":
				return &usageError{errors.New("the file is given twice; leave --input out")}
			case len(args) == 1:
				o.input = args[0]
			case o.input == "":
				return &usageError{errors.New("name a file, or - for standard input; see `repox validate --help`")}
			}
			return o.run()
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&o.input, "input", "", "the `file` to check, or - for standard input")
	flags.StringVar(&o.format, "format", formatText, "text or json")
	flags.BoolVar(&o.checkFiles, "check-files", false, "also look whether the files are there and are as the handoff says")
	return cmd
}

// invalidError says how many violations were printed.
type invalidError struct {
	input string
	count int
}

func (e *invalidError) Error() string {
	if e.count == 1 {
		return e.input + " is no valid handoff: 1 violation"
	}
	return fmt.Sprintf("%s is no valid handoff: %d violations", e.input, e.count)
}

func (o *validateOptions) run() error {
	if o.format != formatText && o.format != formatJSON {
		return &usageError{fmt.Errorf("format %q is not one of %s, %s", o.format, formatText, formatJSON)}
	}
	text, name, err := o.app.readInput(o.input, maxHandoff)
	if err != nil {
		return err
	}
	options := handoff.Options{}
	if o.checkFiles {
		options.Disk = handoff.LocalDisk{}
	}
	found := handoff.Validate(text, options)
	err = o.app.produce("", func(w io.Writer) error { return o.write(w, found) })
	if err == nil && len(found) > 0 {
		err = &invalidError{name, len(found)}
	}
	return err
}

func (o *validateOptions) write(w io.Writer, found []handoff.Violation) error {
	if o.format == formatJSON {
		if found == nil {
			found = []handoff.Violation{}
		}
		e := json.NewEncoder(w)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		return e.Encode(struct {
			Valid      bool                `json:"valid"`
			Violations []handoff.Violation `json:"violations"`
		}{len(found) == 0, found})
	}
	for _, v := range found {
		if _, err := fmt.Fprintln(w, oneLine(v.String())); err != nil {
			return err
		}
	}
	return nil
}

// readInput reads a file, or standard input where it is named -, up to a size in bytes; name is for messages.
func (a *app) readInput(file string, limit int64) (text []byte, name string, err error) {
	in, name := a.stdin, "standard input"
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return nil, "", err
		}
		defer f.Close()
		in, name = f, file
	}
	text, err = io.ReadAll(io.LimitReader(in, limit+1))
	switch {
	case err != nil:
		return nil, "", fmt.Errorf("read %s: %w", name, err)
	case int64(len(text)) > limit:
		return nil, "", fmt.Errorf("read %s: it is larger than %d MiB; is it the right file?", name, limit>>20)
	}
	return text, name, nil
}
