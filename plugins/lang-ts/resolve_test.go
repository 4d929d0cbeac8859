package langts

import (
	"context"
	"testing"

	"github.com/repox-dev/repox/sdk/packtest"
	"github.com/repox-dev/repox/sdk/tag"
)

func TestImportsLeadToFiles(t *testing.T) {
	repo, numbers := packtest.Repository(New(), map[string]string{
		"package.json":                     `{"name": "root", "workspaces": ["packages/*"]}`,
		"tsconfig.json":                    "{\n  // paths\n  \"compilerOptions\": {\"baseUrl\": \"./\", \"paths\": {\"@/*\": [\"src/*\",], \"exact\": [\"src/util.ts\"]},},\n}",
		"src/main.ts":                      "",
		"src/util.ts":                      "",
		"src/view.tsx":                     "",
		"src/types.d.ts":                   "",
		"src/deep/index.ts":                "",
		"src/old.js":                       "",
		"src/old.d.ts":                     "",
		"src/mod.mts":                      "",
		"packages/a/package.json":          `{"name": "@org/a", "main": "dist/index.js", "exports": {".": {"import": "./dist/index.js"}, "./feature/*": "./src/features/*.ts"}, "imports": {"#own/*": "./src/*.ts"}}`,
		"packages/a/src/index.ts":          "",
		"packages/a/src/features/x.ts":     "",
		"packages/b/package.json":          `{"name": "b", "types": "types/main.d.ts"}`,
		"packages/b/types/main.d.ts":       "",
		"packages/b/sub/thing.js":          "",
		"packages/c/tsconfig.json":         `{"extends": "../../tsconfig.json", "compilerOptions": {"paths": {"~/*": ["./src/*"]}}}`,
		"packages/c/src/c.ts":              "",
		"packages/broken/tsconfig.json":    `{"extends": `,
		"packages/broken/package.json":     `[]`,
		"packages/broken/main.js":          "",
		"packages/loop/tsconfig.json":      `{"extends": "./tsconfig.json"}`,
		"packages/loop/main.ts":            "",
		"packages/folder/lib/package.json": `{"main": "entry"}`,
		"packages/folder/lib/entry.js":     "",
		"packages/folder/main.js":          "",
	})
	resolve, err := resolve(context.Background(), repo)
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct{ name, from, module, want string }{
		{"an extension left out", "src/main.ts", "./util", "src/util.ts"},
		{"an element file", "src/main.ts", "./view", "src/view.tsx"},
		{"declarations", "src/main.ts", "./types", "src/types.d.ts"},
		{"an emitted name", "src/main.ts", "./util.js", "src/util.ts"},
		{"an emitted module", "src/main.ts", "./mod.mjs", "src/mod.mts"},
		{"the types of a file, to TypeScript", "src/main.ts", "./old.js", "src/old.d.ts"},
		{"the file itself, to JavaScript", "packages/folder/main.js", "../../src/old.js", "src/old.js"},
		{"the index of a folder", "src/main.ts", "./deep", "src/deep/index.ts"},
		{"the own folder", "src/deep/index.ts", ".", "src/deep/index.ts"},
		{"a folder above", "src/deep/index.ts", "../util", "src/util.ts"},
		{"an instruction to a bundler", "src/main.ts", "./util?raw", "src/util.ts"},
		{"out of the root", "src/main.ts", "../../util", ""},
		{"paths", "src/main.ts", "@/deep", "src/deep/index.ts"},
		{"an exact path", "src/main.ts", "exact", "src/util.ts"},
		{"the base", "src/main.ts", "src/util", "src/util.ts"},
		{"paths below an extended base", "packages/c/src/c.ts", "~/src/util", ""},
		{"a package by its sources", "src/main.ts", "@org/a", "packages/a/src/index.ts"},
		{"exports with a star", "src/main.ts", "@org/a/feature/x", "packages/a/src/features/x.ts"},
		{"imports of the own package", "packages/a/src/index.ts", "#own/features/x", "packages/a/src/features/x.ts"},
		{"types", "src/main.ts", "b", "packages/b/types/main.d.ts"},
		{"a file of a package", "src/main.ts", "b/sub/thing", "packages/b/sub/thing.js"},
		{"a package from elsewhere", "src/main.ts", "react", ""},
		{"broken manifests", "packages/broken/main.js", "b", "packages/b/types/main.d.ts"},
		{"a configuration that extends itself", "packages/loop/main.ts", "react", ""},
		{"the main file of a folder", "packages/folder/main.js", "./lib", "packages/folder/lib/entry.js"},
		{"a built-in module", "src/main.ts", "node:fs", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := ""
			for _, f := range resolve(numbers[tt.from], tag.Import{Module: tt.module}) {
				for p, n := range numbers {
					if n == f {
						got = p
					}
				}
			}
			if got != tt.want {
				t.Errorf("%s in %s leads to %q, want %q", tt.module, tt.from, got, tt.want)
			}
		})
	}
}
