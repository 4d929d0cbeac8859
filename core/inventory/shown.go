package inventory

import "github.com/repox-dev/repox/sdk/secrets"

// ShownPaths gives the paths of the entries as they may leave the program or be stored: without secrets.
func (inv *Inventory) ShownPaths() []string {
	paths := make([]string, len(inv.Entries))
	for i := range inv.Entries {
		paths[i] = inv.Entries[i].File.Path
	}
	secrets.Each(paths)
	return paths
}

// secretive tells of which records the path holds a secret. They are not remembered.
func secretive(records []record) map[int]bool {
	paths := make([]string, len(records))
	for i := range records {
		paths[i] = records[i].entry.File.Path
	}
	out := map[int]bool{}
	for _, c := range secrets.Each(paths) {
		out[c.Index] = true
	}
	return out
}
