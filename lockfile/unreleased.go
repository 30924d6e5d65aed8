package lockfile

import (
	"slices"
	"sync"
)

// unreleased are our owner files that could not be removed. They name a live
// process, this one, so nobody would ever reclaim them.
var unreleased registry

// registry remembers owner files by the lock they are in.
type registry struct {
	mu     sync.Mutex
	owners map[string][]string
}

// note keeps o while its release fails.
func (r *registry) note(o ownership, failed bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	rest := slices.DeleteFunc(r.owners[o.lock], func(owner string) bool { return owner == o.owner })
	if failed {
		rest = append(rest, o.owner)
	}
	if len(rest) == 0 {
		delete(r.owners, o.lock)
		return
	}
	if r.owners == nil {
		r.owners = make(map[string][]string)
	}
	r.owners[o.lock] = rest
}

// clear tries again to remove our owner files from lock, and only these. It
// reports whether one went.
func (r *registry) clear(lock string) (removed bool, err error) {
	r.mu.Lock()
	owners := slices.Clone(r.owners[lock])
	r.mu.Unlock()
	for _, owner := range owners {
		if failed := (ownership{lock, owner}).release(); failed != nil {
			err = failed
			continue
		}
		removed = true
	}
	return removed, err
}
