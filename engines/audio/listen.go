package audio

import (
	"context"
	"errors"
	"fmt"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/audio/speech"
)

// listening is one sound being listened to.
type listening struct {
	e       *Engine
	item    *engines.Item
	facts   *engines.MediaFacts
	windows []speech.Window
	words   []word // those that may be gone by
	deaf    bool   // somebody spoke whom nobody here understands
}

// word is a word that may be gone by, of a window.
type word struct {
	engines.Spoken

	glued  bool
	window int
}

// hear has a window written down. It begins at fromMS and has voicedMS of voice in it;
// whole is set where it was cut at the longest that a recogniser takes.
func (l *listening) hear(ctx context.Context, pcm []float32, fromMS, voicedMS int64, partial bool) error {
	r := l.e.cfg.recogniser(l.item.Language, partial)
	if r == nil {
		l.deaf = true
		return nil
	}
	result, err := r.Recognise(ctx, pcm, speech.Options{Language: l.item.Language, Partial: partial})
	if err != nil {
		return fmt.Errorf("recognise speech: %w", err)
	}
	toMS := fromMS + int64(len(pcm))*1000/engines.SoundRate
	if result.Language != "" && l.facts.Heard == "" {
		l.facts.Heard = result.Language
	}
	trusted := l.e.cfg.Gate.Judge(&result, voicedMS) == ""
	if !trusted && result.Text != "" {
		l.facts.Unreliable = true
	}
	for _, w := range result.Words {
		s := engines.Spoken{Text: w.Text, FromMS: fromMS + w.AtMS, ToMS: min(toMS, fromMS+w.EndMS), Confidence: w.Prob}
		l.facts.Transcript = append(l.facts.Transcript, s)
		if trusted {
			l.words = append(l.words, word{s, w.Glued, len(l.windows)})
		}
	}
	l.windows = append(l.windows, speech.Window{FromMS: fromMS, ToMS: toMS, Whole: whole(&result, toMS-fromMS), Text: result.Text})
	return nil
}

// whole reports whether the words of a result fill its window from border to border.
func whole(r *speech.Result, ms int64) bool {
	const step = 40 // ms, twice what a recogniser's clock ticks in
	return len(r.Words) > 0 && r.Words[0].AtMS <= step && r.Words[len(r.Words)-1].EndMS >= ms-step
}

// settle takes back what turned out to be made up, has the rest judged and the media
// learn the facts.
func (l *listening) settle(ctx context.Context, out []engines.Signal) ([]engines.Signal, error) {
	kept := l.words[:0]
	same := speech.SameAgain(l.windows)
	for _, w := range l.words {
		if same[w.window] {
			l.facts.Unreliable = true
			continue
		}
		kept = append(kept, w)
	}
	l.item.Media.Learn(l.facts)
	for i := range l.facts.Anomalies {
		out = append(out, acoustic(&l.facts.Anomalies[i]))
	}
	var err error
	if l.deaf {
		err = ErrNoRecogniser
	}
	out, failed := l.e.judge(ctx, l.item, kept, l.facts.Heard, out)
	return out, errors.Join(err, failed)
}

// window looks at a window of a live call: the stream has found the voice already.
func (e *Engine) window(ctx context.Context, item *engines.Item, out []engines.Signal) ([]engines.Signal, error) {
	s := item.Media.Sound
	ms := int64(len(s.PCM)) * 1000 / engines.SoundRate
	l := listening{e: e, item: item, facts: &engines.MediaFacts{
		Format: "ogg_opus", DurationMS: ms, SampleRate: engines.SoundRate, Channels: 1, Anomalies: s.Anomalies,
	}}
	var err error
	if ms > 0 {
		l.facts.Speech = []engines.Stretch{{FromMS: s.OffsetMS, ToMS: s.OffsetMS + ms}}
		err = l.hear(ctx, s.PCM, s.OffsetMS, ms, s.Partial)
	}
	out, failed := l.settle(ctx, out)
	return out, errors.Join(err, failed)
}
