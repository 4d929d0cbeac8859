package pipeline

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
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
		{Name: "lang-ts", Version: "1", Pack: &pluginv1.PackInfo{Languages: []*pluginv1.Language{{Name: "typescript"}, {Name: "javascript"}}}},
		{Name: "lang-rust", Version: "1", Pack: &pluginv1.PackInfo{Languages: []*pluginv1.Language{{Name: "rust"}}}},
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

func TestAnExecutableIsAskedOnce(t *testing.T) {
	var mu sync.Mutex
	asked := map[string]int{}
	filter := &pluginv1.Component{Name: "stage-filter", Stage: &pluginv1.StageInfo{Consumes: uses("selection"), Produces: uses("selection")}}
	catalog := NewCatalog(testComponents(), func(_ context.Context, path string) ([]*pluginv1.Component, error) {
		mu.Lock()
		defer mu.Unlock()
		asked[filepath.Base(path)]++
		if filepath.Base(path) == "broken" {
			return nil, errors.New("it is broken")
		}
		return []*pluginv1.Component{filter}, nil
	})
	text := "version: 1\nlanguages: [go]\nstages: [extract, rank, ./filter, ./x/../filter, \"./filter#stage-filter\", ./broken, ./broken, redact, report]\n"
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			_, l := Load(context.Background(), Options{File: "p.yaml", Data: []byte(text), Catalog: catalog})
			if len(l) != 2 {
				t.Error(rendered(t, l))
			}
		})
	}
	all.Wait()
	if asked["filter"] != 1 || asked["broken"] != 1 {
		t.Errorf("asked %v", asked)
	}
}

func TestWhatAnExecutableSaysMayBeNonsense(t *testing.T) {
	stage := &pluginv1.StageInfo{Produces: uses("documents")}
	for name, tt := range map[string]struct {
		components []*pluginv1.Component
		says       string
	}{
		"nothing":                {nil, "holds no component"},
		"a nil":                  {[]*pluginv1.Component{nil}, "is not one of a language pack and a stage"},
		"neither pack nor stage": {[]*pluginv1.Component{{Name: "x"}}, `says that its component "x" is not one of a language pack and a stage`},
		"both pack and stage":    {[]*pluginv1.Component{{Name: "x", Pack: &pluginv1.PackInfo{}, Stage: stage}}, "is not one of"},
		"a stage of nothing":     {[]*pluginv1.Component{{Name: "x", Stage: &pluginv1.StageInfo{}}}, "no stage produces documents"},
		"a default of nonsense": {[]*pluginv1.Component{{Name: "x", Stage: stage, Options: []*pluginv1.Option{{Name: "o", DefaultJson: "{"}}}},
			"x makes documents of nothing"},
		"a section twice":       {[]*pluginv1.Component{{Name: "x", Stage: &pluginv1.StageInfo{Consumes: uses("files", "files"), Produces: uses("graph", "graph")}}}, `produces the section "graph" a second time`},
		"a name for a terminal": {[]*pluginv1.Component{{Name: "x\x1b[31m", Stage: stage}}, "./x makes documents of nothing"},
	} {
		t.Run(name, func(t *testing.T) {
			catalog := NewCatalog(nil, func(context.Context, string) ([]*pluginv1.Component, error) { return tt.components, nil })
			p, l := Load(context.Background(), Options{File: "p.yaml", Data: []byte("version: 1\nstages: [./x]\n"), Catalog: catalog})
			out := rendered(t, l)
			if p != nil || !strings.Contains(out, tt.says) && !strings.Contains(out, strings.Replace(tt.says, "x makes", "./x makes", 1)) {
				t.Errorf("want %s, got\n%s", tt.says, out)
			}
			if strings.Contains(out, "\x1b") {
				t.Errorf("control characters come through: %q", out)
			}
		})
	}
}

// TestOneOfSeveralComponents names components of an executable that holds several of them.
func TestOneOfSeveralComponents(t *testing.T) {
	for use, want := range map[string]string{
		"./several":             "testdata/several holds several components; say which one, as in ./several#stage-filter",
		"./several#stage-filtr": `unknown component "stage-filtr"; did you mean "stage-filter"?`,
		"./several#lang-toml":   "lang-toml belongs under `languages`",
		"./several#":            "holds several components",
		"./toml":                "testdata/toml holds nothing for this list; it has lang-toml, for `languages`",
		"./several#stage-other": "",
		"./filter":              "",
	} {
		text := "version: 1\nlanguages: [go]\nstages: [extract, rank, \"" + use + "\", redact, report]\n"
		file := filepath.Join(t.TempDir(), "pipeline.yaml")
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		p, l := Load(context.Background(), Options{File: file, Catalog: testCatalog()})
		out := strings.ReplaceAll(rendered(t, l), filepath.Dir(file), "testdata")
		if (p != nil) != (want == "") || !strings.Contains(out, want) {
			t.Errorf("%s: want %q, got\n%s", use, want, out)
		}
		if p != nil && p.Stages[2].Path != filepath.Join(filepath.Dir(file), strings.TrimPrefix(strings.Split(use, "#")[0], "./")) {
			t.Errorf("%s: path is %s", use, p.Stages[2].Path)
		}
	}
}

// TestWhoGivesUpSpoilsNothing: a canceled question is asked again by the next one.
func TestWhoGivesUpSpoilsNothing(t *testing.T) {
	catalog := NewCatalog(testComponents(), func(ctx context.Context, _ string) ([]*pluginv1.Component, error) {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return []*pluginv1.Component{stageOf("stage-filter", "selection", "selection", false)}, nil
	})
	o := Options{File: "p.yaml", Data: []byte("version: 1\nlanguages: [go]\nstages: [extract, rank, ./filter, redact, report]\n"), Catalog: catalog}
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	if p, _ := Load(canceled, o); p != nil {
		t.Error("a canceled load gives a pipeline")
	}
	if p, l := Load(context.Background(), o); p == nil {
		t.Error(rendered(t, l))
	}
}
