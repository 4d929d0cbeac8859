package langpython

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/repox-dev/repox/sdk/packtest"
	"github.com/repox-dev/repox/sdk/tag"
)

// statement gives the import of one line of Python.
func statement(t *testing.T, text string) tag.Import {
	t.Helper()
	imports := readImports([]tag.Import{{Module: text}})
	if len(imports) != 1 {
		t.Fatalf("%q is no single import", text)
	}
	return imports[0]
}

type resolveTest struct{ name, from, imp, want string }

func checkResolve(t *testing.T, files map[string]string, tests []resolveTest) {
	t.Helper()
	repo, numbers := packtest.Repository(New(), files)
	resolve, err := resolve(context.Background(), repo)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			from, ok := numbers[tt.from]
			if !ok {
				t.Fatalf("no file %s", tt.from)
			}
			var want []uint32
			for _, p := range strings.Fields(tt.want) {
				n, ok := numbers[p]
				if !ok {
					t.Fatalf("no file %s", p)
				}
				want = append(want, n)
			}
			for range 2 { // the second answer is a remembered one
				if got := resolve(from, statement(t, tt.imp)); !slices.Equal(got, want) {
					t.Errorf("%s in %s leads to %v, want %v (%s)", tt.imp, tt.from, got, want, tt.want)
				}
			}
		})
	}
}

func TestImportsLeadToFiles(t *testing.T) {
	checkResolve(t, map[string]string{
		"app/__init__.py":      "",
		"app/main.py":          "",
		"app/util.py":          "",
		"app/util.pyi":         "",
		"app/logging.py":       "",
		"app/sub/__init__.py":  "",
		"app/sub/deep.py":      "",
		"app/both.py":          "",
		"app/both/__init__.py": "",
		"app/both/inner.py":    "",
		"ns/part/mod.py":       "",
		"scripts/run.py":       "",
		"scripts/helper.py":    "",
		"scripts/requests.py":  "",
		"typed-stubs/x.pyi":    "",
		"src/flat.py":          "",
	}, []resolveTest{
		{"a package", "scripts/run.py", "import app", "app/__init__.py"},
		{"a module and its stub", "scripts/run.py", "import app.util", "app/util.py app/util.pyi"},
		{"a module under a name", "scripts/run.py", "import app.sub.deep as d", "app/sub/deep.py"},
		{"a name of a module", "app/main.py", "from app.util import thing", "app/util.py app/util.pyi"},
		{"a submodule as a name", "app/main.py", "from app import util", "app/__init__.py app/util.py app/util.pyi"},
		{"several names", "app/sub/deep.py", "from app import sub, nothing, main as m", "app/__init__.py app/sub/__init__.py app/main.py"},
		{"a star", "app/main.py", "from app.sub import *", "app/sub/__init__.py"},
		{"a sibling", "app/main.py", "from . import util", "app/__init__.py app/util.py app/util.pyi"},
		{"a relative module", "app/main.py", "from .sub import deep", "app/sub/__init__.py app/sub/deep.py"},
		{"a parent", "app/sub/deep.py", "from .. import main", "app/__init__.py app/main.py"},
		{"a parent's module", "app/sub/deep.py", "from ..util import x", "app/util.py app/util.pyi"},
		{"a package's own file is left out", "app/__init__.py", "from . import main", "app/main.py"},
		{"beyond the root", "app/main.py", "from ...x import y", ""},
		{"a package before a file of its name", "app/main.py", "from . import both", "app/__init__.py app/both/__init__.py"},
		{"a namespace package", "app/main.py", "import ns.part.mod", "ns/part/mod.py"},
		{"a module of a namespace package", "app/main.py", "from ns.part import mod", "ns/part/mod.py"},
		{"a namespace package alone", "app/main.py", "import ns.part", ""},
		{"a script's neighbour", "scripts/run.py", "import helper", "scripts/helper.py"},
		{"a script imports no package's insides", "scripts/run.py", "import util", ""},
		{"a module does not see its neighbours", "app/main.py", "import logging", ""},
		{"a script named like a library", "scripts/requests.py", "import requests", ""},
		{"another script of that name", "scripts/run.py", "import requests", "scripts/requests.py"},
		{"a folder of stubs", "app/main.py", "from typed.x import y", "typed-stubs/x.pyi"},
		{"src without a manifest", "app/main.py", "import flat", "src/flat.py"},
		{"a part of a name", "app/main.py", "import ap", ""},
	})
}

