package pipeline

import (
	"context"
	"io/fs"
	"regexp"
	"strings"
	"testing"

	"github.com/repox-dev/repox/core/preset"
	pluginv1 "github.com/repox-dev/repox/sdk/proto"
)

// presetCatalog holds a pack for every language that a built-in pipeline names, whichever those are.
func presetCatalog(preset []byte) *Catalog {
	components := testComponents()
	known := NewCatalog(components, nil)
	list := regexp.MustCompile(`(?m)^languages: \[(.*)\]`).FindSubmatch(preset)
	if list == nil {
		return known
	}
	for _, name := range strings.Split(string(list[1]), ", ") {
		if known.find(name, true) == nil {
			components = append(components, &pluginv1.Component{
				Name: "lang-" + name, Version: "1", Pack: &pluginv1.PackInfo{Languages: []*pluginv1.Language{{Name: name}}},
			})
		}
	}
	return NewCatalog(components, nil)
}

// TestPresetsAreSound loads every built-in pipeline, by itself and as what another file extends.
func TestPresetsAreSound(t *testing.T) {
	files, err := fs.Glob(preset.FS, "*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("%v, %d presets", err, len(files))
	}
	for _, file := range files {
		data, err := fs.ReadFile(preset.FS, file)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(file, ".yaml")
		for _, text := range []string{string(data), "version: 1\nextends: " + name + "\n"} {
			p, l := Load(context.Background(), Options{File: file, Data: []byte(text), Catalog: presetCatalog(data), Presets: preset.FS})
			if p == nil || len(l) != 0 {
				t.Errorf("%s: %s", name, rendered(t, l))
			}
		}
	}
}

// TestOnlyPresetsThatExistAreTaken: a name of a command is no built-in pipeline before it has one.
func TestOnlyPresetsThatExistAreTaken(t *testing.T) {
	_, l := Load(context.Background(), Options{File: "p.yaml", Data: []byte("version: 1\nextends: mpa\n"), Catalog: testCatalog(), Presets: preset.FS})
	if out := rendered(t, l); !strings.Contains(out, `there is no built-in pipeline "mpa"`) || !strings.Contains(out, `did you mean "map"?`) {
		t.Errorf("got\n%s", out)
	}
}
