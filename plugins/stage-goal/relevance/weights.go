package relevance

// The weights, measured in development tasks from real histories: the goal of a commit and the files that it changed.
const (
	// subjectWeight is what a word of the first line counts, in words of the rest.
	subjectWeight = 2.0
	// jointWeight is what two words found side by side count beside what each of them counts.
	jointWeight = 0.5

	// saturation (k1) and lengthNorm (b) are BM25's: how soon a repeated word says nothing new, and how much a long
	// file's words are worth less.
	saturation = 2.0
	lengthNorm = 0.4

	// passageShare is the worth of the best definition of a file by itself, beside the file as a whole.
	passageShare = 0.5
	// nameInPassage is how often the name of a definition counts in it.
	nameInPassage = 3.0

	// What is named outright is worth shares of the best file's words.
	namedPath     = 1.0
	namedFolder   = 0.2
	namedSymbol   = 0.4
	literalFound  = 0.3
	namedSymbols  = 0.8 // the most that a file gets for all symbols named
	literalsFound = 0.6

	// graphShare is the part of a file's own score that it lends its neighbours.
	graphShare = 0.15
)

// fieldWeight is how often a word counts, by where it is met. A word of a name or a doc line stands in the body too.
var fieldWeight = [fields]float64{fieldFolder: 4, fieldFileName: 8, fieldSymbol: 2, fieldDoc: 1, fieldBody: 1}

// Classes of files count less than code unless the goal is about them.
const (
	testFactor      = 0.4
	generatedFactor = 0.3
	vendoredFactor  = 0.1
	otherFactor     = 0.5
)
