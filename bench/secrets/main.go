// Command secrets measures the redaction engine on a tree: how many places it takes out for each 1,000 files, and its time as
//
//	go run ./bench/secrets -ext .go "$(go env GOROOT)/src"
package main

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/repox-dev/repox/sdk/secrets"
)

// plain is the scan that the engine is held against.
var plain = regexp.MustCompile(`(?i)(?:password|secret|token|key)\s*[:=]\s*"[^"]+"`)

func main() {
	ext := flag.String("ext", ".go", "extension of the files to read")
	show := flag.Bool("show", false, "print each place")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: secrets [-ext .go] [-show] DIR")
		os.Exit(2)
	}
	files, places := 0, 0
	var engine, scan time.Duration
	err := filepath.WalkDir(flag.Arg(0), func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || filepath.Ext(path) != *ext {
			return err
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		text := string(src)
		files++
		start := time.Now()
		spans := secrets.Find(text)
		engine += time.Since(start)
		start = time.Now()
		plain.FindAllStringIndex(text, -1)
		scan += time.Since(start)
		places += len(spans)
		if *show {
			for _, s := range spans {
				from := strings.LastIndexByte(text[:s.Start], '\n') + 1
				fmt.Printf("%s:%d %s %.60q %d\n", path, 1+strings.Count(text[:s.Start], "\n"), s.Rule, text[max(from, s.Start-60):s.Start]+secrets.Mark, s.End-s.Start)
			}
		}
		return nil
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, "secrets:", err)
		os.Exit(1)
	}
	fmt.Printf("%d files, %d places, %.2f for each 1,000 files; time %.1f times a plain scan\n",
		files, places, 1000*float64(places)/float64(max(files, 1)), float64(engine)/float64(max(scan, 1)))
}
