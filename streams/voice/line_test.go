package voice

import (
	"context"
	"testing"

	"github.com/portcullis-gg/portcullis/engines"
)

func post(l *line, c *Call, w *window) {
	c.mail.put(w)
	l.put(c, w.pressing())
}

func TestLine(t *testing.T) {
	l := newLine(1)
	a, b, c, d := &Call{id: "a"}, &Call{id: "b"}, &Call{id: "c"}, &Call{id: "d"}
	take := func(want *Call, look bool) {
		t.Helper()
		got, looks := l.take()
		if got != want || looks != look {
			t.Fatalf("took %s (look %t), want %s (%t)", got.id, looks, want.id, look)
		}
		got.mail.take()
	}
	for _, who := range []*Call{a, b, c} {
		post(l, who, &window{partial: true})
	}
	post(l, d, &window{})
	post(l, c, &window{partial: true, paused: true}) // moves ahead of those that speak on
	take(d, false)
	take(c, false)
	take(a, true)
	post(l, a, &window{partial: true}) // at the desk: it stands again once that is done
	post(l, d, &window{})              // as is d
	if len(l.first)+len(l.others) != 1 {
		t.Errorf("%d calls wait, want b alone", len(l.first)+len(l.others))
	}
	l.done(d, false)
	take(d, false) // b must wait: one look is at the desk
	l.done(a, true)
	take(b, true)
	l.done(b, true)
	take(a, true)
	l.done(a, true)
	if a.stands != away || l.looks != 0 {
		t.Errorf("a stands %d with %d looks, want away and none", a.stands, l.looks)
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
	if w == nil || !w.partial || !w.pressing() || w.toMS != 800 {
		t.Fatalf("a pause sent %+v", w)
	}
	e.cut.pause(e)
	if w := c.mail.take(); w != nil {
		t.Errorf("the same pause sent %+v once more", w)
	}
	hear(100)
	e.cut.edge(e, e.at-16*64, Edge{})
	if w := c.mail.take(); w == nil || w.partial || !w.pressing() || w.toMS != 836 {
		t.Errorf("the end sent %+v", w)
	}
	e.cut.edge(e, e.at, Edge{Pause: true})
	if w := c.mail.take(); w != nil {
		t.Errorf("a pause after the end sent %+v", w)
	}
}

// A call that is over is heard again, and its windows come in their order.
func TestReplay(t *testing.T) {
	packets := make([][]byte, 0, 200)
	for _, p := range read(t, "speech.opus") {
		packets = append(packets, p.Data)
	}
	packets[len(packets)/2] = nil
	deps := Deps{Meter: func(*engines.Item) Meter { return &loudness{} }, Speech: func() Speech { return &energy{} }, Resampler: func(int, int) Resampler { return same{1} }}
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
