package main

import (
	langgo "github.com/repox-dev/repox/plugins/lang-go"
	extract "github.com/repox-dev/repox/plugins/stage-extract"
	rank "github.com/repox-dev/repox/plugins/stage-rank"
	redact "github.com/repox-dev/repox/plugins/stage-redact"
	report "github.com/repox-dev/repox/plugins/stage-report"
	"github.com/repox-dev/repox/sdk"
)

// builtin lists the plugins that ship inside the program. Each still runs as a process of its own.
func builtin() []sdk.Component {
	return []sdk.Component{
		langgo.New(),
		extract.New(),
		rank.New(),
		redact.New(),
		report.New(),
	}
}
