package source

import (
	"strings"
	"testing"
)

func FuzzIndex(f *testing.F) {
	f.Add([]byte("DIRC\x00\x00\x00\x02\x00\x00\x00\x00"+strings.Repeat("\x00", 20)), false)
	f.Add([]byte("DIRC\x00\x00\x00\x04\x00\x00\x00\x01"+strings.Repeat("\x00", 60)+"\x00\x01a\x00link\x00\x00\x00\x00"+strings.Repeat("\x00", 20)), false)
	f.Add([]byte("DIRC\x00\x00\x00\x03\xff\xff\xff\xff"+strings.Repeat("\xff", 200)), true)
	f.Fuzz(func(t *testing.T, data []byte, sha256 bool) {
		list, err := parseIndex(data, sha256)
		if err != nil && list != nil {
			t.Fatal("entries beside an error")
		}
	})
}

func TestConfigWithoutGit(t *testing.T) {
	home := isolate(t)
	for text, want := range map[string]string{
		"[core]\nexcludesFile = a b  # note\n":                          "a b",
		"[CORE] ExcludesFile=\"a;b \" ; x\n":                            "a;b ",
		"[core]\n\texcludesfile = a\\\nb\n":                             "ab",
		"[core]\nexcludesfile = \"t\\tq\\\"\" \n":                       "t\tq\"",
		"[other]\nexcludesfile = x\n":                                   "",
		"[core \"sub\"]\nexcludesfile = x\n":                            "",
		"[core]\nexcludesfile = one\nexcludesfile=two\n":                "two",
		"[include]\npath = missing\n[core]\nexcludesfile = c:\\\\x\r\n": "c:\\x",
		"[include]\npath = .gitconfig\n":                                "",
	} {
		write(t, home, map[string]string{".gitconfig": text})
		got := ""
		if cfg := readConfig(nil); cfg.excludesFile != nil {
			got = *cfg.excludesFile
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
