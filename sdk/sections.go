package sdk

import (
	"fmt"
	"sync"

	"google.golang.org/protobuf/proto"

	"github.com/repox-dev/repox/sdk/model"
)

// Model is the part of the repository model that a stage sees: the sections it consumes, and those it has set.
// It is safe for concurrent use.
type Model struct {
	mu  sync.Mutex
	in  map[string][]byte
	out map[string][]byte
}

// NewModel makes a model from sections, for tests of stages.
func NewModel(sections map[string]proto.Message) (*Model, error) {
	m := &Model{in: map[string][]byte{}, out: map[string][]byte{}}
	for name, msg := range sections {
		b, err := proto.Marshal(msg)
		if err != nil {
			return nil, fmt.Errorf("encode section %q: %w", name, err)
		}
		m.in[name] = b
	}
	return m, nil
}

// Has tells whether the section was given; an optional section may not be.
func (m *Model) Has(section string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	_, ok := m.in[section]
	return ok
}

// Read decodes a consumed section into msg. A section that was not given leaves msg empty.
func (m *Model) Read(section string, msg proto.Message) error {
	m.mu.Lock()
	b := m.in[section]
	m.mu.Unlock()
	if err := proto.Unmarshal(b, msg); err != nil {
		return fmt.Errorf("decode section %q: %w", section, err)
	}
	return nil
}

// Write sets a produced section.
func (m *Model) Write(section string, msg proto.Message) error {
	b, err := proto.MarshalOptions{Deterministic: true}.Marshal(msg)
	if err != nil {
		return fmt.Errorf("encode section %q: %w", section, err)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.out[section] = b
	return nil
}

// Result decodes a section that the stage has set, for tests of stages.
func (m *Model) Result(section string, msg proto.Message) error {
	m.mu.Lock()
	b, ok := m.out[section]
	m.mu.Unlock()
	if !ok {
		return fmt.Errorf("section %q was not set", section)
	}
	return proto.Unmarshal(b, msg)
}

// The typed readers and writers of the sections follow.

// Files reads the section "files".
func (m *Model) Files() (*model.Files, error) { return read(m, model.SectionFiles, new(model.Files)) }

// Content reads the section "content".
func (m *Model) Content() (*model.Content, error) {
	return read(m, model.SectionContent, new(model.Content))
}

// Graph reads the section "graph".
func (m *Model) Graph() (*model.Graph, error) { return read(m, model.SectionGraph, new(model.Graph)) }

// Ranking reads the section "ranking".
func (m *Model) Ranking() (*model.Ranking, error) {
	return read(m, model.SectionRanking, new(model.Ranking))
}

// Selection reads the section "selection".
func (m *Model) Selection() (*model.Selection, error) {
	return read(m, model.SectionSelection, new(model.Selection))
}

// History reads the section "history".
func (m *Model) History() (*model.History, error) {
	return read(m, model.SectionHistory, new(model.History))
}

// Brief reads the section "brief".
func (m *Model) Brief() (*model.Brief, error) { return read(m, model.SectionBrief, new(model.Brief)) }

// Findings reads the section "findings".
func (m *Model) Findings() (*model.Findings, error) {
	return read(m, model.SectionFindings, new(model.Findings))
}

// SetGraph sets the section "graph".
func (m *Model) SetGraph(g *model.Graph) error { return m.Write(model.SectionGraph, g) }

// SetRanking sets the section "ranking".
func (m *Model) SetRanking(r *model.Ranking) error { return m.Write(model.SectionRanking, r) }

// SetSelection sets the section "selection".
func (m *Model) SetSelection(s *model.Selection) error { return m.Write(model.SectionSelection, s) }

// SetBrief sets the section "brief".
func (m *Model) SetBrief(b *model.Brief) error { return m.Write(model.SectionBrief, b) }

// SetFindings sets the section "findings". A stage that consumes findings replaces them; one that only produces
// findings adds to those of others.
func (m *Model) SetFindings(f *model.Findings) error { return m.Write(model.SectionFindings, f) }

// SetDocuments sets the section "documents"; the host adds them to those of other stages.
func (m *Model) SetDocuments(d *model.Documents) error { return m.Write(model.SectionDocuments, d) }

func read[M proto.Message](m *Model, section string, msg M) (M, error) {
	return msg, m.Read(section, msg)
}
