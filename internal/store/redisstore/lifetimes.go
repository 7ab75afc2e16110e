package redisstore

import (
	"sync"
	"time"

	"github.com/portcullis-gg/portcullis/internal/store"
)

// armedKeys is how many keys are remembered. Full-rule: all are forgotten, which
// costs one command more for each of them.
const armedKeys = 8192

// armed knows whose lifetime was set a moment ago, so that not every entry of a
// busy stream sets it again: that was every third command. It forgets everything
// when a write fails, since a Redis that lost its data makes keys without an end.
type armed struct {
	mu sync.Mutex
	at map[string]time.Time
}

// due reports whether the key's lifetime is to be set now.
func (a *armed) due(key string, now time.Time) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if last, ok := a.at[key]; ok && now.Sub(last) < store.RearmEvery {
		return false
	}
	if a.at == nil || len(a.at) >= armedKeys {
		a.at = make(map[string]time.Time)
	}
	a.at[key] = now
	return true
}

func (a *armed) forget() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.at = nil
}
