// Command golinks prints what go/types says that the identifiers of a module's packages mean, as JSON Lines:
//
//	{"file":"a.go","start":120,"name":"F","to":[{"file":"b.go","start":40}]}
//
// start is the byte offset of a name. "to" is empty where the identifier means nothing that stands in the tree; locals and
// fields stand in it and are told like the rest. Tests are read as well.
//
//	go run ./bench/oracle/golinks MODULE-ROOT > oracle.jsonl
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"io"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/packages"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go run ./bench/oracle/golinks MODULE-ROOT")
		os.Exit(2)
	}
	w := bufio.NewWriter(os.Stdout)
	err := run(w, os.Args[1])
	if err == nil {
		err = w.Flush()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "golinks:", err)
		os.Exit(1)
	}
}

type place struct {
	File  string `json:"file"`
	Start int    `json:"start"`
}

type use struct {
	place
	Name string  `json:"name"`
	To   []place `json:"to"`
}

func run(w io.Writer, root string) error {
	root, err := filepath.EvalSymlinks(root)
	if err != nil {
		return err
	}
	if root, err = filepath.Abs(root); err != nil {
		return err
	}
	fset := token.NewFileSet()
	loaded, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo |
			packages.NeedImports | packages.NeedDeps | packages.NeedModule,
		Dir: root, Fset: fset, Tests: true,
	}, "./...")
	if err != nil {
		return err
	}
	seen := map[place]bool{}
	enc := json.NewEncoder(w)
	at := func(pos token.Pos) (place, bool) {
		p := fset.PositionFor(pos, false)
		rel, err := filepath.Rel(root, p.Filename)
		return place{filepath.ToSlash(rel), p.Offset}, pos.IsValid() && err == nil && !strings.HasPrefix(rel, "..")
	}
	for _, p := range loaded {
		for _, f := range p.Syntax {
			for ident, object := range uses(p.TypesInfo, f) {
				here, ok := at(ident.Pos())
				if !ok || seen[here] {
					continue
				}
				seen[here] = true
				u := use{place: here, Name: ident.Name, To: []place{}}
				if there, ok := at(object.Pos()); ok {
					u.To = append(u.To, there)
				}
				if err := enc.Encode(&u); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// uses gives what the identifiers of a file mean; of a generic function or method, its declaration.
func uses(info *types.Info, f *ast.File) func(func(*ast.Ident, types.Object) bool) {
	return func(yield func(*ast.Ident, types.Object) bool) {
		more := true
		ast.Inspect(f, func(n ast.Node) bool {
			ident, ok := n.(*ast.Ident)
			if !ok || !more {
				return more
			}
			switch o := info.Uses[ident].(type) {
			case nil:
			case *types.Func:
				more = yield(ident, o.Origin())
			case *types.Var:
				more = yield(ident, o.Origin())
			default:
				more = yield(ident, o)
			}
			return more
		})
	}
}
