// Package source says which files a run reads, and gives their bytes.
//
// Three kinds of tree are known: a git work tree (what git tracks plus what it would not ignore), a plain directory
// (every file, the same ignore files honoured) and a commit. List finds the files, Tree.Read gives the bytes of one,
// Decode turns bytes into text that parsers and line numbers agree on, and Classify says what sort of file it is.
// Start reading at List.
//
// A tree may come from a stranger, so nothing in it is trusted. Directories are walked by this package rather than by
// git: a pipe named .gitignore would stop git for good. The index is read here too, which is faster than asking.
// Git itself is asked for its configuration, whether it accepts the work tree, rare kinds of index, and the objects of
// a commit, and is called so that nothing the repository configures can run. Links are never followed below the root,
// also not by a tracked path whose directory was replaced with a link.
//
// The package does not know languages, parse source or keep a cache.
package source
