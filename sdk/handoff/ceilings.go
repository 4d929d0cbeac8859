package handoff

// Ceilings are the most that a handoff may hold. They are no quotas: what has little to do with the goal is left out even
// where there is room.
type Ceilings struct {
	KeyFiles, Symbols, Dependencies, Evidence int
	// SymbolsOfFile bounds the symbols of any one file.
	SymbolsOfFile int
	// SnippetLines bounds each piece of evidence.
	SnippetLines int
	Risks        int
	Actions      int
}

// Hard is what no handoff exceeds.
var Hard = Ceilings{
	KeyFiles: 25, Symbols: 30, Dependencies: 20, Evidence: 15, SymbolsOfFile: 6, SnippetLines: 20, Risks: 10, Actions: 8,
}

// Most gives the ceilings of a depth and a budget. An unknown budget bounds nothing beyond the hard limits, nor does an
// unknown depth: handoffs of others say their depth and not their budget.
func Most(depth, budget string) Ceilings {
	c := Hard
	switch budget {
	case Compact:
		c.KeyFiles, c.Symbols, c.Dependencies, c.Evidence, c.SymbolsOfFile = 8, 12, 6, 2, 4
	case Normal:
		c.KeyFiles, c.Symbols, c.Dependencies, c.Evidence = 15, 18, 10, 4
	}
	switch depth {
	case Shallow:
		c.KeyFiles, c.Dependencies, c.Evidence = min(c.KeyFiles, 10), 0, 0
	case Standard:
		c.Evidence = min(c.Evidence, 5)
	case Deep:
		c.Evidence = min(c.Evidence, 10)
	}
	return c
}

// SymbolKind folds a language's own kind of definition to one of the seven of the schema.
func SymbolKind(kind string) string {
	switch kind {
	case "function", "method", "macro":
		return "function"
	case "class", "trait", "interface", "module":
		return kind
	case "constant", "variable":
		return "constant"
	}
	return "type" // struct, enum, type
}
