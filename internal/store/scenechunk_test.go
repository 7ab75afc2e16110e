package store

import (
	"bytes"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/portcullis-gg/portcullis/engines"
)

func TestSceneChunk(t *testing.T) {
	at := time.UnixMilli(1790000000123).UTC()
	say := func(id engines.RequestID, session engines.SessionID, player engines.PlayerID, content, state string) SceneMessage {
		return SceneMessage{App: "game", Scene: "s", Message: id, Session: session, Player: player, Content: content, Language: "en", State: state, Sent: at}
	}
	const uuid = "01a0c5d3-3a7b-7fff-8000-0123456789ab"
	want := []SceneMessage{
		say(uuid, uuid, "ann", "hello", "delivered"),
		say("m1", "", "Víctor \"100%_\\ <o'>\x00", "", "erased"),
		say("01A0C5D3-3A7B-7FFF-8000-0123456789AB", "01a0c5d3x3a7b-7fff-8000-0123456789ab", "", "\xff\xfe", ""),
		say("01a0c5d3-3a7b-7fff-8000-0123456789ag", "s", "bob", string(bytes.Repeat([]byte("é"), 3000)), "delivered"),
	}
	c := SceneChunk{App: "game", Scene: "s"}
	for i := range want {
		c.Add(&want[i])
	}
	got, err := c.Read()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("read (-want +got):\n%s", diff)
	}
	if c.Messages != 4 || c.First != want[2].Message || c.Last != "m1" {
		t.Errorf("%d messages from %s to %s", c.Messages, c.First, c.Last)
	}
	for n := 1; n < len(c.Body); n++ { // cut off anywhere: an error or fewer messages, never a panic
		short := c
		short.Body = c.Body[:n]
		if got, err := short.Read(); err == nil && len(got) >= len(want) {
			t.Fatalf("%d of %d bytes read as all", n, len(c.Body))
		}
	}
}

func TestSceneChunkTakes(t *testing.T) {
	const first, near, far, before = "01a0c5d3-0000-7000-8000-000000000000", "01a0c5d3-8000-7000-8000-000000000000",
		"01a0c5e3-0000-7000-8000-000000000000", "01a0c5c3-0000-7000-8000-000000000000"
	c := SceneChunk{App: "game", Scene: "s"}
	for _, id := range []engines.RequestID{first, "m1"} {
		if !c.Takes(id) {
			t.Errorf("an empty one does not take %s", id)
		}
	}
	c.Add(&SceneMessage{Message: first})
	for id, want := range map[engines.RequestID]bool{first: true, near: true, far: false, before: false, "m1": false} {
		if got := c.Takes(id); got != want {
			t.Errorf("Takes(%s) = %v, want %v", id, got, want)
		}
	}
	plain := SceneChunk{}
	plain.Add(&SceneMessage{Message: "m1"})
	if !plain.Takes("m2") || plain.Takes(first) {
		t.Error("ids that are no times go with others of their kind, and with no others")
	}
}

func TestMessageTime(t *testing.T) {
	want := time.UnixMilli(0x01a0c5d33a7b).UTC()
	if got, ok := MessageTime("01a0c5d3-3a7b-7fff-8000-0123456789ab"); !ok || !got.Equal(want) {
		t.Errorf("MessageTime = %v, %v, want %v", got, ok, want)
	}
	for _, id := range []engines.RequestID{"", "m1", "01a0c5d3-3a7b-4fff-8000-0123456789ab", "01A0C5D3-3A7B-7FFF-8000-0123456789AB"} {
		if got, ok := MessageTime(id); ok {
			t.Errorf("MessageTime(%q) = %v", id, got)
		}
	}
}

func BenchmarkSceneChunkAdd(b *testing.B) {
	m := SceneMessage{
		Message: "01a0c5d3-3a7b-7fff-8000-0123456789ab", Session: "01a0c5d3-3a7b-7fff-8000-0123456789ab", Player: "player-12345",
		Content: "see you at the gate, bring the others", Language: "en", State: "delivered", Sent: time.UnixMilli(1790000000123),
	}
	b.ReportAllocs()
	var c SceneChunk
	for b.Loop() {
		if c.Messages == 32 {
			c = SceneChunk{}
		}
		c.Add(&m)
	}
}
