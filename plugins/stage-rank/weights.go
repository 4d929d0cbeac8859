package rank

// What counts how much. All are shares of 1 unless said otherwise.
const (
	// testVote is what a test file's own say is worth against that of a source file.
	testVote = 0.2
	// testRank is what the score of a test file and its definitions is multiplied by.
	testRank = 0.1
	// samePackage is what a reference to a file of the same folder is worth that needs no import: what others build on
	// says more about a repository than how the parts of one package use each other.
	samePackage = 0.3
	// slack is the weight, in references to a name that nobody else uses, of a file's references to nothing. A file that
	// only uses what everybody uses passes on little; without it, its whole vote would go there, however common the name.
	slack = 1.0
	// ownFile is the part of a file's score that goes to those of its definitions that the file itself refers to.
	ownFile = 0.01
	// floor is the part of a file's score that each of its exported definitions gets without any reference, before it is
	// divided; see addFloor. Others get the part privateFloor of that.
	floor        = 0.0005
	privateFloor = 0.1
	// focusPull is the part of the random surfer's jumps that goes to files in the focus.
	focusPull = 0.9
	// focusFloor is the part of the score of a file in the focus that goes to its definitions that the focus names.
	focusFloor = 0.5
)

// Convergence of the power iteration.
const (
	tolerance     = 1e-9 // L1 distance of two rounds
	maxIterations = 100
)
