package cli

import "sync"

// killers are functions that end things at once.
type killers struct {
	mu   sync.Mutex
	next int
	all  map[int]func()
}

// add registers f until the function it gives is called.
func (k *killers) add(f func()) (remove func()) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.all == nil {
		k.all = map[int]func(){}
	}
	id := k.next
	k.next++
	k.all[id] = f
	return func() {
		k.mu.Lock()
		defer k.mu.Unlock()
		delete(k.all, id)
	}
}

func (k *killers) run() {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, f := range k.all {
		f()
	}
}
