// Package sdk is what authors of repox plugins import. A plugin is a program with one or more components; a component
// is a value: a Pack turns the files of a language into tags, a Stage turns sections of the repository model into
// others. Main makes the program:
//
//	func main() { sdk.Main(&sdk.Stage{Name: "drop-tests", …}) }
//
// Processes, streams, batches, ordering and limits are the package's business, not the author's. Packs built on a
// tree-sitter grammar find the rest of what they need in sdk/treesitter; sdk/packtest runs a pack's fixtures.
package sdk

// Version is the version of this package and of the wire contract it speaks. Hosts show it when versions disagree.
const Version = "0.1.0"
