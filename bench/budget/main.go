// Command budget maps real trees in many budgets and counts the maps by itself: none may be over its budget, and each that
// leaves something out must fill 90 % of it.
//
//	go run ./bench/budget [-formats text,markdown,json] DIR...
//
// It runs the real program, built here, on budgets from 64 to 32,768 and both tokenizers, and prints for each tree the
// number of maps, the least filled of those that left something out, and every map that breaks the rule. The exit status
// is 1 if one does.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/tiktoken-go/tokenizer"
)

// budgets lie close where a line more or less is much of them.
var budgets = []int{
	64, 65, 72, 80, 96, 100, 128, 160, 200, 255, 256, 300, 400, 512, 777, 1000, 1024, 1500, 2048, 3000, 4096, 6000, 8192,
	12000, 16384, 24000, 32768,
}

var encodings = []tokenizer.Encoding{tokenizer.O200kBase, tokenizer.Cl100kBase}

// least is the part of a budget that a map must fill if it leaves something out.
const least = 0.9

func main() {
	formats := flag.String("formats", "text,markdown,json", "forms of the map, with commas between")
	flag.Parse()
	if flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	broken, err := run(flag.Args(), strings.Split(*formats, ","))
	if err != nil {
		fmt.Fprintln(os.Stderr, "budget:", err)
		os.Exit(1)
	}
	if broken > 0 {
		os.Exit(1)
	}
}

func run(dirs, formats []string) (broken int, err error) {
	tmp, err := os.MkdirTemp("", "repox-budget")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(tmp)
	program := filepath.Join(tmp, "repox")
	if out, err := exec.Command("go", "build", "-o", program, "./cmd/repox").CombinedOutput(); err != nil {
		return 0, fmt.Errorf("build repox: %w\n%s", err, out)
	}
	for _, dir := range dirs {
		t := &tree{program: program, cache: filepath.Join(tmp, "cache"), dir: dir, lowest: math.Inf(1)}
		for _, e := range encodings {
			codec, err := tokenizer.Get(e)
			if err != nil {
				return 0, err
			}
			for _, format := range formats {
				for _, budget := range budgets {
					if err := t.check(codec, format, budget); err != nil {
						return 0, err
					}
				}
			}
		}
		fmt.Printf("%s: %d maps, %d of them whole; over %d, too empty %d; the emptiest of the others fills %.1f %%\n",
			filepath.Base(dir), t.maps, t.whole, t.over, t.empty, 100*t.lowest)
		broken += t.over + t.empty
	}
	return broken, nil
}

// tree is a tree and what was found of its maps.
type tree struct {
	program, cache, dir      string
	maps, whole, over, empty int
	// lowest is the smallest part of a budget that a map filled, of those that left something out.
	lowest float64
}

func (t *tree) check(codec tokenizer.Codec, format string, budget int) error {
	args := []string{"map", t.dir, "--budget", strconv.Itoa(budget), "--tokenizer", codec.GetName(), "--format", format}
	cmd := exec.Command(t.program, args...)
	cmd.Env = append(os.Environ(), "REPOX_CACHE_DIR="+t.cache)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("%s: %w\n%s", strings.Join(args, " "), err, stderr.Bytes())
	}
	tokens, err := codec.Count(string(out))
	if err != nil {
		return err
	}
	left, err := leftOut(string(out), format)
	if err != nil {
		return fmt.Errorf("%s: %w", strings.Join(args, " "), err)
	}
	t.maps++
	filled := float64(tokens) / float64(budget)
	if left == 0 {
		t.whole++
	} else {
		t.lowest = min(t.lowest, filled)
	}
	switch {
	case tokens > budget:
		t.over++
		fmt.Printf("over: %d tokens in repox %s\n", tokens, strings.Join(args, " "))
	case left > 0 && filled < least:
		t.empty++
		fmt.Printf("too empty: %d tokens in repox %s\n", tokens, strings.Join(args, " "))
	}
	return nil
}

var (
	inText = regexp.MustCompile(`\[(?:\d+ of \d+ files, )?(\d+) of (\d+) definitions`)
	inJSON = regexp.MustCompile(`"omitted":\{"files":\d+,"definitions":(\d+)`)
)

// leftOut gives how many definitions a map says that it left out.
func leftOut(text, format string) (int, error) {
	if format == "json" {
		if m := inJSON.FindStringSubmatch(text); m != nil {
			return strconv.Atoi(m[1])
		}
		return 0, errors.New("the map does not say what it left out")
	}
	all := inText.FindAllStringSubmatch(text, -1)
	if all == nil {
		return 0, errors.New("the map does not say what it left out")
	}
	last := all[len(all)-1]
	shown, err := strconv.Atoi(last[1])
	if err != nil {
		return 0, err
	}
	total, err := strconv.Atoi(last[2])
	return total - shown, err
}
