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

// word is a word that may be gone by, and where it stands in the transcript.
type word struct{ window, at int }

// hear has a stretch of speech written down that begins at fromMS and has voicedMS of
// voice in it.
func (l *listening) hear(ctx context.Context, pcm []float32, fromMS, voicedMS int64) error {
	r := l.e.cfg.recogniser(l.item.Language, false)
	if r == nil {
		l.deaf = !l.e.cfg.Wordless
		return nil
	}
	var before []speech.Word
	if l.item.Media.Sound != nil {
		before = l.e.partials.whole(l.stream(), r, fromMS, fromMS+int64(len(pcm))*1000/engines.SoundRate)
	}
	_, err := l.write(ctx, r, pcm, fromMS, voicedMS, speech.Options{Language: l.item.Language, Before: before, Guess: l.e.guesses.of(l.item)})
	return err
}

func (l *listening) stream() stream {
	return stream{l.item.App, l.item.Player, l.item.Scene, l.item.Session}
}

// leastVoiceMS is how much voice it takes to say whose it is: in less, what is said says
// more than who says it.
const leastVoiceMS = 1600

// mostVoice is how much of a window of a call tells whose voice it is, in samples: 3 s, by
// which voices were told apart when that was measured. More takes as much longer.
const mostVoice = 3 * engines.SoundRate

// embed has the voice of a stretch told from others, where there is enough of it.
func (l *listening) embed(s *engines.Stretch, pcm []float32, voicedMS int64) (err error) {
	s.Voice, err = l.embedded(pcm, voicedMS)
	return err
}

func (l *listening) embedded(pcm []float32, voicedMS int64) ([]float32, error) {
	if l.e.cfg.Embed == nil || voicedMS < leastVoiceMS {
		return nil, nil
	}
	v, err := l.e.cfg.Embed(pcm)
	if err != nil {
		return nil, fmt.Errorf("tell voices apart: %w", err)
	}
	return v, nil
}

// hearAll has a whole stretch of a call written down, in pieces as long as a recogniser
// takes.
func (l *listening) hearAll(ctx context.Context, pcm []float32, fromMS int64) error {
	const longest = longestMS * engines.SoundRate / 1000
	for len(pcm) > 0 {
		n := len(pcm)
		if n > longest {
			n = min(n/2, longest) // no piece is a word's remainder
		}
		ms := int64(n) * 1000 / engines.SoundRate
		if err := l.hear(ctx, pcm[:n], fromMS, ms); err != nil {
			return err
		}
		pcm, fromMS = pcm[n:], fromMS+ms
	}
	return nil
}

// hearPartial has the end of a stretch written down that goes on.
func (l *listening) hearPartial(ctx context.Context, pcm []float32, fromMS int64) error {
	r := l.e.cfg.recogniser(l.item.Language, true)
	if r == nil {
		l.deaf = !l.e.cfg.Wordless
		return nil
	}
	s := l.stream()
	toMS := fromMS + int64(len(pcm))*1000/engines.SoundRate
	start, expected := l.e.partials.start(s, r, fromMS, toMS)
	pcm = pcm[min(int64(len(pcm)), (start-fromMS)*engines.SoundRate/1000):]
	result, err := l.write(ctx, r, pcm, start, toMS-start, speech.Options{Language: l.item.Language, Partial: true, Before: expected, Guess: l.e.guesses.of(l.item)})
	if err != nil {
		return err
	}
	for i := range result.Words {
		result.Words[i].AtMS += start
		result.Words[i].EndMS += start
	}
	l.e.partials.keep(s, before{by: r, fromMS: start, endMS: toMS, words: result.Words}, true)
	return nil
}

