package sdk

import (
	"context"

	pluginv1 "github.com/repox-dev/repox/sdk/proto"
)

// Stage turns sections of the repository model into others. It is a value; Run is called once for each run of a
// pipeline, after Check has passed the configuration.
//
// A stage that consumes and produces the same section transforms it. Text that comes from the repository is unclean
// until a redacting stage has passed it, and what a stage makes from unclean sections is unclean too; Clean on a
// consumed section makes the planner refuse a pipeline that would feed it unclean text.
type Stage struct {
	Name    string
	Version string
	// Doc is one sentence.
	Doc      string
	Consumes []Section
	// Produces holds names of sections.
	Produces []string
	// Cleans: what the stage produces holds no secret whatever it consumed. Only redacting stages set it.
	Cleans  bool
	Options []Option
	// Check finds faults of the configuration that the declarations of the options cannot express; it may be nil. Its
	// errors are *ConfigError, joined if there are several.
	Check func(Config) error
	// Run reads consumed sections from m and sets every section it produces.
	Run func(ctx context.Context, c Config, m *Model) error
}

// Section is a section that a stage consumes.
type Section struct {
	Name string
	// Optional: the stage runs without it.
	Optional bool
	// Clean: the stage refuses the section unless a redacting stage has passed it.
	Clean bool
}

// Consume makes the list of sections that a stage needs.
func Consume(names ...string) []Section {
	var out []Section
	for _, n := range names {
		out = append(out, Section{Name: n})
	}
	return out
}

func (s *Stage) component() *pluginv1.Component {
	info := &pluginv1.StageInfo{Cleans: s.Cleans}
	for _, u := range s.Consumes {
		info.Consumes = append(info.Consumes, &pluginv1.SectionUse{Section: u.Name, Optional: u.Optional, Clean: u.Clean})
	}
	for _, n := range s.Produces {
		info.Produces = append(info.Produces, &pluginv1.SectionUse{Section: n})
	}
	c := &pluginv1.Component{Name: s.Name, Version: s.Version, Doc: s.Doc, Stage: info}
	for _, o := range s.Options {
		c.Options = append(c.Options, o.describe())
	}
	return c
}

func (s *Stage) options() []Option { return s.Options }
