// Package tag holds the facts that a language pack reports about one file: definitions, references and imports, in the
// vocabulary of tree-sitter's code navigation queries. A File is what an extractor returns; Encode and Decode turn it
// into the form that travels and is cached (see sdk/proto/repox_plugin.proto, messages Tags and Imports).
//
// Positions are byte offsets and zero-based rows. A row ends at a line feed.
package tag

// Kinds of definitions. A kind says what the language itself calls the thing.
const (
	Function  = "function"
	Method    = "method"
	Class     = "class"
	Struct    = "struct"
	Enum      = "enum"
	Interface = "interface"
	Trait     = "trait"
	Type      = "type"
	Constant  = "constant"
	Variable  = "variable"
	Module    = "module"
	Macro     = "macro"
)

// Roles of references.
const (
	Call      = "call"
	TypeUse   = "type"
	Read      = "read"
	MacroUse  = "macro"
	Implement = "implement"
	Decorator = "decorator"
	JSX       = "jsx"
)

// File is all that a pack knows of one file.
type File struct {
	// Package is the unit whose members see each other without an import, beside the folder: in Go the package's
	// name. Empty where a file is its own unit.
	Package     string
	Definitions []Definition
	References  []Reference
	Imports     []Import
	// Members say what values are made of. They help to tie references and are not shown.
	Members []Member
	// Errors are the places that the parser could not read. A file with errors still gives all that parsed.
	Errors []Span
}

// Span is a piece of a file. End is the offset just past it; EndRow is the row of its last byte.
type Span struct {
	Start, End       uint32
	StartRow, EndRow uint32
}

// Definition is a named declaration.
type Definition struct {
	Name string
	Kind string
	// Scope holds the names of the enclosing definitions, joined by dots.
	Scope string
	// Signature is the declaration on one line, without its body.
	Signature string
	// Doc is the first line of the comment that documents it.
	Doc string
	// Exported: other packages or modules can name it.
	Exported bool
	Span
	// NameStart is the offset of the name.
	NameStart uint32
}

// UnknownQualifier stands for a qualifier that is an expression: the name is a member of a value without a name, and
// nothing can be said about what it means.
const UnknownQualifier = "?"

// Reference is a use of a name.
type Reference struct {
	Name string
	// Qualifier is what stands before the name: pkg in pkg.Name. Empty for a bare name, UnknownQualifier for a member
	// of an expression.
	Qualifier string
	// Receiver leads to the value that the name is a member of, where Qualifier is unknown: see Member.Type. Empty if
	// nothing is known of it. It helps to tie the reference and is not shown.
	Receiver string
	Role     string
	Start    uint32
	Row      uint32
}

// Member says of what type a name is: a field, a variable, what a function gives. One without a name says what Scope is
// based on: a base class, an embedded field, an interface that it implements.
type Member struct {
	// Scope and Name are those of the definition or, for what is no definition, what they would be.
	Scope, Name string
	// Type leads to the type, from what the file can name: names joined by dots, where each is a member of what is before
	// it, so that both Buffer and newBuffer.buf are types, if newBuffer is a function. Behind a name in angle brackets stands
	// what it holds: List<Item>, or <Item> for a list without a name. A step "!" leads from it to the Item, and a
	// step next! does so if there is no member next. The name @ is the type that the place at hand is a member of.
	Type string
}

// Import is one module that a file names.
type Import struct {
	Module string
	// Names is what the import brings in, in the source's terms; "*" for everything, "* as x" for the module under
	// a name, "_" for a blank import.
	Names []string
	// Local is the name the module goes by in the file, where the source gives one.
	Local string
	Row   uint32
	// Implied: no statement imports the module; it is named in full where it is used. Such imports are not shown.
	Implied bool
}
