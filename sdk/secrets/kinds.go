package secrets

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

// vendorKinds are the names of the library's rules, made as vendorList is.
//
//go:embed vendorkinds.txt
var vendorKinds string

// Kinds are the names of all rules, sorted: those of the library, ours, and the user's.
func (p *Policy) Kinds() []string {
	out := slices.Clone(kinds())
	if p != nil {
		for _, r := range p.rules {
			out = append(out, r.kind)
		}
		slices.Sort(out)
	}
	return slices.Compact(out)
}

// kinds are the names of all rules but the user's.
var kinds = sync.OnceValue(func() []string {
	out := append(strings.Fields(vendorKinds), "private-key", "kubernetes-secret")
	for i := range rules {
		out = append(out, rules[i].name)
	}
	slices.Sort(out)
	return slices.Compact(out)
})
