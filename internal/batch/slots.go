package batch

import (
	"sync"

	"github.com/portcullis-gg/portcullis/engines"
)

// slots bounds the uploads that are under way, of all apps and of each: one app takes
// half of them at most, so that another finds one. Full-rule: refused, come again.
type slots struct {
	most int

	mu    sync.Mutex
	taken int
	apps  map[engines.AppID]int
}

func newSlots(most int) *slots { return &slots{most: most, apps: map[engines.AppID]int{}} }

// take reports whether app has a slot, which leave gives back.
func (s *slots) take(app engines.AppID) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.taken == s.most || s.apps[app] >= max(1, s.most/2) {
		return false
	}
	s.taken++
	s.apps[app]++
	return true
}

func (s *slots) leave(app engines.AppID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.taken--
	if s.apps[app]--; s.apps[app] == 0 {
		delete(s.apps, app)
	}
}
