// Package handoff holds the strict answer to one goal as Go types: what a caller who is about to change unfamiliar code has
// to know, in the form that schema version 1.0 fixes. Encode writes it; what makes one valid is checked by the host.
package handoff

// SchemaVersion and Explorer are the fixed values of every handoff.
const (
	SchemaVersion = "1.0"
	Explorer      = "pathfinder"
)

// MediaType marks a document of this kind among those of a pipeline: the host completes it with what only the host knows.
const MediaType = "application/vnd.repox.handoff+json"

// Depths of a request.
const (
	Shallow  = "shallow"
	Standard = "standard"
	Deep     = "deep"
)

// Budgets of a request.
const (
	Compact = "compact"
	Normal  = "normal"
	Full    = "full"
)

// Levels of confidence, relevance, severity and priority.
const (
	High   = "high"
	Medium = "medium"
	Low    = "low"
)

// Codes of errors.
const (
	InsufficientScope = "insufficient_scope"
	IndexStale        = "index_stale"
	NoMatch           = "no_match"
	RedactedSecret    = "redacted_secret"
	BudgetExceeded    = "budget_exceeded"
)

// Kinds of edges of the dependency map.
const (
	EdgeImport = "import"
	EdgeCall   = "call"
)

// Handoff is the whole answer.
type Handoff struct {
	SchemaVersion     string       `json:"schema_version"`
	Explorer          string       `json:"explorer"`
	Timestamp         string       `json:"timestamp"`
	Request           Request      `json:"request"`
	IndexInfo         IndexInfo    `json:"index_info"`
	TaskUnderstanding string       `json:"task_understanding"`
	KeyFiles          []KeyFile    `json:"key_files"`
	Symbols           []Symbol     `json:"relevant_symbols"`
	Dependencies      []Dependency `json:"dependency_map"`
	Risks             []Risk       `json:"risks_and_unknowns"`
	NextActions       []Action     `json:"next_actions_for_caller"`
	Evidence          []Evidence   `json:"evidence"`
	Errors            []Error      `json:"errors"`
	Omitted           Omitted      `json:"omitted"`
	Limitations       []Limitation `json:"explorer_limitations"`
}

// Request restates what was asked for.
type Request struct {
	Goal string `json:"goal"`
	// TargetPaths are absolute.
	TargetPaths []string `json:"target_paths"`
	Depth       string   `json:"depth"`
}

// IndexInfo says what the answer was made from.
type IndexInfo struct {
	IndexPath string `json:"index_path"`
	// IndexAgeSeconds counts from when the index was last brought up to date.
	IndexAgeSeconds float64 `json:"index_age_seconds"`
	FilesIndexed    int     `json:"files_indexed"`
}

// KeyFile is a file that the goal is about.
type KeyFile struct {
	Path             string `json:"path"`
	Role             string `json:"role"`
	Language         string `json:"language"`
	Lines            int    `json:"lines"`
	Relevance        string `json:"relevance"`
	Confidence       string `json:"confidence"`
	ConfidenceReason string `json:"confidence_reason"`
}

// Symbol is a definition that the goal is about. Lines are one-based and inclusive.
type Symbol struct {
	Name             string `json:"name"`
	Kind             string `json:"kind"`
	File             string `json:"file"`
	LineStart        int    `json:"line_start"`
	LineEnd          int    `json:"line_end"`
	Why              string `json:"why"`
	Confidence       string `json:"confidence"`
	ConfidenceReason string `json:"confidence_reason"`
}

// Dependency is an edge from a file to a file or to a module outside of the repository.
type Dependency struct {
	Source string `json:"source"`
	Target string `json:"target"`
	Kind   string `json:"kind"`
}

// Risk is what may go wrong in the target, or is not known of it.
type Risk struct {
	Description   string   `json:"description"`
	Severity      string   `json:"severity"`
	AffectedFiles []string `json:"affected_files"`
}

// Action is what the caller does best next. TargetAgent is nil where anyone can do it.
type Action struct {
	Action      string  `json:"action"`
	TargetAgent *string `json:"target_agent"`
	Priority    string  `json:"priority"`
}

// Evidence is a piece of a file. Lines are one-based and inclusive.
type Evidence struct {
	File             string `json:"file"`
	LineStart        int    `json:"line_start"`
	LineEnd          int    `json:"line_end"`
	Snippet          string `json:"snippet"`
	Context          string `json:"context"`
	Confidence       string `json:"confidence"`
	ConfidenceReason string `json:"confidence_reason"`
}

// Error says why the answer is less than what was asked for.
type Error struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// Omitted counts what was found and left out, with the reasons.
type Omitted struct {
	KeyFiles     int      `json:"key_files"`
	Symbols      int      `json:"relevant_symbols"`
	Dependencies int      `json:"dependency_map"`
	Evidence     int      `json:"evidence"`
	Reasons      []string `json:"reasons"`
}

// Limitation is what the explorer cannot see in this target.
type Limitation struct {
	Code     string `json:"code"`
	Message  string `json:"message"`
	Severity string `json:"severity"`
}
