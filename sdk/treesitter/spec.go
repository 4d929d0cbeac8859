package treesitter

import (
	"fmt"
	"unsafe"

	"github.com/repox-dev/repox/sdk"
	"github.com/repox-dev/repox/sdk/tag"
)

// Spec says how the tags of one language are found.
//
// Captures of the query, beside @definition.KIND, @reference.ROLE and @name:
//
//	@container       like a definition, but only its name counts, as part of the scope of what lies in it
//	@scope           inside a definition: a name that encloses it although its node does not (a receiver's type)
//	@self            inside a definition: the name that its own members go by (a receiver); as a qualifier it is
//	                 replaced by the scope
//	@local           a name declared inside a function; references to it there are left out,
//	                 calls of it are kept with tag.UnknownQualifier
//	@body            inside a definition: where the signature ends; without it, the node's field "body"
//	@doc             inside a definition: the text that documents it; without it, the comment right above
//	@qualifier       inside a reference: what stands before the name; an expression becomes tag.UnknownQualifier
//	@import          an import, with @import.module, @import.local (the name it goes by) and @import.name (each
//	                 name it brings in)
//	@package         the name of the unit that the file belongs to
//	@member          a name that a type is known of (a field, a variable, a function with a result), in the scope of the
//	                 definition that it names or lies in; with @owner, of what that value is a member of (the @self)
//	@base            what the definition around it is based on
//	@property        like @member, of the type whose method it lies in
//	@result          an expression that the function around it gives
//	@type            beside @local or @member: its type, for a function that of its result
//	@value           the same: an expression of its type; @holder: an expression that holds its type
//	@tuple           around a @local: a pattern of several names, of which each has one element of the @value; around
//	                 an @element: the fields that go by number
//	@element         like @member, with the type itself captured: its name is its number in the @tuple
//	@first           around a list of names: only the first of them is meant
//
// One tag is kept for each name in the source: a definition before a reference, and of several patterns the earliest.
// The predicates #eq?, #not-eq?, #any-of?, #not-any-of?, #match? and #not-match? hold on the text of captures.
type Spec struct {
	// Language is what the grammar's Go binding returns.
	Language unsafe.Pointer
	// Query is the text of tags.scm.
	Query string
	// Comments are the node types of comments; without them, those whose type is or ends in "comment".
	Comments []string
	// Mask, if given, helps where a language has grown beyond its grammar. It is asked for files with syntax errors, and gives
	// their text with what the grammar does not know written over, byte for byte, by something that means the same to it;
	// nil if there is nothing of the kind. What is then parsed counts if it has fewer errors. Tags have the original text.
	Mask func(src []byte) []byte
	// Notation, if given, lets receivers and members be followed to their types.
	Notation *Notation
	// Finish, if given, has the last word on a file: it may change or drop tags. Strings and slices of the file are
	// valid only until the next file.
	Finish func(src []byte, f *tag.File)
}

// QueryError is a fault in a tags query. Authors correct the query at the place it names.
type QueryError struct {
	// Line and Column count from 1, the column in bytes.
	Line, Column int
	Message      string
}

func (e *QueryError) Error() string {
	return fmt.Sprintf("tags.scm:%d:%d: %s", e.Line, e.Column, e.Message)
}

// New gives what a pack of one grammar puts into Pack.NewExtractor.
func New(spec Spec) func(sdk.Config) (sdk.Extractor, error) {
	return NewByLanguage(func(string) string { return "" }, map[string]Spec{"": spec})
}

// NewByLanguage is New for a pack of several grammars: choose gives the key of the spec for the path of a file.
func NewByLanguage(choose func(path string) string, specs map[string]Spec) func(sdk.Config) (sdk.Extractor, error) {
	shared := &sharedPrograms{specs: specs}
	return func(cfg sdk.Config) (sdk.Extractor, error) { return newExtractor(shared, choose, cfg) }
}
