package sdk

import (
	"encoding/json"
	"fmt"
	"io"
	"os"

	"google.golang.org/protobuf/encoding/protojson"

	pluginv1 "github.com/repox-dev/repox/sdk/proto"
)

// Main is the program of a plugin. Started by a host it serves the components until the host ends; run by hand with
// the argument "describe" it prints what they are, as JSON. It does not return.
func Main(components ...Component) {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr, components))
}

func run(args []string, stdout, stderr io.Writer, components []Component) int {
	for _, c := range components {
		if err := Validate(c); err != nil {
			fmt.Fprintln(stderr, err)
			return 1
		}
	}
	if len(args) == 1 && args[0] == "describe" {
		return printDescription(stdout, stderr, components)
	}
	if os.Getenv(pluginv1.CookieKey) != pluginv1.CookieValue {
		fmt.Fprintln(stderr, "this program is a repox plugin: name it in a pipeline file and start `repox run`; `describe` as argument shows what it holds")
		return 2
	}
	if err := Serve(components...); err != nil {
		fmt.Fprintln(stderr, err)
		return 1
	}
	return 0
}

func printDescription(stdout, stderr io.Writer, components []Component) int {
	b, err := protojson.Marshal(describeAll(components))
	if err == nil {
		var v any
		if err = json.Unmarshal(b, &v); err == nil {
			// A second pass through encoding/json, since protojson varies its white space on purpose.
			enc := json.NewEncoder(stdout)
			enc.SetIndent("", "  ")
			err = enc.Encode(v)
		}
	}
	if err != nil {
		fmt.Fprintln(stderr, "print description:", err)
		return 1
	}
	return 0
}

func describeAll(components []Component) *pluginv1.DescribeResponse {
	out := &pluginv1.DescribeResponse{SdkVersion: Version}
	for _, c := range components {
		out.Components = append(out.Components, c.component())
	}
	return out
}
