// Command oracle holds what `repox tags` prints of a tree against what a language's own front end says, and gives precision
// and recall. The programs in the folders beside it ask the front ends; each says at its top how it is run.
//
//	oracle definitions ORACLE.jsonl TAGS.jsonl
//	oracle imports ORACLE.jsonl TAGS.jsonl
//	oracle links ORACLE.jsonl LINKS.jsonl
//
// Definitions are compared on (file, name, kind, first line, scope), and once more with the last line: an oracle's line has
// the keys file, name, kind, line_start, line_end, scope, and optional for what may be left out. Imports are compared on
// (file, module, target): keys file, module, resolved, failed where the front end had no answer, and path where
// the module is a whole path with the name at its end. Files that
// only one of the two knows do not count.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"
)

func main() {
	show := flag.Int("show", 10, "how many differences to show")
	flag.Usage = func() {
		fmt.Fprintln(os.Stderr, "usage: oracle [-show N] definitions|imports|links ORACLE.jsonl TAGS.jsonl|LINKS.jsonl")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() != 3 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(os.Stdout, flag.Arg(0), flag.Arg(1), flag.Arg(2), *show); err != nil {
		fmt.Fprintln(os.Stderr, "oracle:", err)
		os.Exit(1)
	}
}

func run(w io.Writer, what, oracleFile, tagsFile string, show int) error {
	if what == "links" {
		return compareLinks(w, oracleFile, tagsFile, show)
	}
	want, err := read(oracleFile)
	if err != nil {
		return err
	}
	got, err := read(tagsFile)
	if err != nil {
		return err
	}
	switch what {
	case "definitions":
		compareDefinitions(w, want, got, show)
	case "imports":
		compareImports(w, want, got, show)
	default:
		return fmt.Errorf("%q is neither definitions nor imports nor links", what)
	}
	return nil
}

// fact is a line of either program.
type fact struct {
	Type      string   `json:"type"`
	File      string   `json:"file"`
	Name      string   `json:"name"`
	Kind      string   `json:"kind"`
	Scope     string   `json:"scope"`
	LineStart int      `json:"line_start"`
	LineEnd   int      `json:"line_end"`
	Optional  bool     `json:"optional"`
	Module    *string  `json:"module"`
	Resolved  []string `json:"resolved"`
	Failed    bool     `json:"failed"`
	// Also are targets that are as right as those in Resolved.
	Also []string `json:"also"`
	// Path: Module is a whole path, with the name that is imported at its end.
	Path  bool     `json:"path"`
	Names []string `json:"names"`
}

// read gives the facts by file.
func read(name string) (map[string][]fact, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	out := map[string][]fact{}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 64<<20)
	for n := 1; lines.Scan(); n++ {
		var x fact
		if err := json.Unmarshal(lines.Bytes(), &x); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, n, err)
		}
		x.File = path.Clean(x.File)
		out[x.File] = append(out[x.File], x)
	}
	return out, lines.Err()
}

// score counts what is right.
type score struct {
	needed, hit, given, wrong int
	missing, extra            []string
}

func (s *score) write(w io.Writer, name string, files, show int) {
	fmt.Fprintf(w, "%s: %d files, %d needed, recall %.5f, precision %.5f\n", name, files, s.needed,
		ratio(s.hit, s.needed), 1-ratio(s.wrong, s.given))
	for _, x := range s.missing[:min(show, len(s.missing))] {
		fmt.Fprintln(w, "  missing", x)
	}
	for _, x := range s.extra[:min(show, len(s.extra))] {
		fmt.Fprintln(w, "  extra  ", x)
	}
}

func ratio(a, b int) float64 {
	if b == 0 {
		return float64(min(a, 1))
	}
	return float64(a) / float64(b)
}

// both gives the files that both know, sorted.
func both(want, got map[string][]fact) []string {
	var out []string
	for f := range want {
		if _, ok := got[f]; ok {
			out = append(out, f)
		}
	}
	slices.Sort(out)
	return out
}

func compareDefinitions(w io.Writer, want, got map[string][]fact, show int) {
	files := both(want, got)
	for _, ends := range []bool{false, true} {
		s := &score{}
		for _, f := range files {
			s.definitions(f, want[f], got[f], ends)
		}
		name := "definitions"
		if ends {
			name, show = "definitions with their last line", 0
		}
		s.write(w, name, len(files), show)
	}
}

