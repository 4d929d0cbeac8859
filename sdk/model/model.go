// Package model names the sections of the repository model that flow between stages. Each type is the message of the
// wire contract (sdk/proto/repox_model.proto, which documents the fields); the aliases here are what authors of stages use.
package model

import pluginv1 "github.com/repox-dev/repox/sdk/proto"

// Names of the sections.
const (
	SectionFiles     = "files"
	SectionContent   = "content"
	SectionTags      = "tags"
	SectionGraph     = "graph"
	SectionRanking   = "ranking"
	SectionSelection = "selection"
	SectionSurvey    = "survey"
	SectionHistory   = "history"
	SectionBrief     = "brief"
	SectionFindings  = "findings"
	SectionDocuments = "documents"
)

// The sections and their parts.
type (
	// Files lists what was read; other sections refer to a file by its index here.
	Files = pluginv1.Files
	// File is one file of Files.
	File = pluginv1.File
	// Class tells source from tests, generated and vendored code, documentation and configuration.
	Class = pluginv1.Class
	// Content holds the text of files.
	Content = pluginv1.Content
	// FileContent is the text of one file.
	FileContent = pluginv1.FileContent
	// TagSet holds the encoded tags of every file.
	TagSet = pluginv1.TagSet
	// FileTags holds the encoded tags of one file.
	FileTags = pluginv1.FileTags
	// FileSet is a set of files that an import may lead to.
	FileSet = pluginv1.FileSet
	// Graph ties references to the definitions they mean.
	Graph = pluginv1.Graph
	// Ranking scores files and definitions.
	Ranking = pluginv1.Ranking
	// Selection is what is worth showing, best first.
	Selection = pluginv1.Selection
	// SelectedFile is one file of a Selection.
	SelectedFile = pluginv1.SelectedFile
	// SelectedDefinition is one definition of a SelectedFile.
	SelectedDefinition = pluginv1.SelectedDefinition
	// Use is what one file refers to in another.
	Use = pluginv1.Use
	// Explanation says why something ranks where it does.
	Explanation = pluginv1.Explanation
	// ExplainedDefinition is one definition of an Explanation.
	ExplainedDefinition = pluginv1.ExplainedDefinition
	// FocusHit is what the focus names.
	FocusHit = pluginv1.FocusHit
	// History is the past of the files.
	History = pluginv1.History
	// Commit is one of History.
	Commit = pluginv1.Commit
	// Brief is what matters for one goal, best first.
	Brief = pluginv1.Brief
	// BriefFile is one file of a Brief.
	BriefFile = pluginv1.BriefFile
	// BriefSymbol is one definition of a Brief.
	BriefSymbol = pluginv1.BriefSymbol
	// BriefEdge is one dependency of a Brief.
	BriefEdge = pluginv1.BriefEdge
	// BriefEvidence is one range of lines of a Brief.
	BriefEvidence = pluginv1.BriefEvidence
	// BriefSource is the text that evidence is cut from.
	BriefSource = pluginv1.BriefSource
	// BriefRisk is something around the files of a Brief to be known before they are changed.
	BriefRisk = pluginv1.BriefRisk
	// BriefOmission counts what was left out of a Brief.
	BriefOmission = pluginv1.BriefOmission
	// Signal is one part of a score.
	Signal = pluginv1.Signal
	// Findings are limitations, risks, errors and redactions.
	Findings = pluginv1.Findings
	// Finding is one of Findings.
	Finding = pluginv1.Finding
	// Documents are what leaves the program.
	Documents = pluginv1.Documents
	// Document is one rendered answer.
	Document = pluginv1.Document
)

// Classes of files.
const (
	ClassSource        = pluginv1.Class_CLASS_SOURCE
	ClassTest          = pluginv1.Class_CLASS_TEST
	ClassGenerated     = pluginv1.Class_CLASS_GENERATED
	ClassVendored      = pluginv1.Class_CLASS_VENDORED
	ClassMinified      = pluginv1.Class_CLASS_MINIFIED
	ClassDocumentation = pluginv1.Class_CLASS_DOCUMENTATION
	ClassConfiguration = pluginv1.Class_CLASS_CONFIGURATION
	ClassOther         = pluginv1.Class_CLASS_OTHER
)

// Kinds of findings.
const (
	FindingLimitation = "limitation"
	FindingRisk       = "risk"
	FindingError      = "error"
	FindingRedaction  = "redaction"
)
