package pluginhost

import (
	"os"
	"slices"
	"strings"
)

// passedOn names the variables of the host's environment that plugins get. Everything else stays here: tokens live in
// environments. TMPDIR is not passed on, a plugin has a folder of its own that goes when it goes.
var passedOn = []string{"PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "SystemRoot", "USERPROFILE", "LOCALAPPDATA"}

// environ makes a plugin's environment; go-plugin adds its own variables to it.
func environ(tmp string, extra []string) []string {
	var env []string
	for _, key := range passedOn {
		if v, ok := os.LookupEnv(key); ok {
			env = append(env, key+"="+v)
		}
	}
	for _, key := range []string{"TMPDIR", "TMP", "TEMP"} {
		env = append(env, key+"="+tmp)
	}
	return append(env, slices.DeleteFunc(slices.Clone(extra), func(kv string) bool { return !strings.Contains(kv, "=") })...)
}
