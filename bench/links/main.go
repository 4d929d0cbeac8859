// Command links prints how repox ties each reference of a tree, as JSON Lines:
//
//	{"file":"a.go","start":120,"line":9,"name":"F","qualifier":"b","role":"call","how":"resolved","to":[{"file":"b.go","start":40}]}
//
// start is the byte offset of a name. Definitions come first, a line each: {"definition":true,"file":"b.go","start":40}. It builds repox and is itself the stage that it lets repox run.
//
//	go run ./bench/links DIR > links.jsonl
//
// The command oracle beside it holds them against what a language's own front end says.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"

	extract "github.com/repox-dev/repox/plugins/stage-extract"
	"github.com/repox-dev/repox/sdk"
	"github.com/repox-dev/repox/sdk/model"
	"github.com/repox-dev/repox/sdk/tag"
)

func main() {
	if len(os.Args) == 2 && os.Args[1] != "describe" {
		if err := run(os.Args[1]); err != nil {
			fmt.Fprintln(os.Stderr, "links:", err)
			os.Exit(1)
		}
		return
	}
	sdk.Main(&sdk.Stage{
		Name: "stage-links", Version: "0.1.0", Doc: "Writes every link of a reference to a file.",
		Consumes: sdk.Consume(model.SectionFiles, model.SectionTags), Produces: []string{model.SectionDocuments},
		Options: []sdk.Option{{Name: "out", Type: sdk.String, Default: "", Doc: "Absolute path of the file."}},
		Run:     write,
	})
}

// pipeline has no report, since nothing is to leave but the file.
const pipeline = `version: 1
allow_unredacted: true
cache: false
languages: [go, typescript, javascript, rust, python]
stages:
  - use: %q
    with: {out: %q}
`

func run(dir string) error {
	tmp, err := os.MkdirTemp("", "repox-links")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	self, err := os.Executable()
	if err != nil {
		return err
	}
	repox, out, file := filepath.Join(tmp, "repox"), filepath.Join(tmp, "links.jsonl"), filepath.Join(tmp, "pipeline.yaml")
	if b, err := exec.Command("go", "build", "-o", repox, "./cmd/repox").CombinedOutput(); err != nil {
		return fmt.Errorf("build repox: %w\n%s", err, b)
	}
	if err := os.WriteFile(file, fmt.Appendf(nil, pipeline, self, out), 0o600); err != nil {
		return err
	}
	cmd := exec.Command(repox, "run", file, "--path", dir)
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return err
	}
	f, err := os.Open(out)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(os.Stdout, f)
	return err
}

type link struct {
	File      string   `json:"file"`
	Start     uint32   `json:"start"`
	Line      uint32   `json:"line"`
	Name      string   `json:"name"`
	Qualifier string   `json:"qualifier,omitempty"`
	Role      string   `json:"role"`
	How       string   `json:"how"`
	To        []target `json:"to,omitempty"`
}

type target struct {
	File  string `json:"file"`
	Start uint32 `json:"start"`
	Scope string `json:"scope,omitempty"`
	Name  string `json:"name"`
	Line  uint32 `json:"line"`
}

type definition struct {
	Definition bool `json:"definition"`
	target
}

func write(ctx context.Context, c sdk.Config, m *sdk.Model) (err error) {
	files, err := m.Files()
	if err != nil {
		return err
	}
	tags, err := m.Tags()
	if err != nil {
		return err
	}
	f, err := os.Create(c.String("out"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	w := bufio.NewWriter(f)
	enc := json.NewEncoder(w)
	for _, t := range tags.Files {
		decoded, err := tag.Decode(t.Tags, nil)
		if err != nil {
			return err
		}
		for _, d := range decoded.Definitions {
			x := definition{true, target{string(files.Files[t.File].Path), d.NameStart, d.Scope, d.Name, d.StartRow + 1}}
			if err := enc.Encode(&x); err != nil {
				return err
			}
		}
	}
	err = extract.Trace(ctx, files, tags, func(l *extract.Link) error {
		x := link{File: l.File, Start: l.Start, Line: l.Line, Name: l.Name, Qualifier: l.Qualifier, Role: l.Role, How: l.How}
		for _, t := range l.To {
			x.To = append(x.To, target{File: t.File, Start: t.NameStart, Scope: t.Scope, Name: t.Name, Line: t.Line})
		}
		return enc.Encode(&x)
	})
	if err != nil {
		return err
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return m.SetDocuments(&model.Documents{})
}
