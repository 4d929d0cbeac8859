package report

import "github.com/repox-dev/repox/sdk/model"

type jsonExplanation struct {
	Path       string          `json:"path"`
	Escaped    bool            `json:"path_escaped,omitempty"`
	Class      string          `json:"class"`
	Name       string          `json:"name,omitempty"`
	Rank       uint32          `json:"rank"`
	Files      uint64          `json:"files"`
	Total      uint64          `json:"definitions_total"`
	Links      jsonLinks       `json:"links"`
	UsedBy     jsonUsedBy      `json:"used_by"`
	Definition []jsonExplained `json:"definitions"`
	Strongest  []jsonUse       `json:"strongest"`
	Focus      []jsonFocus     `json:"focus"`
	All        jsonLinks       `json:"links_of_all_files"`
}

type jsonUsedBy struct {
	Files    uint64 `json:"files"`
	Resolved uint64 `json:"resolved"`
	Guessed  uint64 `json:"guessed"`
}

type jsonExplained struct {
	Name      string     `json:"name"`
	Kind      string     `json:"kind"`
	Scope     string     `json:"scope"`
	LineStart uint32     `json:"line_start"`
	Rank      uint64     `json:"rank"`
	UsedBy    jsonUsedBy `json:"used_by"`
}

type jsonUse struct {
	Path       string   `json:"path"`
	Share      float64  `json:"share"`
	Resolved   uint32   `json:"resolved"`
	Guessed    uint32   `json:"guessed"`
	Names      []string `json:"names"`
	NamesTotal uint32   `json:"names_total"`
}

type jsonFocus struct {
	Kind  string `json:"kind"`
	Text  string `json:"text"`
	Where string `json:"where"`
}

// explainedJSON writes the explanation as one object.
func explainedJSON(j *job, shown shares) string {
	x, s := j.selection.Explanation, j.selection
	path, escaped := model.PathText(x.Path)
	out := jsonExplanation{
		Path: path, Escaped: escaped, Class: x.Class, Name: x.Name, Rank: x.Rank, Files: x.Files, Total: x.DefinitionsTotal,
		Links:      jsonLinks{uint64(x.Resolved), uint64(x.Guessed), uint64(x.Unresolved)},
		UsedBy:     jsonUsedBy{uint64(x.UsersTotal), x.UsedResolved, x.UsedGuessed},
		All:        jsonLinks{s.Resolved, s.Guessed, s.Unresolved},
		Definition: []jsonExplained{}, Strongest: []jsonUse{}, Focus: []jsonFocus{},
	}
	for _, d := range x.Definitions[:shown.definitions] {
		out.Definition = append(out.Definition, jsonExplained{
			d.Name, d.Kind, d.Scope, d.LineStart, d.Rank, jsonUsedBy{uint64(d.Users), uint64(d.Resolved), uint64(d.Guessed)},
		})
	}
	for _, u := range x.Users[:shown.users] {
		out.Strongest = append(out.Strongest, newJSONUse(u, x.Score))
	}
	for _, h := range x.Focus[:shown.focus] {
		out.Focus = append(out.Focus, jsonFocus{h.Kind, h.Text, h.Where})
	}
	return `{"version":1,"explain":` + encode(out) + "}\n"
}

func newJSONUse(u *model.Use, whole float64) jsonUse {
	path, _ := model.PathText(u.Path)
	return jsonUse{path, significant(part(u.Score, whole)), u.Resolved, u.Guessed, u.Names, u.NamesTotal}
}
