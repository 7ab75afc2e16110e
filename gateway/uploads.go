package gateway

import "sync"

// uploads bounds the pictures that are in memory at once. Full-rule: the next one is
// told to come back; one app has no more than half.
type uploads struct {
	mu   sync.Mutex
	most int
	all  int
	apps map[string]int
}

func (u *uploads) enter(app string) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.all >= u.most || u.apps[app] >= (u.most+1)/2 {
		return false
	}
	if u.apps == nil {
		u.apps = map[string]int{}
	}
	u.all++
	u.apps[app]++
	return true
}

func (u *uploads) leave(app string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.all--
	if u.apps[app]--; u.apps[app] <= 0 {
		delete(u.apps, app)
	}
}
