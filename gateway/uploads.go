package gateway

import "sync"

// uploads bounds the files that are in memory at once, counted in pictures of the size
// that is allowed. Full-rule: the next one is told to come back; one app has no more
// than half, where that is room for one.
type uploads struct {
	mu   sync.Mutex
	most int
	all  int
	apps map[string]int
}

func (u *uploads) enter(app string, room int) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	have := u.apps[app]
	if u.all+room > u.most || have > 0 && have+room > (u.most+1)/2 {
		return false
	}
	if u.apps == nil {
		u.apps = map[string]int{}
	}
	u.all += room
	u.apps[app] += room
	return true
}

func (u *uploads) leave(app string, room int) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.all -= room
	if u.apps[app] -= room; u.apps[app] <= 0 {
		delete(u.apps, app)
	}
}
