package handoff

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Encode gives the one text of a handoff: members in the order of the schema, two spaces of indent, empty lists as [], a line
// end at the end. Equal handoffs have equal texts.
func Encode(h *Handoff) ([]byte, error) {
	filled := *h
	fill(&filled.Request.TargetPaths)
	fill(&filled.KeyFiles)
	fill(&filled.Symbols)
	fill(&filled.Dependencies)
	fill(&filled.NextActions)
	fill(&filled.Evidence)
	fill(&filled.Errors)
	fill(&filled.Omitted.Reasons)
	fill(&filled.Limitations)
	filled.Risks = nil
	for _, r := range h.Risks {
		fill(&r.AffectedFiles)
		filled.Risks = append(filled.Risks, r)
	}
	fill(&filled.Risks)
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // code is full of <, > and &; nobody puts a handoff into a page as it stands
	e.SetIndent("", "  ")
	if err := e.Encode(&filled); err != nil {
		return nil, fmt.Errorf("encode handoff: %w", err)
	}
	return b.Bytes(), nil
}

// fill makes an empty list of none.
func fill[T any](list *[]T) {
	if *list == nil {
		*list = []T{}
	}
}

// Decode reads a handoff that is known to fit the schema.
func Decode(text []byte) (*Handoff, error) {
	var h Handoff
	if err := json.Unmarshal(text, &h); err != nil {
		return nil, fmt.Errorf("decode handoff: %w", err)
	}
	return &h, nil
}
