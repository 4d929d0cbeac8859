// Package preset holds the built-in pipelines as the YAML files that they are: what `extends: NAME` names, and what the
// commands of the same name run. `--print-pipeline` shows them.
package preset

import "embed"

// FS holds NAME.yaml for each built-in pipeline.
//
//go:embed *.yaml
var FS embed.FS

// Map gives the pipeline of `repox map`, which is also the one that runs where there is no pipeline file.
func Map() []byte {
	b, err := FS.ReadFile("map.yaml")
	if err != nil {
		panic(err) // it is embedded above
	}
	return b
}
