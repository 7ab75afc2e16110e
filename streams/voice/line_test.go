package voice

import (
	"context"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
)

func post(l *line, c *Call, w *window) {
	c.mail.put(w)
	l.put(c, w.urgent())
}

// Who pauses goes first, whatever is at the desk; then who has ended and who speaks on, so
// many at a time.
func TestLine(t *testing.T) {
	l := newLine(1, 2)
	a, b, c, d, e := &Call{id: "a"}, &Call{id: "b"}, &Call{id: "c"}, &Call{id: "d"}, &Call{id: "e"}
	take := func(want *Call, urgent urgency) {
		t.Helper()
		got, u := l.take()
		if got != want || u != urgent {
			t.Fatalf("took %s (%d), want %s (%d)", got.id, u, want.id, urgent)
		}
		got.mail.take()
	}
	waits := func(want int) {
		t.Helper()
		if n := len(l.queues[look]) + len(l.queues[last]) + len(l.queues[press]); n != want {
			t.Errorf("%d calls wait, want %d", n, want)
		}
	}
	for _, who := range []*Call{a, b, c} {
		post(l, who, &window{partial: true})
	}
	post(l, d, &window{})
	post(l, c, &window{partial: true, paused: true}) // moves ahead of those that speak on
	waits(4)
	take(c, press)
	take(d, last)                                    // ahead of a and b, though it came after
	post(l, a, &window{partial: true})               // stands already
	post(l, d, &window{partial: true})               // at the desk: it stands again once that is done
	post(l, c, &window{partial: true, paused: true}) // as is c
	waits(2)
	l.done(c, press)
	take(c, press) // a and b must wait: one that does not press is at the desk
	waits(2)
	l.done(d, last)
	take(a, look)
	waits(2)
	post(l, d, &window{})
	post(l, d, &window{partial: true, paused: true}) // in its order, and at once
	take(d, press)
	post(l, e, &window{partial: true, paused: true})
	waits(2)
	if l.here != [2]int{1, 2} {
		t.Errorf("%v are at the desk, want a, and c and d that press: e waits", l.here)
	}
	l.done(d, press)
	take(e, press)
	l.done(e, press)
	take(d, press)
	l.done(d, press)
	l.done(a, look)
	take(b, look)
	l.done(b, look)
	l.done(c, press)
	waits(0)
	if a.stands != away || c.stands != away || l.here != [2]int{} {
		t.Errorf("a stands %d, c %d with %v at the desk, want away and none", a.stands, c.stands, l.here)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer l.closeWith(ctx)()
	cancel()
	if got, _ := l.take(); got != nil {
		t.Errorf("took %s of a closed line", got.id)
	}
}

// Who pauses is looked at before it is sure that nothing follows, once a pause.
func TestPauseIsSent(t *testing.T) {
	h, err := New(Config{Listen: Off, MaxCalls: 1, PerAddress: 1, Setup: 1, Idle: 1, Bitrate: 24000, Checks: 1, Partial: Default().Partial}, "", Deps{
		Desk: &desk{}, Meter: func(*engines.Item) Meter { return &loudness{} }, Resampler: func(int, int) Resampler { return same{1} },
	}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	c := h.newCall(speaker("p"), &pcmSource{rate: 16000, channels: 1})
	e := c.ear
	hear := func(ms int) { e.sound(make([]float32, 16*ms), 1) }
	hear(500)
	e.cut.edge(e, e.at, Edge{Speaking: true})
	hear(300)
	e.cut.edge(e, e.at, Edge{Pause: true})
	w := c.mail.take()
	if w == nil || w.urgent() != press || w.toMS != 800 {
		t.Fatalf("a pause sent %+v", w)
	}
	e.cut.pause(e)
	if w := c.mail.take(); w != nil {
		t.Errorf("the same pause sent %+v once more", w)
	}
	hear(100)
	e.cut.edge(e, e.at-16*64, Edge{})
	if w := c.mail.take(); w == nil || w.urgent() != last || w.toMS != 836 {
		t.Errorf("the end sent %+v", w)
	}
	e.cut.edge(e, e.at, Edge{Pause: true})
	if w := c.mail.take(); w != nil {
		t.Errorf("a pause after the end sent %+v", w)
	}
}

// Where nobody writes down what is said, speech that goes on is looked at for what was
// measured alone.
func TestWordless(t *testing.T) {
	h, err := New(Config{Listen: Off, MaxCalls: 1, PerAddress: 1, Setup: 1, Idle: 1, Checks: 1, Bitrate: 6000, Partial: 400 * time.Millisecond}, "", Deps{
		Desk: &desk{}, Meter: func(*engines.Item) Meter { return &loudness{} }, Resampler: func(int, int) Resampler { return same{1} }, Wordless: true,
	}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	c := h.newCall(speaker("p"), &pcmSource{rate: 16000, channels: 1})
	e := c.ear
	e.cut.edge(e, e.at, Edge{Speaking: true})
	for range 100 {
		e.sound(make([]float32, 320), 1)
	}
	e.cut.edge(e, e.at, Edge{Pause: true})
	if w := c.mail.take(); w != nil {
		t.Errorf("speech that goes on sent %+v", w)
	}
	e.cut.send(e, 0, e.at, true, []engines.Anomaly{{Kind: "loud"}})
	if w := c.mail.take(); w == nil || !w.partial || len(w.anomalies) != 1 {
		t.Errorf("what was measured sent %+v", w)
	}
	e.cut.edge(e, e.at, Edge{})
	if w := c.mail.take(); w == nil || w.partial {
		t.Errorf("its end sent %+v", w)
	}
}

// A call that is over is heard again, and its windows come in their order.
func TestReplay(t *testing.T) {
	packets := make([][]byte, 0, 200)
	for _, p := range read(t, "speech.opus") {
		packets = append(packets, p.Data)
	}
	packets[len(packets)/2] = nil
	deps := Deps{Meter: func(*engines.Item) Meter { return &loudness{} }, Speech: func(told func(Edge)) Speech { return &energy{told: told} }, Resampler: func(int, int) Resampler { return same{1} }}
	var partial, final int
	last := int64(-1)
	err := Replay(deps, packets, func(s *engines.Sound) error {
		if s.OffsetMS < last {
			t.Errorf("a window from %d came after one from %d", s.OffsetMS, last)
		}
		last = s.OffsetMS
		if s.Partial {
			partial++
		} else {
			final++
		}
		return nil
	})
	if err != nil || partial == 0 || final == 0 {
		t.Errorf("%d windows of speech that goes on, %d at its end, %v", partial, final, err)
	}
}
