// Command protogen generates the Go code of the wire contract without protoc: it compiles sdk/proto/*.proto in
// process and hands the result to the two official generators.
//
//	protogen -C DIR   (DIR is the folder that holds the .proto files)
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sort"

	"github.com/bufbuild/protocompile"
	"github.com/bufbuild/protocompile/protoutil"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/pluginpb"
)

// generators are run in order; both are pinned as tools of this module.
var generators = []string{
	"google.golang.org/protobuf/cmd/protoc-gen-go",
	"google.golang.org/grpc/cmd/protoc-gen-go-grpc",
}

func main() {
	dir := flag.String("C", ".", "folder of the .proto files")
	flag.Parse()
	if err := run(*dir); err != nil {
		fmt.Fprintln(os.Stderr, "protogen:", err)
		os.Exit(1)
	}
}

func run(dir string) error {
	paths, err := filepath.Glob(filepath.Join(dir, "*.proto"))
	if err != nil {
		return err
	}
	if len(paths) == 0 {
		return fmt.Errorf("no .proto file in %s", dir)
	}
	var names []string
	for _, p := range paths {
		names = append(names, filepath.Base(p))
	}
	sort.Strings(names)
	c := protocompile.Compiler{
		Resolver:       &protocompile.SourceResolver{ImportPaths: []string{dir}},
		SourceInfoMode: protocompile.SourceInfoStandard,
	}
	files, err := c.Compile(context.Background(), names...)
	if err != nil {
		return err
	}
	req := &pluginpb.CodeGeneratorRequest{
		FileToGenerate: names,
		Parameter:      proto.String("paths=source_relative"),
	}
	var descs []*descriptorpb.FileDescriptorProto
	for _, f := range files {
		descs = append(descs, protoutil.ProtoFromFileDescriptor(f))
	}
	req.ProtoFile = descs
	in, err := proto.Marshal(req)
	if err != nil {
		return err
	}
	for _, g := range generators {
		if err := generate(g, in, dir); err != nil {
			return fmt.Errorf("%s: %w", g, err)
		}
	}
	return nil
}

// generate runs one generator, as a plugin of the compiler would be, and writes its files into dir.
func generate(pkg string, in []byte, dir string) error {
	cmd := exec.Command("go", "run", pkg)
	cmd.Stdin = bytes.NewReader(in)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return err
	}
	var resp pluginpb.CodeGeneratorResponse
	if err := proto.Unmarshal(out, &resp); err != nil {
		return err
	}
	if resp.Error != nil {
		return fmt.Errorf("%s", resp.GetError())
	}
	for _, f := range resp.File {
		if err := os.WriteFile(filepath.Join(dir, f.GetName()), []byte(f.GetContent()), 0o644); err != nil {
			return err
		}
	}
	return nil
}
