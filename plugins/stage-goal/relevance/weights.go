package relevance

// weights are what counts how much.
type weights struct {
	// subject is what a word of the first line counts, in words of the rest.
	subject float64
	// joint is what two words found side by side count beside what each of them counts.
	joint float64

	// field is how often a word counts, by where it is met. A word of a name or a doc line stands in the body too.
	field [fields]float64
	// saturation (k1) and lengthNorm (b) are BM25's: how soon a repeated word says nothing new, and how much less the
	// words of a long file are worth.
	saturation, lengthNorm float64

	// passage is the worth of the best definition of a file by itself, beside the file as a whole.
	passage float64
	// nameInPassage is how often the name of a definition counts in it.
	nameInPassage float64

	// What is named outright is worth shares of the best file's words; namedSymbols and literals are the most that a
	// file gets for all symbols and all quoted texts.
	namedPath, namedFolder    float64
	namedSymbol, namedSymbols float64
	literal, literals         float64

	// graph is the part of a file's own score that it lends its neighbours.
	graph float64

	// Classes of files count less than code unless the goal is about them; other is for files that no pack reads.
	test, generated, vendored, other float64
}

// tuned are the weights in use. They were chosen on development tasks from real histories (the goal of a commit and the
// files that it changed); docs/goals.md has what each signal is worth.
var tuned = weights{
	subject: 2, joint: 1,
	field:      [fields]float64{fieldFolder: 4, fieldFileName: 8, fieldSymbol: 2, fieldDoc: 1, fieldBody: 1},
	saturation: 3, lengthNorm: 0.4,
	passage: 0.5, nameInPassage: 3,
	namedPath: 1, namedFolder: 0.2,
	namedSymbol: 0.4, namedSymbols: 0.8,
	literal: 0.3, literals: 0.6,
	graph: 0.3,
	test:  0.25, generated: 0.3, vendored: 0.1, other: 0.5,
}
