package pipeline

import (
	"context"
	"errors"
	"path/filepath"
	"testing/fstest"

	pluginv1 "github.com/repox-dev/repox/sdk/proto"
)

func bound(v float64) *float64 { return &v }

func uses(names ...string) []*pluginv1.SectionUse {
	var out []*pluginv1.SectionUse
	for _, n := range names {
		out = append(out, &pluginv1.SectionUse{Section: n})
	}
	return out
}

func optional(names ...string) []*pluginv1.SectionUse {
	out := uses(names...)
	for _, u := range out {
		u.Optional = true
	}
	return out
}

// testComponents are built-in components for tests: the usual chain and a few odd ones.
func testComponents() []*pluginv1.Component {
	stage := func(name string, info *pluginv1.StageInfo, options ...*pluginv1.Option) *pluginv1.Component {
		return &pluginv1.Component{Name: name, Version: "1", Stage: info, Options: options}
	}
	return []*pluginv1.Component{
		{Name: "lang-go", Version: "1", Pack: &pluginv1.PackInfo{Languages: []*pluginv1.Language{{Name: "go", Extensions: []string{".go"}}}}},
		{Name: "lang-python", Version: "1", Pack: &pluginv1.PackInfo{Languages: []*pluginv1.Language{{Name: "python"}}}},
		stage("extract", &pluginv1.StageInfo{Consumes: uses("files", "tags"), Produces: uses("graph", "findings")}),
		stage("rank", &pluginv1.StageInfo{Consumes: uses("files", "graph"), Produces: uses("ranking", "selection")},
			&pluginv1.Option{Name: "focus", Type: pluginv1.Option_TYPE_STRING, DefaultJson: `""`, Doc: "What the reader is after."},
			&pluginv1.Option{Name: "damping", Type: pluginv1.Option_TYPE_FLOAT, DefaultJson: `0.85`, Min: bound(0), Max: bound(1)},
		),
		stage("survey", &pluginv1.StageInfo{Consumes: uses("files", "content"), Produces: uses("survey")}),
		stage("redact", &pluginv1.StageInfo{
			Consumes: optional("selection", "findings", "survey"), Produces: uses("selection", "findings", "survey"), Cleans: true,
		}, &pluginv1.Option{Name: "allow", Type: pluginv1.Option_TYPE_STRING_LIST}),
		stage("report", &pluginv1.StageInfo{
			Consumes: []*pluginv1.SectionUse{{Section: "selection", Clean: true}, {Section: "findings", Clean: true, Optional: true}},
			Produces: uses("documents"),
		},
			&pluginv1.Option{Name: "format", Type: pluginv1.Option_TYPE_STRING, DefaultJson: `"text"`, Values: []string{"text", "markdown", "json"}},
			&pluginv1.Option{Name: "budget", Type: pluginv1.Option_TYPE_INT, DefaultJson: `4096`, Min: bound(64)},
			&pluginv1.Option{Name: "loud", Type: pluginv1.Option_TYPE_BOOL},
		),
		stage("needy", &pluginv1.StageInfo{Consumes: uses("selection"), Produces: uses("selection")},
			&pluginv1.Option{Name: "key", Type: pluginv1.Option_TYPE_STRING, Required: true, Doc: "What it needs."}),
		stage("leaky", &pluginv1.StageInfo{Consumes: uses("selection"), Produces: uses("documents")}),
		stage("strange", &pluginv1.StageInfo{Consumes: uses("files"), Produces: uses("horoscope")}),
	}
}

var testPresets = fstest.MapFS{
	"map.yaml": {Data: []byte("version: 1\nlanguages: [go]\nstages: [extract, rank, redact, {use: report, with: {budget: 4096}}]\n")},
}

// testCatalog also knows some executables, by their base names.
func testCatalog() *Catalog {
	filter := &pluginv1.Component{Name: "stage-filter", Version: "1", Stage: &pluginv1.StageInfo{Consumes: uses("selection"), Produces: uses("selection")}}
	toml := &pluginv1.Component{Name: "lang-toml", Version: "1", Pack: &pluginv1.PackInfo{Languages: []*pluginv1.Language{{Name: "toml"}}}}
	other := &pluginv1.Component{Name: "stage-other", Version: "1", Stage: filter.Stage}
	return NewCatalog(testComponents(), func(_ context.Context, path string) ([]*pluginv1.Component, error) {
		switch filepath.Base(path) {
		case "filter":
			return []*pluginv1.Component{filter}, nil
		case "toml":
			return []*pluginv1.Component{toml}, nil
		case "several":
			return []*pluginv1.Component{filter, other, toml}, nil
		}
		return nil, errors.New("cannot start plugin " + filepath.Base(path) + ": no such file; check the path")
	})
}
