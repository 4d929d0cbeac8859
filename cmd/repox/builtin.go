package main

import (
	"github.com/repox-dev/repox/core/cli"
	langgo "github.com/repox-dev/repox/plugins/lang-go"
	langpython "github.com/repox-dev/repox/plugins/lang-python"
	langrust "github.com/repox-dev/repox/plugins/lang-rust"
	langts "github.com/repox-dev/repox/plugins/lang-ts"
	extract "github.com/repox-dev/repox/plugins/stage-extract"
	goal "github.com/repox-dev/repox/plugins/stage-goal"
	rank "github.com/repox-dev/repox/plugins/stage-rank"
	redact "github.com/repox-dev/repox/plugins/stage-redact"
	report "github.com/repox-dev/repox/plugins/stage-report"
	"github.com/repox-dev/repox/sdk"
)

// builtin is what ships inside the program.
func builtin() cli.Builtin {
	return cli.Builtin{Plugins: plugins()}
}

// plugins lists the built-in packs and stages. Each still runs as a process of its own.
func plugins() []sdk.Component {
	return []sdk.Component{
		langgo.New(),
		langts.New(),
		langrust.New(),
		langpython.New(),
		extract.New(),
		rank.New(),
		goal.New(),
		redact.New(),
		report.New(),
	}
}
