package redisstore

import (
	"strconv"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/internal/store"
)

func TestArmed(t *testing.T) {
	var a armed
	now := time.Now()
	want := func(what, key string, at time.Time, due bool) {
		t.Helper()
		if got := a.due(key, at); got != due {
			t.Errorf("%s: due %v, want %v", what, got, due)
		}
	}
	want("the first entry", "k", now, true)
	want("one right behind it", "k", now.Add(time.Second), false)
	want("another key", "l", now, true)
	want("after RearmEvery", "k", now.Add(store.RearmEvery), true)
	want("again", "k", now.Add(store.RearmEvery+time.Second), false)
	a.forget()
	want("after a failed write", "k", now.Add(store.RearmEvery+time.Second), true)
	for i := range 3 * armedKeys {
		a.due(strconv.Itoa(i), now)
	}
	if len(a.at) > armedKeys {
		t.Errorf("%d keys remembered, want at most %d", len(a.at), armedKeys)
	}
}
