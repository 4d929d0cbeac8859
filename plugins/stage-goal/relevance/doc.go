// Package relevance says how much each file has to do with a goal in plain words, and why. It is pure: texts, definitions
// and edges in, scores out, the same for the same input.
//
// A score is a sum of parts, and nothing else: each part says which signal it is, what it is worth, which words it met
// and where. The words of the goal are looked for by BM25F (Robertson, Zaragoza and Taylor, "Simple BM25 extension to
// multiple weighted fields", 2004); what the goal names outright adds to that, and so do neighbours in the graph.
package relevance
