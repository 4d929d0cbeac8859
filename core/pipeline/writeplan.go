package pipeline

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"unicode"
)

// WritePlan writes what runs beside what and which sections flow. What is not marked clean may hold secrets.
func (p *Pipeline) WritePlan(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "wave\tstage\tconsumes\tproduces\n")
	fmt.Fprintf(t, "0\tread files\t%s\tfiles, content\n", printable(p.Source.Path))
	if len(p.Languages) > 0 {
		packs := make([]string, len(p.Languages))
		for i, l := range p.Languages {
			packs[i] = printable(l.Component.Name)
		}
		fmt.Fprintf(t, "0\t%s\tfiles\ttags, findings\n", strings.Join(packs, ", "))
	}
	labels := p.labels()
	waves := 0
	for _, s := range p.Plan.Steps {
		waves = max(waves, s.Wave)
	}
	for wave := 1; wave <= waves; wave++ {
		for _, s := range p.Plan.Steps {
			if s.Wave == wave {
				fmt.Fprintf(t, "%d\t%s\t%s\t%s\n", wave, labels[s.Stage], inputs(s, labels), outputs(s))
			}
		}
	}
	return t.Flush()
}

// labels names the stages as a setting would: report[2] where a stage stands more than once.
func (p *Pipeline) labels() []string {
	total, seen := map[string]int{}, map[string]int{}
	for _, s := range p.Stages {
		total[s.Use]++
	}
	out := make([]string, len(p.Stages))
	for i, s := range p.Stages {
		seen[s.Use]++
		out[i] = printable(s.Use)
		if total[s.Use] > 1 {
			out[i] += "[" + strconv.Itoa(seen[s.Use]) + "]"
		}
	}
	return out
}

func inputs(s Step, labels []string) string {
	var out []string
	for _, in := range s.Inputs {
		var from []string
		for _, f := range in.From {
			if f == Host {
				from = append(from, "host")
			} else {
				from = append(from, labels[f])
			}
		}
		text := in.Section + " (" + strings.Join(from, "+")
		if in.Clean {
			text += ", clean"
		}
		out = append(out, text+")")
	}
	return strings.Join(out, ", ")
}

func outputs(s Step) string {
	text := strings.Join(s.Outputs, ", ")
	if s.Clean {
		text += " (clean)"
	}
	return text
}

// printable escapes a word that would do something to a terminal or to the table.
func printable(s string) string {
	if strings.IndexFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) < 0 {
		return s
	}
	return strconv.Quote(s)
}