func TestSourceFoldersOfProjects(t *testing.T) {
	checkResolve(t, map[string]string{
		"a/pyproject.toml":         "[project]\nname = 'a'\n",
		"a/src/alpha/__init__.py":  "",
		"a/src/common.py":          "",
		"a/tests/test_a.py":        "",
		"b/setup.cfg":              "[options]\npackage_dir =\n    = lib\n",
		"b/lib/beta/__init__.py":   "",
		"b/lib/common.py":          "",
		"b/tools/tool.py":          "",
		"c/setup.py":               "from setuptools import setup\nsetup(package_dir={'': 'python'})\n",
		"c/python/gamma.py":        "",
		"d/pyproject.toml":         "[tool.setuptools.packages.find]\nwhere = ['code']\n[tool.hatch.build.targets.wheel]\npackages = ['deep/er/delta']\n",
		"d/code/dee.py":            "",
		"d/deep/er/delta/mod.py":   "",
		"e/pyproject.toml":         "[[tool.poetry.packages]]\ninclude = 'eps'\nfrom = 'here'\n",
		"e/here/eps/__init__.py":   "",
		"f/pyproject.toml":         "[tool.pytest.ini_options]\npythonpath = ['../../out', 'x']\n",
		"f/x/phi.py":               "",
		"g/pyproject.toml":         "this is no toml",
		"g/src/gee.py":             "",
		"g/__init__.py":            "",
		"h/setup.py":               "setup(packages=find_packages(where=\"p\"))\n",
		"h/p/eta/__init__.py":      "",
		"vendor/x/alpha/readme.py": "",
	}, []resolveTest{
		{"src of the own project", "a/tests/test_a.py", "import alpha", "a/src/alpha/__init__.py"},
		{"the own project first", "b/tools/tool.py", "import common", "b/lib/common.py"},
		{"each its own", "a/tests/test_a.py", "import common", "a/src/common.py"},
		{"setup.cfg", "b/tools/tool.py", "from beta import x", "b/lib/beta/__init__.py"},
		{"setup.py", "b/tools/tool.py", "import gamma", "c/python/gamma.py"},
		{"setuptools in pyproject.toml", "a/tests/test_a.py", "import dee", "d/code/dee.py"},
		{"hatch", "a/tests/test_a.py", "import delta.mod", "d/deep/er/delta/mod.py"},
		{"poetry", "a/tests/test_a.py", "import eps", "e/here/eps/__init__.py"},
		{"pytest", "a/tests/test_a.py", "import phi", "f/x/phi.py"},
		{"a broken manifest", "a/tests/test_a.py", "import gee", "g/src/gee.py"},
		{"find_packages", "a/tests/test_a.py", "import eta", "h/p/eta/__init__.py"},
	})
}

func TestSearchIsBounded(t *testing.T) {
	repo, numbers := packtest.Repository(New(), map[string]string{"x.py": ""})
	resolve, err := resolve(context.Background(), repo)
	if err != nil {
		t.Fatal(err)
	}
	for _, module := range []string{"", ".", "...", "..x", ".x.", "a..b", "/x", "x/../x"} {
		for _, f := range resolve(numbers["x.py"], tag.Import{Module: module}) {
			if f != numbers["x.py"] {
				t.Errorf("%q leads to %d", module, f)
			}
		}
	}
}
