// Command packserve starts the Go pack of a repox program as a process, has it extract every Go file of a folder as a run
// would, and ends. Its CPU time, with that of the pack, is what serving real requests costs: parsing, query, encoding and
// transport together. Hold it against bareparse; measure does.
//
//	packserve --repox PROGRAM DIR
package main

import (
	"context"
	"crypto/sha256"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/repox-dev/repox/core/pluginhost"
	"github.com/repox-dev/repox/core/tags"
	pluginv1 "github.com/repox-dev/repox/sdk/proto"
)

const maxBytes = 1 << 20

func main() {
	repox := flag.String("repox", "repox", "the repox program")
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(*repox, flag.Arg(0)); err != nil {
		fmt.Fprintln(os.Stderr, "packserve:", err)
		os.Exit(1)
	}
}

func run(repox, dir string) (err error) {
	host := pluginhost.New(pluginhost.Options{})
	defer func() {
		if e := host.Close(); err == nil {
			err = e
		}
	}()
	super := host.Supervise(pluginhost.Spec{Name: "lang-go", Path: repox, Args: []string{"plugin", "serve", "lang-go"}})
	extractor := tags.NewExtractor(tags.FromComponent(super.Component("lang-go", []byte("{}"), &pluginv1.Limits{})), tags.Options{Pack: "lang-go"})
	files, err := sources(dir)
	if err != nil {
		return err
	}
	facts, bytes := 0, 0
	err = extractor.Extract(context.Background(), files, func(r *pluginv1.FileResult) {
		if r.Skip == nil {
			facts++
			bytes += len(r.Tags) + len(r.Imports)
		}
	})
	fmt.Printf("files %d facts %d bytes %d\n", len(files), facts, bytes)
	return err
}

func sources(dir string) ([]*pluginv1.SourceFile, error) {
	var out []*pluginv1.SourceFile
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || filepath.Ext(path) != ".go" {
			return err
		}
		src, err := os.ReadFile(path)
		if err != nil || len(src) > maxBytes {
			return err
		}
		hash := sha256.Sum256(src)
		out = append(out, &pluginv1.SourceFile{
			File: uint32(len(out)), Path: []byte(path), Language: "go", Local: []byte(path), Hash: hash[:],
		})
		return nil
	})
	return out, err
}
