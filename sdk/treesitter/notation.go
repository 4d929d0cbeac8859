package treesitter

import "strings"

// Notation says how a language writes types and values, as far as it takes to follow a value to its type. Its methods turn
// source text into paths as tag.Member.Type has them; text that leads nowhere gives an empty path.
type Notation struct {
	// Transparent are generic types that act as what they hold: Box of Box<T>.
	Transparent map[string]bool
	// Keyed are generic types of keys and values, whose values count.
	Keyed map[string]bool
	// Holds are the methods that give what a value holds, or the value itself: unwrap, clone.
	Holds map[string]bool
	// Self is the word for the value that a method belongs to, where no parameter is named so; Super the one for it as
	// its base.
	Self, Super string
	// Results: types in parentheses are the results of a function, of which the first counts, and may have names.
	Results bool
	// Tokens: a name may stand among loose tokens, the arguments of a macro. The value that it is a member of is read from
	// the text before it.
	Tokens bool
}

// longestPath bounds the source text of a receiver or type that is looked at, in bytes.
const longestPath = 400

// maxPathNesting bounds types in types and values in values.
const maxPathNesting = 6

// Words makes a set of words from a text with spaces between them, as the fields of a Notation are.
func Words(text string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(text) {
		set[w] = true
	}
	return set
}
