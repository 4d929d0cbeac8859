package treepath

import "testing"

func TestPaths(t *testing.T) {
	for _, tt := range []struct{ got, want string }{
		{Dir("a/b/c.go"), "a/b"}, {Dir("c.go"), ""}, {Dir(""), ""},
		{Join("", ""), ""}, {Join("a", "."), "a"}, {Join("a", ".."), ""}, {Join("a", "../.."), ".."}, {Join("", "./b//c"), "b/c"},
	} {
		if tt.got != tt.want {
			t.Errorf("got %q, want %q", tt.got, tt.want)
		}
	}
	for _, tt := range []struct {
		dir, p string
		want   bool
	}{{"", "", true}, {"", "a", true}, {"a", "a", true}, {"a", "a/b", true}, {"a", "ab", false}, {"a/b", "a", false}} {
		if got := Within(tt.dir, tt.p); got != tt.want {
			t.Errorf("Within(%q, %q) = %v", tt.dir, tt.p, got)
		}
	}
}
