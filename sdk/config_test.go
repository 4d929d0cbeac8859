package sdk

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var testOptions = []Option{
	{Name: "budget", Type: Int, Default: 100, Min: Bound(64), Max: Bound(1000)},
	{Name: "format", Type: String, Default: "text", Values: []string{"text", "json"}},
	{Name: "ratio", Type: Float, Default: 0.5},
	{Name: "loud", Type: Bool},
	{Name: "names", Type: Strings, Default: []string{"a"}, Values: []string{"a", "b"}},
	{Name: "key", Type: String, Required: true},
}

func TestConfigFillsDefaults(t *testing.T) {
	c, err := NewConfig(testOptions, []byte(`{"key":"k","ratio":1}`))
	if err != nil {
		t.Fatal(err)
	}
	if c.Int("budget") != 100 || c.String("format") != "text" || c.Float("ratio") != 1 || c.Bool("loud") || c.String("key") != "k" {
		t.Errorf("values are %v", c.values)
	}
	if diff := cmp.Diff([]string{"a"}, c.Strings("names")); diff != "" {
		t.Error(diff)
	}
}

func TestConfigNamesEveryFault(t *testing.T) {
	tests := []struct{ name, config, want string }{
		{"unknown option", `{"key":"","bugdet":1}`, `unknown option "bugdet"`},
		{"missing option", `{}`, `option "key" is required`},
		{"wrong type", `{"key":1}`, `option "key" needs a value of type string, got 1`},
		{"fraction for an integer", `{"key":"","budget":99.5}`, `option "budget" needs a value of type integer, got 99.5`},
		{"too small", `{"key":"","budget":1}`, `option "budget" is 1, below its least value 64`},
		{"too large", `{"key":"","budget":1e6}`, `option "budget" is 1e+06, above its greatest value 1000`},
		{"no such value", `{"key":"","format":"xml"}`, `option "format" cannot be "xml"; it is one of ["text" "json"]`},
		{"no such value in a list", `{"key":"","names":["a","c"]}`, `option "names" cannot be "c"; it is one of ["a" "b"]`},
		{"wrong item in a list", `{"key":"","names":[1]}`, `option "names" needs a value of type list of strings, got [1]`},
		{"no list", `{"key":"","names":"a"}`, `option "names" needs a value of type list of strings, got a`},
		{"no boolean", `{"key":"","loud":"yes"}`, `option "loud" needs a value of type boolean, got yes`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := NewConfig(testOptions, []byte(tt.config))
			var ce *ConfigError
			if !errors.As(err, &ce) || ce.Message != tt.want {
				t.Errorf("got  %v\nwant %s", err, tt.want)
			}
		})
	}
	_, err := NewConfig(testOptions, []byte(`{"budget":1,"format":"x","other":1}`))
	if n := len(strings.Split(err.Error(), "\n")); n != 4 {
		t.Errorf("%d faults told at once, want 4: %v", n, err)
	}
}

func TestValidateFindsFaultyDeclarations(t *testing.T) {
	good := func() *Stage {
		return &Stage{Name: "stage-x", Version: "1", Produces: []string{"findings"}, Run: func(_ ctx, _ Config, _ *Model) error { return nil }}
	}
	if err := Validate(good()); err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(*Stage){
		"name":               func(s *Stage) { s.Name = "Stage X" },
		"version":            func(s *Stage) { s.Version = "" },
		"no run":             func(s *Stage) { s.Run = nil },
		"produces nothing":   func(s *Stage) { s.Produces = nil },
		"option twice":       func(s *Stage) { s.Options = []Option{{Name: "a", Type: Int}, {Name: "a", Type: Int}} },
		"option untyped":     func(s *Stage) { s.Options = []Option{{Name: "a"}} },
		"default of no type": func(s *Stage) { s.Options = []Option{{Name: "a", Type: Int, Default: "x"}} },
	} {
		t.Run(name, func(t *testing.T) {
			s := good()
			spoil(s)
			if err := Validate(s); err == nil {
				t.Error("no error")
			}
		})
	}
	if err := Validate(&Pack{Name: "lang-x", Version: "1"}); err == nil {
		t.Error("a pack without languages passes")
	}
}
