package inventory

import (
	"slices"

	"github.com/repox-dev/repox/sdk/secrets"
)

// ShownPaths gives the paths of the entries as they may leave the program or be stored: without secrets.
func (inv *Inventory) ShownPaths() []string {
	paths := make([]string, len(inv.Entries))
	for i := range inv.Entries {
		paths[i] = inv.Entries[i].File.Path
	}
	inv.Secrets.Each("", paths)
	return paths
}

// public gives the records whose paths hold no secret, which may be remembered.
func public(rules *secrets.Policy, records []record) []record {
	paths := make([]string, len(records))
	for i := range records {
		paths[i] = records[i].entry.File.Path
	}
	changes := rules.Each("", paths)
	for i := len(changes) - 1; i >= 0; i-- {
		records = slices.Delete(records, changes[i].Index, changes[i].Index+1)
	}
	return records
}
