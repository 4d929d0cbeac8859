package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var updateScripts = flag.Bool("update", false, "rewrite the expected output in scripts")

// binaries is the folder of the programs that the tests run: repox itself, the example plugins and two packs that are wrong.
var binaries string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "repox-test")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(dir)
		binaries = dir
		for name, pkg := range map[string]string{
			"repox": ".", "lang-make": "../../examples/lang-make", "stage-kinds": "../../examples/stage-kinds",
			"stage-brief": "../../examples/stage-brief",
			"lang-misfit": "./testdata/lang-misfit", "lang-liar": "./testdata/lang-liar",
		} {
			if out, err := exec.Command("go", "build", "-o", filepath.Join(dir, name), pkg).CombinedOutput(); err != nil {
				fmt.Fprintf(os.Stderr, "build %s: %v\n%s", pkg, err, out)
				return 1
			}
		}
		return m.Run()
	}())
}

// TestScripts runs the scripts in testdata/script with the real program and real plugin processes. Beside testscript's
// own commands they know:
//
//	exits STATUS PROGRAM [ARG…]   runs a program and wants this exit status
//	sized FILE SIZE BYTE          makes a file of SIZE bytes of the character BYTE
//	raw FILE QUOTED               makes a file of the bytes of a Go string literal
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		UpdateScripts:       *updateScripts,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			home := filepath.Join(env.WorkDir, ".home")
			if err := os.Mkdir(home, 0o755); err != nil {
				return err
			}
			env.Setenv("PATH", binaries+string(os.PathListSeparator)+env.Getenv("PATH"))
			env.Setenv("HOME", home)
			env.Setenv("XDG_CONFIG_HOME", filepath.Join(home, ".config"))
			env.Setenv("XDG_CACHE_HOME", filepath.Join(home, ".cache"))
			env.Setenv("BIN", binaries)
			env.Setenv("GIT_CONFIG_NOSYSTEM", "1")
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits": cmdExits,
			"sized": cmdSized,
			"raw":   cmdRaw,
		},
	})
}

func cmdExits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits STATUS PROGRAM [ARG...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

func cmdSized(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 || len(args[2]) != 1 {
		ts.Fatalf("usage: sized FILE SIZE BYTE")
	}
	size, err := strconv.Atoi(args[1])
	ts.Check(err)
	b := make([]byte, size)
	for i := range b {
		b[i] = args[2][0]
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), b, 0o644))
}

func cmdRaw(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: raw FILE QUOTED")
	}
	name, err := strconv.Unquote(`"` + args[0] + `"`)
	ts.Check(err)
	content, err := strconv.Unquote(`"` + args[1] + `"`)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(name), []byte(content), 0o644))
}