func (s *score) definitions(file string, want, got []fact, ends bool) {
	key := func(x *fact, kind string) string {
		k := fmt.Sprintf("%s %s %q:%d", kind, x.Name, x.Scope, x.LineStart)
		if ends {
			k += fmt.Sprintf("-%d", x.LineEnd)
		}
		return k
	}
	required, optional := map[string]int{}, map[string]int{}
	for i := range want {
		switch x := &want[i]; {
		case x.Name == "" || x.LineStart == 0:
		case x.Optional:
			optional[key(x, "")]++
		default:
			required[key(x, x.Kind)]++
			s.needed++
		}
	}
	for i := range got {
		x := &got[i]
		if x.Type != "definition" || x.Kind == "field" {
			continue
		}
		s.given++
		switch {
		case required[key(x, x.Kind)] > 0:
			required[key(x, x.Kind)]--
			s.hit++
		case optional[key(x, "")] > 0:
			optional[key(x, "")]--
		default:
			s.wrong++
			s.extra = append(s.extra, file+" "+key(x, x.Kind))
		}
	}
	for k, n := range required {
		for range n {
			s.missing = append(s.missing, file+" "+k)
		}
	}
}

// compareImports judges the imports that both see. One that the front end cannot follow, for lack of an installation, say, is
// counted apart: nobody knows what is right. So is one that is no tag, such as those in the arguments of macros.
func compareImports(w io.Writer, want, got map[string][]fact, show int) {
	files := both(want, got)
	s := &score{}
	imports, unjudged, unseen := 0, 0, 0
	for _, f := range files {
		answers, given := map[string]map[string]bool{}, map[string]map[string]bool{}
		also := map[string]map[string]bool{}
		failed := map[string]bool{}
		whole := false
		for _, x := range want[f] {
			if x.Module != nil {
				add(answers, *x.Module, x)
				x.Resolved = x.Also
				add(also, *x.Module, x)
				failed[*x.Module] = failed[*x.Module] || x.Failed
				whole = whole || x.Path
			}
		}
		for _, x := range got[f] {
			if x.Type != "import" {
				continue
			}
			module := *x.Module
			if whole {
				module = wholePath(&x)
			}
			if answers[module] != nil { // else the front end does not see this import
				add(given, module, x)
			}
		}
		for module, right := range answers {
			if failed[module] {
				if len(given[module]) > 0 {
					unjudged++
				}
				continue
			}
			if given[module] == nil {
				unseen++
				continue
			}
			imports++
			if subset(given[module], right, also[module]) {
				right = given[module]
			}
			s.targets(f+" "+module, right, given[module])
		}
	}
	slices.Sort(s.missing)
	slices.Sort(s.extra)
	fmt.Fprintf(w, "%d imports judged; %d that the front end cannot follow are resolved; %d are no tags\n", imports, unjudged, unseen)
	s.write(w, "import targets", len(files), show)
}

// wholePath joins the module and the name of a Rust import, which has one.
func wholePath(x *fact) string {
	if len(x.Names) == 0 {
		return *x.Module
	}
	name, _, _ := strings.Cut(x.Names[0], " as ")
	if name == "*" || name == "self" {
		return *x.Module
	}
	if *x.Module == "" || *x.Module == name {
		return name
	}
	return *x.Module + "::" + name
}

// add notes where an import leads. What it means in its own file, of a module inside of that, leads nowhere.
func add(sets map[string]map[string]bool, module string, x fact) {
	if sets[module] == nil {
		sets[module] = map[string]bool{}
	}
	for _, f := range x.Resolved {
		if f != x.File {
			sets[module][f] = true
		}
	}
}

// subset tells whether there are targets, and all are right in one way or the other.
func subset(given, right, also map[string]bool) bool {
	for t := range given {
		if !right[t] && !also[t] {
			return false
		}
	}
	return len(given) > 0 && len(also) > 0
}

func (s *score) targets(what string, right, given map[string]bool) {
	s.needed += len(right)
	s.given += len(given)
	var lost, wrong []string
	for t := range right {
		if given[t] {
			s.hit++
		} else {
			lost = append(lost, t)
		}
	}
	for t := range given {
		if !right[t] {
			s.wrong++
			wrong = append(wrong, t)
		}
	}
	slices.Sort(lost)
	slices.Sort(wrong)
	if len(lost) > 0 {
		s.missing = append(s.missing, what+" → "+strings.Join(lost[:min(3, len(lost))], " "))
	}
	if len(wrong) > 0 {
		s.extra = append(s.extra, what+" → "+strings.Join(wrong[:min(3, len(wrong))], " "))
	}
}
