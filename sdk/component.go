package sdk

import (
	"errors"
	"fmt"
	"path"
	"regexp"

	pluginv1 "github.com/repox-dev/repox/sdk/proto"
)

// Component is a *Pack or a *Stage.
type Component interface {
	component() *pluginv1.Component
	options() []Option
}

// Describe gives the wire form of a component, for hosts that have it built in.
func Describe(c Component) *pluginv1.Component { return c.component() }

// CheckConfig says what a stage finds wrong with its configuration, for hosts that have it built in. A pack is checked when it
// is opened, since that takes its grammars.
func CheckConfig(c Component, jsonObject []byte) []*pluginv1.Diagnostic {
	config, err := NewConfig(c.options(), jsonObject)
	if s, ok := c.(*Stage); ok && err == nil && s.Check != nil {
		err = s.Check(config)
	}
	if err == nil {
		return nil
	}
	return diagnostics(err)
}

var tagKind = regexp.MustCompile(`^(definition|reference)\.[a-z_]+$|^import\.(module|names|namespace|all|blank)$`)

var componentName = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)

// Validate says what is wrong with the declarations of a component. Main refuses to serve one that has faults; tests
// of a plugin call it.
func Validate(c Component) error {
	d := c.component()
	var errs []error
	fault := func(format string, args ...any) { errs = append(errs, fmt.Errorf("component "+format, args...)) }
	if !componentName.MatchString(d.Name) {
		fault("%q: the name must be lower-case words joined by hyphens", d.Name)
	}
	if d.Version == "" {
		fault("%q: no version", d.Name)
	}
	seen := map[string]bool{}
	for _, o := range c.options() {
		if o.Name == "" || seen[o.Name] {
			fault("%q: option %q is nameless or declared twice", d.Name, o.Name)
		}
		seen[o.Name] = true
		if o.Type < String || o.Type > Strings {
			fault("%q: option %q has no type", d.Name, o.Name)
		}
		if v, err := o.defaultValue(); err != nil || v != nil && o.check(v) != nil {
			fault("%q: the default of option %q does not fit its declaration", d.Name, o.Name)
		}
	}
	switch c := c.(type) {
	case *Pack:
		if len(c.Languages) == 0 || c.NewExtractor == nil {
			fault("%q: a pack needs Languages and NewExtractor", d.Name)
		}
		for _, m := range c.Manifests {
			if _, err := path.Match(m, ""); err != nil {
				fault("%q: the manifest %q is no glob", d.Name, m)
			}
		}
		for _, k := range c.Kinds {
			if !tagKind.MatchString(k) {
				fault("%q: %q is no kind of tag; it must be like definition.function, reference.call or import.names", d.Name, k)
			}
		}
	case *Stage:
		if c.Run == nil || len(c.Produces) == 0 {
			fault("%q: a stage needs Run and Produces", d.Name)
		}
	}
	return errors.Join(errs...)
}