// write has a window written down and adds its words.
func (l *listening) write(ctx context.Context, r speech.Recogniser, pcm []float32, fromMS, voicedMS int64, o speech.Options) (speech.Result, error) {
	result, err := r.Recognise(ctx, pcm, o)
	if err != nil {
		return result, fmt.Errorf("recognise speech: %w", err)
	}
	toMS := fromMS + int64(len(pcm))*1000/engines.SoundRate
	if result.Language != "" && l.facts.Heard == "" {
		l.facts.Heard = result.Language
	}
	reason := l.e.cfg.Gate.Judge(&result, voicedMS)
	for i := range result.Words {
		w := &result.Words[i]
		trusted := reason == "" || l.e.cfg.Gate.Bears(&result, w, reason)
		l.facts.Unreliable = l.facts.Unreliable || !trusted
		if trusted {
			l.words = append(l.words, word{len(l.windows), len(l.facts.Transcript)})
		}
		confidence := w.Prob
		if trusted && w.Listed {
			confidence = max(confidence, enough)
		}
		l.facts.Transcript = append(l.facts.Transcript, engines.Spoken{
			Text: w.Text, FromMS: fromMS + w.AtMS, ToMS: min(toMS, fromMS+w.EndMS), Confidence: confidence, Glued: w.Glued, Doubted: !trusted, Listed: trusted && w.Listed,
		})
	}
	l.windows = append(l.windows, speech.Window{FromMS: fromMS, ToMS: toMS, Whole: whole(&result, toMS-fromMS), Text: result.Text})
	return result, nil
}

// whole reports whether the words of a result fill its window from border to border.
func whole(r *speech.Result, ms int64) bool {
	const step = 40 // ms, twice what a recogniser's clock ticks in
	return len(r.Words) > 0 && r.Words[0].AtMS <= step && r.Words[len(r.Words)-1].EndMS >= ms-step
}

// settle takes back what turned out to be made up, has the media learn the facts, and
// the rest judged.
func (l *listening) settle(ctx context.Context, out []engines.Signal) ([]engines.Signal, error) {
	same := speech.SameAgain(l.windows)
	for _, w := range l.words {
		if same[w.window] {
			l.facts.Unreliable, l.facts.Transcript[w.at].Doubted = true, true
		}
	}
	l.item.Media.Learn(l.facts)
	for i := range l.facts.Anomalies {
		out = append(out, acoustic(&l.facts.Anomalies[i]))
	}
	var err error
	if l.deaf {
		err = ErrNoRecogniser
	}
	if l.e.cfg.Text == nil {
		return out, err
	}
	out, failed := judge(ctx, l.e.cfg.Text, l.item, l.facts, out)
	return out, errors.Join(err, failed)
}

// window looks at a window of a live call: the stream has found the voice already.
func (e *Engine) window(ctx context.Context, item *engines.Item, out []engines.Signal) ([]engines.Signal, error) {
	s := item.Media.Sound
	if s.PCM == nil { // on another machine than its stream
		pcm, err := e.decoded(ctx, item.Media)
		if err != nil {
			return out, err
		}
		s = &engines.Sound{PCM: pcm, OffsetMS: s.OffsetMS, Partial: s.Partial, Paused: s.Paused, Anomalies: s.Anomalies}
	}
	ms := int64(len(s.PCM)) * 1000 / engines.SoundRate
	l := listening{e: e, item: item, facts: &engines.MediaFacts{
		Format: "ogg_opus", DurationMS: ms, SampleRate: engines.SoundRate, Channels: 1, Anomalies: s.Anomalies,
		ClipMS: item.Media.Sound.ClipMS,
	}}
	var err error
	if ms > 0 {
		l.facts.Speech = []engines.Stretch{{FromMS: s.OffsetMS, ToMS: s.OffsetMS + ms}}
		if s.Partial {
			err = l.hearPartial(ctx, s.PCM, s.OffsetMS)
		} else {
			if said := &l.facts.Speech[0]; item.Media.Sound.PCM == nil { // who numbers voices is elsewhere, without the sound
				err = l.embed(said, s.PCM, ms)
			} else {
				item.Media.Leave(func() ([]float32, error) { return l.embedded(s.PCM[:min(len(s.PCM), mostVoice)], ms) })
			}
			err = errors.Join(err, l.hearAll(ctx, s.PCM, s.OffsetMS))
			e.partials.keep(l.stream(), before{}, false)
		}
	}
	out, failed := l.settle(ctx, out)
	return out, errors.Join(err, failed)
}

// decoded is the sound of a window.
func (e *Engine) decoded(ctx context.Context, m *engines.Media) ([]float32, error) {
	f, err := e.cfg.Open(m.Bytes, m.Type)
	if err != nil {
		return nil, err //nolint:wrapcheck // a Refusal is what the caller looks for
	}
	pcm := make([]float32, 0, (f.DurationMS+100)*engines.SoundRate/1000)
	err = f.Unpack(ctx, func(block []float32) error { pcm = append(pcm, block...); return nil })
	return pcm, err //nolint:wrapcheck // as above
}
