package voice

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/streams/voice/caller"
)

// A loud call is flagged once, its player told, and the clip kept with its end.
func TestLoudCall(t *testing.T) {
	d := &desk{find: func(it *engines.Item) (out []engines.Signal) {
		for _, a := range it.Media.Sound.Anomalies {
			out = append(out, engines.Signal{Category: engines.Acoustic, SubLabel: a.Kind, Severity: 1, Confidence: a.Confidence, Place: &engines.Place{AtMS: a.FromMS, EndMS: a.ToMS}})
		}
		return out
	}}
	told, kept := &ears{}, &shelf{}
	h := start(t, Default(), Deps{Desk: d, Sessions: told, Evidence: kept})
	c := dial(t, h, speaker("ann"))
	if err := c.Speak(t.Context(), read(t, "tone.opus"), nil); err != nil {
		t.Fatal(err)
	}
	eventually(t, "a push", func() bool { return len(told.all()) > 0 })
	if got := told.all()[0]; !strings.HasPrefix(got, `{"type":"voice.verdict","scene_id":"lobby","at_ms":`) || !strings.Contains(got, `"categories":["acoustic"]`) {
		t.Errorf("pushed %s", got)
	}
	if err := h.Close("s-ann"); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the clip", func() bool { kept.mu.Lock(); defer kept.mu.Unlock(); return len(kept.clips) == 1 })
	eventually(t, "the end of the call", func() bool { return h.Calls() == 0 })
	items := d.seen()
	if len(items) != 1 {
		t.Fatalf("%d windows, want 1", len(items))
	}
	it := items[0]
	if it.Kind != engines.KindAudio || !it.Live || it.Player != "ann" || it.Scene != "lobby" || it.Media.Use != engines.UseVoice || len(it.Media.Sound.PCM) == 0 || it.Media.Sound.ClipMS != 0 {
		t.Errorf("item %+v", it)
	}
	clip, err := caller.ReadOgg(kept.clips[0])
	if err != nil {
		t.Fatal(err)
	}
	sent := read(t, "tone.opus")
	missed := slices.IndexFunc(sent, func(p caller.Packet) bool { return bytes.Equal(p.Data, clip[0].Data) })
	if missed < 0 || missed > len(sent)/2 { // the first may have come before anybody listened
		t.Fatalf("the clip begins with packet %d", missed)
	}
	for i, p := range clip {
		if !bytes.Equal(p.Data, sent[missed+i].Data) {
			t.Fatalf("packet %d of the clip is another one", i)
		}
	}
	if len(clip) < len(sent)*3/4-missed { // the last may not have come before its end
		t.Errorf("the clip has %d packets of %d", len(clip), len(sent))
	}
}

// Speech becomes windows: partial ones while it goes on, and a last one.
func TestSpeechWindows(t *testing.T) {
	d := &desk{}
	h := start(t, Default(), Deps{Desk: d, Speech: func(told func(Edge)) Speech { return &energy{told: told} }})
	c := dial(t, h, speaker("bob"))
	if err := c.Speak(t.Context(), read(t, "speech.opus")[:200], nil); err != nil {
		t.Fatal(err)
	}
	eventually(t, "a last window", func() bool {
		for _, it := range d.seen() {
			if !it.Media.Sound.Partial {
				return true
			}
		}
		return false
	})
	var partial int
	for _, it := range d.seen() {
		s := it.Media.Sound
		if s.Partial {
			partial++
		}
		if got := len(s.PCM); got > engines.SoundRate*8 {
			t.Errorf("a window of %d samples", got)
		}
		packets, err := caller.ReadOgg(it.Media.Bytes)
		if err != nil {
			t.Fatal(err)
		}
		total := -caller.Skip(it.Media.Bytes)
		for _, p := range packets {
			total += p.Samples
		}
		if want := len(s.PCM) * 3; total < want-1920 || total > want+3840 {
			t.Errorf("the file of a window has %d samples, want %d", total, want)
		}
	}
	if partial == 0 {
		t.Error("no partial window")
	}
}
