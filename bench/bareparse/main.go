// Command bareparse is the floor that repox is measured against: it parses every Go file of a folder with tree-sitter's
// C library, on the C library's allocator and one thread, and does nothing with the trees.
//
//	bareparse DIR
package main

/*
#cgo CFLAGS: -O2 -std=gnu11
#cgo darwin LDFLAGS: -Wl,-undefined,dynamic_lookup
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TS_API __attribute__((weak)) extern
typedef struct TSParser TSParser;
typedef struct TSTree TSTree;
TS_API void ts_set_allocator(void *(*)(size_t), void *(*)(size_t, size_t), void *(*)(void *, size_t), void (*)(void *));
TS_API TSParser *ts_parser_new(void);
TS_API bool ts_parser_set_language(TSParser *, const void *);
TS_API TSTree *ts_parser_parse_string(TSParser *, const TSTree *, const char *, uint32_t);
TS_API void ts_tree_delete(TSTree *);

static TSParser *parser;

static void start(const void *language) {
  ts_set_allocator(NULL, NULL, NULL, NULL);
  parser = ts_parser_new();
  ts_parser_set_language(parser, language);
}

static void parse(const char *text, uint32_t length) {
  TSTree *tree = ts_parser_parse_string(parser, NULL, text, length);
  if (tree) ts_tree_delete(tree);
}
*/
import "C"

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"unsafe"

	_ "github.com/tree-sitter/go-tree-sitter" // brings the C library
	golang "github.com/tree-sitter/tree-sitter-go/bindings/go"
)

// maxBytes is the size above which repox skips a file too.
const maxBytes = 1 << 20

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: bareparse DIR")
		os.Exit(2)
	}
	C.start(golang.Language())
	files, bytes := 0, 0
	err := filepath.WalkDir(os.Args[1], func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || filepath.Ext(path) != ".go" {
			return err
		}
		src, err := os.ReadFile(path)
		if err != nil || len(src) == 0 || len(src) > maxBytes {
			return err
		}
		files++
		bytes += len(src)
		C.parse((*C.char)(unsafe.Pointer(&src[0])), C.uint32_t(len(src)))
		return nil
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, "bareparse:", err)
		os.Exit(1)
	}
	fmt.Printf("files %d bytes %d\n", files, bytes)
}
