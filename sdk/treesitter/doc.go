// Package treesitter turns a tree-sitter grammar and a tags query (tags.scm) into an extractor for a language pack.
//
// The query uses the vocabulary of tree-sitter's code navigation: a capture @definition.KIND or @reference.ROLE on a
// node and @name inside it. Besides these, Spec documents the captures that this package understands.
//
// One call into C parses a file and gathers all captures. Queries are compiled to patterns that are matched while the
// tree is walked once; queries with features that patterns lack (repetition, anchors, negated fields, supertypes, groups of
// siblings) run on tree-sitter's own query engine, which gives the same captures at a higher price.
//
// The package needs cgo. Without it, extractors cannot be made and the error says what to install.
package treesitter
