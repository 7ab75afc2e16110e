package chat

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestAnswers(t *testing.T) {
	now := time.Now()
	a := answers{most: 200}
	frame := func(i int) []byte { return fmt.Appendf(nil, `{"answer":%d}`, i) }
	for i := range 1000 {
		a.put(fmt.Sprint("id", i), uint64(i), frame(i), now)
		got, found, conflict := a.get(fmt.Sprint("id", i), uint64(i), now)
		if !found || conflict || string(got) != string(frame(i)) {
			t.Fatalf("answer %d: %q, %v, %v", i, got, found, conflict)
		}
		if len(a.buf)-a.head > a.most || cap(a.buf) > 8*a.most {
			t.Fatalf("holds %d of %d, %d in memory", len(a.buf)-a.head, a.most, cap(a.buf))
		}
		if len(a.index) > a.most/answerHead {
			t.Fatalf("%d entries in the index", len(a.index))
		}
	}
	if _, found, _ := a.get("id0", 0, now); found {
		t.Error("the oldest is kept past the limit")
	}
	if _, found, conflict := a.get("id999", 1, now); !found || !conflict {
		t.Error("another body under the same id is no conflict")
	}
	a.put("huge", 1, []byte(strings.Repeat("x", 300)), now)
	if _, found, _ := a.get("huge", 1, now); found {
		t.Error("an answer past the limit is kept")
	}
	later := now.Add(answerLife + 2*time.Second)
	if _, found, _ := a.get("id999", 999, later); found {
		t.Error("an answer outlives its window")
	}
	a.put("id999", 7, frame(7), later) // the id may be used again
	a.put("next", 8, frame(8), later)  // drops what has expired
	if got, found, conflict := a.get("id999", 7, later); !found || conflict || string(got) != string(frame(7)) {
		t.Errorf("id used again: %q, %v, %v", got, found, conflict)
	}
}

func TestBucket(t *testing.T) {
	b := bucket{rate: 5, burst: 10}
	now := time.Now()
	for i := range 10 {
		if wait := b.take(now); wait != 0 {
			t.Fatalf("message %d of the burst waits %v", i, wait)
		}
	}
	if wait := b.take(now); wait != 200*time.Millisecond {
		t.Errorf("past the burst: wait %v, want 200ms", wait)
	}
	if wait := b.take(now.Add(199 * time.Millisecond)); wait != time.Millisecond {
		t.Errorf("too early: wait %v, want 1ms", wait)
	}
	if wait := b.take(now.Add(200 * time.Millisecond)); wait != 0 {
		t.Errorf("in time: wait %v", wait)
	}
	if wait := b.take(now.Add(-time.Hour)); wait > 3700*time.Second || wait <= 0 {
		t.Errorf("clock set back: wait %v", wait)
	}
}

func TestCrew(t *testing.T) {
	var c crew
	release, ran := make(chan struct{}), make(chan struct{})
	c.start(func() { <-release })
	gone := c.close()
	if !c.start(func() { close(ran) }) {
		t.Error("refused while somebody is left")
	}
	<-ran
	select {
	case <-gone:
		t.Error("gone while somebody is left")
	default:
	}
	close(release)
	<-gone
	if c.start(func() { t.Error("ran") }) {
		t.Error("started after all have gone")
	}
	<-c.close() // a second time
}

func TestConfig(t *testing.T) {
	cfg := DefaultConfig()
	if err := cfg.Validate(); err != nil {
		t.Errorf("default: %v", err)
	}
	err := (&Config{}).Validate()
	for _, key := range []string{"heartbeat", "hello_timeout", "max_sessions", "player_rate", "player_burst", "server_rate", "queue_count", "queue_bytes", "feed_count", "drain"} {
		if err == nil || !strings.Contains(err.Error(), "chat."+key+":") {
			t.Errorf("empty: %v, want one for %s", err, key)
		}
	}
}
