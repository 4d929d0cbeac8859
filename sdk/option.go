package sdk

import (
	"encoding/json"
	"fmt"

	pluginv1 "github.com/repox-dev/repox/sdk/proto"
)

// OptionType is the type of an option's value.
type OptionType int

// Types of options.
const (
	String OptionType = iota + 1
	Int
	Float
	Bool
	Strings
)

func (t OptionType) String() string {
	switch t {
	case String:
		return "string"
	case Int:
		return "integer"
	case Float:
		return "number"
	case Bool:
		return "boolean"
	case Strings:
		return "list of strings"
	}
	return "unknown"
}

// Option declares one key of a component's `with:` block. The host checks values against it when the pipeline is read
// and fills in defaults; `repox schema pipeline` and `repox lint` are made from it.
type Option struct {
	Name string
	Type OptionType
	// Doc is one sentence.
	Doc string
	// Default is the value when the key is absent: string, int, float64, bool or []string by Type; nil for none.
	Default any
	// Required: the pipeline must give it.
	Required bool
	// Values lists what a string may be; empty allows any.
	Values []string
	// Min and Max bound numbers; nil does not.
	Min, Max *float64
}

// Bound makes a value for Option.Min and Option.Max.
func Bound(v float64) *float64 { return &v }

func (o Option) describe() *pluginv1.Option {
	out := &pluginv1.Option{
		Name: o.Name, Type: pluginv1.Option_Type(o.Type), Doc: o.Doc,
		Required: o.Required, Values: o.Values, Min: o.Min, Max: o.Max,
	}
	if o.Default != nil {
		// A default is a plain value, checked by validate; it always encodes.
		b, _ := json.Marshal(o.Default)
		out.DefaultJson = string(b)
	}
	return out
}

// defaultValue gives the default as it would come from JSON, nil if there is none.
func (o Option) defaultValue() (any, error) {
	if o.Default == nil {
		return nil, nil
	}
	b, err := json.Marshal(o.Default)
	if err != nil {
		return nil, err
	}
	var v any
	err = json.Unmarshal(b, &v)
	return v, err
}

// check says what is wrong with v as a value of o; v comes from JSON.
func (o Option) check(v any) error {
	switch o.Type {
	case String:
		s, ok := v.(string)
		if !ok {
			return o.mismatch(v)
		}
		return o.checkValue(s)
	case Int, Float:
		n, ok := v.(float64)
		if !ok || (o.Type == Int && n != float64(int64(n))) {
			return o.mismatch(v)
		}
		return o.checkBounds(n)
	case Bool:
		if _, ok := v.(bool); !ok {
			return o.mismatch(v)
		}
	case Strings:
		return o.checkList(v)
	}
	return nil
}

func (o Option) checkList(v any) error {
	list, ok := v.([]any)
	if !ok {
		return o.mismatch(v)
	}
	for _, item := range list {
		s, ok := item.(string)
		if !ok {
			return o.mismatch(v)
		}
		if err := o.checkValue(s); err != nil {
			return err
		}
	}
	return nil
}

func (o Option) checkValue(s string) error {
	if len(o.Values) == 0 {
		return nil
	}
	for _, v := range o.Values {
		if v == s {
			return nil
		}
	}
	return fmt.Errorf("option %q cannot be %q; it is one of %q", o.Name, s, o.Values)
}

func (o Option) checkBounds(n float64) error {
	if o.Min != nil && n < *o.Min {
		return fmt.Errorf("option %q is %v, below its least value %v", o.Name, n, *o.Min)
	}
	if o.Max != nil && n > *o.Max {
		return fmt.Errorf("option %q is %v, above its greatest value %v", o.Name, n, *o.Max)
	}
	return nil
}

func (o Option) mismatch(v any) error {
	return fmt.Errorf("option %q needs a value of type %s, got %v", o.Name, o.Type, v)
}
