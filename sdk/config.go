package sdk

import (
	"encoding/json"
	"errors"
	"fmt"
	"sort"

	pluginv1 "github.com/repox-dev/repox/sdk/proto"
)

// Config holds the values of a component's options, checked against their declarations and with defaults filled in.
// Asking for an option that the component does not declare, or by another type, is a mistake in the component and
// gives the zero value.
type Config struct {
	values map[string]any
	limits *pluginv1.Limits
}

// String gives the value of a String option.
func (c Config) String(name string) string { s, _ := c.values[name].(string); return s }

// Int gives the value of an Int option.
func (c Config) Int(name string) int { return int(c.Float(name)) }

// Float gives the value of a Float option.
func (c Config) Float(name string) float64 { f, _ := c.values[name].(float64); return f }

// Bool gives the value of a Bool option.
func (c Config) Bool(name string) bool { b, _ := c.values[name].(bool); return b }

// Strings gives the value of a Strings option.
func (c Config) Strings(name string) []string {
	list, _ := c.values[name].([]any)
	var out []string
	for _, v := range list {
		s, _ := v.(string)
		out = append(out, s)
	}
	return out
}

// Limits says what the host lets the component spend; zero fields leave it to the component.
func (c Config) Limits() *pluginv1.Limits {
	if c.limits == nil {
		return &pluginv1.Limits{}
	}
	return c.limits
}

// WithLimits gives the same configuration with limits, for tests of components.
func (c Config) WithLimits(l *pluginv1.Limits) Config {
	c.limits = l
	return c
}

// ConfigError is a fault in one option. Functions that open a component return it (joined, if there are several) and
// the host shows it at the option's line in the pipeline file.
type ConfigError struct {
	// Option is the option's name.
	Option string
	// Index is the item of a Strings option, from 0; -1 for the whole option.
	Index int
	// Message says what is wrong, Hint what to do.
	Message, Hint string
}

func (e *ConfigError) Error() string { return e.Message }

// NewConfig makes a Config from JSON as the host would, for tests of components. The error joins a *ConfigError for
// each fault.
func NewConfig(options []Option, jsonObject []byte) (Config, error) {
	return newConfig(options, jsonObject, nil)
}

func newConfig(options []Option, raw []byte, limits *pluginv1.Limits) (Config, error) {
	values := map[string]any{}
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &values); err != nil {
			return Config{}, fmt.Errorf("read configuration: %w", err)
		}
	}
	known := map[string]bool{}
	var errs []error
	for _, o := range options {
		known[o.Name] = true
		if err := settle(values, o); err != nil {
			errs = append(errs, &ConfigError{Option: o.Name, Index: -1, Message: err.Error()})
		}
	}
	var unknown []string
	for name := range values {
		if !known[name] {
			unknown = append(unknown, name)
		}
	}
	sort.Strings(unknown)
	for _, name := range unknown {
		errs = append(errs, &ConfigError{Option: name, Index: -1, Message: fmt.Sprintf("unknown option %q", name)})
	}
	return Config{values: values, limits: limits}, errors.Join(errs...)
}

// settle checks the value of o in values, or puts its default there.
func settle(values map[string]any, o Option) error {
	v, ok := values[o.Name]
	if ok && v != nil {
		return o.check(v)
	}
	if o.Required {
		return fmt.Errorf("option %q is required", o.Name)
	}
	def, err := o.defaultValue()
	if err == nil && def != nil {
		values[o.Name] = def
	}
	return err
}
