package chat

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/portcullis-gg/portcullis/internal/session"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

func TestNote(t *testing.T) {
	for _, want := range []note{
		{Kind: noteReplaced, Session: "s", From: "a node"},
		{Kind: noteMoved, Session: "s", From: "n", Fence: 7},
		{Kind: noteReleased, Session: "s", From: "n", Lost: 1 << 40, Tail: []session.Entry{
			{Seq: 1, Message: "m", Frame: []byte(`{"a":"\n"}`)}, {Seq: 2, Frame: []byte("{}")},
		}},
	} {
		got, err := readNote(want.encode())
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("note (-sent +read):\n%s", d)
		}
	}
}

func FuzzNote(f *testing.F) {
	f.Add(note{Kind: noteReleased, Session: "s", From: "n", Tail: []session.Entry{{Seq: 1, Frame: []byte("{}")}}}.encode())
	f.Add([]byte{noteVersion, 'm', 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1})
	f.Fuzz(func(t *testing.T, payload []byte) {
		n, err := readNote(payload)
		if err != nil {
			return
		}
		again, err := readNote(n.encode())
		if err != nil || n.Session != again.Session || len(n.Tail) != len(again.Tail) {
			t.Errorf("%q: %v, then %v (%v)", payload, n, again, err)
		}
	})
}

// TestLateNote: what is told of an owner before this one changes nothing.
func TestLateNote(t *testing.T) {
	w := newWorld()
	a, b := serve(t, w, "a", testConfig(), desk(words)), serve(t, w, "b", testConfig(), desk(words))
	bob := login(t, a, "player bob lobby")
	bob.wantResumed(b, 0)
	bob.wantResumed(a, 0)
	id := a.session(bob).id
	for _, n := range []note{
		{Kind: noteMoved, Session: id, From: "b", Fence: 2},
		{Kind: noteReleased, Session: id, From: "b"},
		{Kind: noteReplaced, Session: "unknown", From: "b"},
	} {
		a.hub.Told(n.encode())
	}
	a.hub.Told([]byte("nonsense"))
	bob.say("1", "still here")
	a.hub.Told(note{Kind: noteMoved, Session: id, From: "b", Fence: 4}.encode())
	bob.wantClosed(wire.CloseMoved)
}
