package storetest

import (
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// testMedia: what is known of a picture or a sound is kept as long as its content, and a check
// that waits keeps its file.
func testMedia(t *testing.T, p Place) {
	t.Helper()
	s, ctx := p.Open(t), t.Context()
	facts := engines.MediaFacts{
		Format: "gif", Width: 64, Height: 48, Frames: 3, DurationMS: 900, Trailing: 2, SHA256: [32]byte{1}, PDQ: [32]byte{2}, PDQQuality: 80,
		Text:  []engines.TextLine{{Text: "né\x00", Confidence: 0.5, Place: engines.Place{Box: [4]int{1, 2, 3, 4}, AtMS: 300, EndMS: 600}}},
		Codes: []engines.Code{{Kind: "qr", Content: "https://x.example", Place: engines.Place{Box: [4]int{5, 6, 7, 8}}}},
	}
	place := engines.Place{Box: [4]int{9, 9, 1, 1}, AtMS: 300, EndMS: 600}
	d := decision("r1")
	d.Kind, d.Media, d.Circumstances.Use = engines.KindImage, &facts, engines.UseSkin
	d.Signals[0].Place = &place
	d.Verdict.Observed.Labels = []engines.Label{{Category: engines.Gore, Severity: 1, Confidence: 0.5, Source: engines.SourceModel, Place: &place}}
	must(t, s.PutDecision(ctx, d, nil, nil))
	got, err := s.Decision(ctx, "game", "r1")
	must(t, err)
	same(t, "facts", got.Media, &facts)
	same(t, "use", got.Circumstances.Use, engines.UseSkin)
	same(t, "place of a signal", got.Signals[0].Place, &place)
	same(t, "place of a label", got.Verdict.Observed.Labels[0].Place, &place)
	sound := engines.MediaFacts{
		Format: "mp3", DurationMS: 9000, SHA256: [32]byte{3}, SampleRate: 44100, Channels: 2, Heard: "ja", Unreliable: true, Peaks: []byte{0, 128, 255}, ClipMS: 60_000,
		Speech:     []engines.Stretch{{FromMS: 100, ToMS: 900, Speaker: 2}, {FromMS: 2000, ToMS: 2400}},
		Transcript: []engines.Spoken{{Text: "né\x00", FromMS: 120, ToMS: 300, Confidence: 0.75, Doubted: true, Glued: true, Listed: true}},
		Anomalies:  []engines.Anomaly{{Kind: "loud", FromMS: 5, ToMS: 6, Measure: "lufs_m", Value: -8.5, Threshold: -10, Confidence: 0.9}},
	}
	heard := decision("r3")
	heard.Kind, heard.Media, heard.Circumstances.Use = engines.KindAudio, &sound, engines.UseClip
	must(t, s.PutDecision(ctx, heard, nil, nil))
	got, err = s.Decision(ctx, "game", "r3")
	must(t, err)
	same(t, "facts of a sound", got.Media, &sound)
	silent := decision("r2")
	silent.Kind, silent.Content, silent.Media = engines.KindImage, "", &facts // nothing to read, and yet it goes
	must(t, s.PutDecision(ctx, silent, nil, nil))
	n, err := s.SweepDecisionContent(ctx, now().Add(time.Hour))
	must(t, err)
	same(t, "scrubbed", n, 3)
	for _, id := range []engines.RequestID{"r1", "r2", "r3"} {
		got, err = s.Decision(ctx, "game", id)
		must(t, err)
		if got.Media != nil || got.Content != "" {
			t.Errorf("%s: %+v", id, got.Media)
		}
	}

	const sum = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
	media := &store.PendingMedia{Use: engines.UseAvatar, Type: "image/png", SHA256: sum}
	for _, id := range []engines.RequestID{"w1", "w2"} {
		must(t, s.PutPending(ctx, store.Pending{App: "game", Request: id, Item: engines.Item{Kind: engines.KindImage}, Media: media, Created: now(), Until: now()}))
	}
	waits, err := s.ClaimPendings(ctx, "me", now().Add(time.Minute), now().Add(time.Hour), 10)
	must(t, err)
	if len(waits) != 2 {
		t.Fatalf("%+v", waits)
	}
	same(t, "media of a check that waits", waits[0].Media, media)
	var removed []string
	free := func() {
		t.Helper()
		removed = nil
		must(t, s.FreeBlobs(ctx, func(sum string) error { removed = append(removed, sum); return nil }))
	}
	must(t, s.FinishPending(ctx, decision("w1"), nil))
	free()
	same(t, "while another check needs the file", removed, nil)
	last := decision("w2")
	e := exhibit("w2", "p1", now())
	e.SHA256, e.Blob, e.Content = sum, true, nil
	e.Hold = &store.Hold{By: "system", Reason: "known", Since: e.Created}
	last.Evidence = &e
	must(t, s.FinishPending(ctx, last, nil))
	free()
	same(t, "while evidence needs it", removed, nil)
	kept, err := s.Evidence(ctx, e.ID)
	must(t, err)
	same(t, "held from the first moment", kept.Hold, e.Hold)
	_, err = s.ReleaseEvidence(ctx, e.ID, "ana", "done")
	must(t, err)
	_, err = s.SweepEvidence(ctx, now().Add(1000*time.Hour))
	must(t, err)
	free()
	same(t, "at the end", removed, []string{sum})
	free()
	same(t, "once", removed, nil)
}
