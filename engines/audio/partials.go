package audio

import (
	"sync"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/audio/speech"
)

const (
	// longMS is the longest that a partial window is written down. What is before was
	// written down in windows before, and will be once more at the end of the stretch.
	longMS = 3000
	// shortMS is what is left of one that has grown too long. It is cut where a word
	// begins, so that what was written of it is written again.
	shortMS = 1800
	// streams is how many stretches of speech are remembered. Full-rule: any other is
	// forgotten, which makes its next window dearer and nothing else.
	streams = 4096
)

// stream is one player's voice.
type stream struct {
	app     engines.AppID
	player  engines.PlayerID
	scene   engines.SceneID
	session engines.SessionID
}

// told reports whether anybody said whose voice it is: a worker is told of nobody, and
// two voices must not be taken for one.
func (s *stream) told() bool { return s.player != "" || s.scene != "" || s.session != "" }

// before is what was written of a stretch until the end of its last partial window.
type before struct {
	by     speech.Recogniser
	fromMS int64 // from when on the last window was written down
	endMS  int64
	words  []speech.Word // of the whole stretch; AtMS from the start of the call
}

// since are the words that begin at a time or after, timed from there.
func (b *before) since(ms int64) (words []speech.Word) {
	for _, w := range b.words {
		if w.AtMS >= ms {
			w.AtMS, w.EndMS = w.AtMS-ms, w.EndMS-ms
			words = append(words, w)
		}
	}
	return words
}

// partials remembers what was written of stretches of speech that go on. It is safe for
// concurrent use.
type partials struct {
	mu  sync.Mutex
	all map[stream]before
}

// earlier are the words of a stretch before the window that was written last. Who speaks
// without a pause is cut into windows of some seconds: what is older than that is not
// asked for any more.
func earlier(had before, now *before) (words []speech.Word) {
	const kept = 8000
	if had.by != now.by || had.endMS < now.fromMS {
		return nil
	}
	for _, w := range had.words {
		if w.AtMS < now.fromMS && w.AtMS > now.endMS-kept {
			words = append(words, w)
		}
	}
	return words
}

// start says from when on a window is written down, and what is expected there.
func (p *partials) start(s stream, by speech.Recogniser, fromMS, toMS int64) (start int64, words []speech.Word) {
	if !s.told() {
		return max(fromMS, toMS-longMS), nil
	}
	p.mu.Lock()
	b, ok := p.all[s]
	p.mu.Unlock()
	if !ok || b.by != by || b.endMS < fromMS || b.fromMS > toMS || toMS < b.endMS {
		return max(fromMS, toMS-longMS), nil
	}
	start = max(fromMS, b.fromMS)
	if toMS-start > longMS {
		start = cutAt(b.words, toMS-shortMS)
		start = max(fromMS, toMS-longMS, start)
	}
	return start, b.since(start)
}

// whole is what was written of a stretch that is written down once more, as a recogniser
// may expect it to come out again.
func (p *partials) whole(s stream, by speech.Recogniser, fromMS, toMS int64) []speech.Word {
	if !s.told() {
		return nil
	}
	p.mu.Lock()
	b, ok := p.all[s]
	p.mu.Unlock()
	if !ok || b.endMS < fromMS || b.fromMS > toMS {
		return nil
	}
	words := b.since(fromMS)
	if b.by != by { // its tokens are not the other's
		for i := range words {
			words[i].Own = nil
		}
	}
	return words
}

// cutAt is somewhat before the last word that begins before a time, or that time. The
// times of words are those of the attention, which comes a little late.
func cutAt(words []speech.Word, ms int64) int64 {
	const late = 200
	at := ms
	for i := range words {
		if words[i].AtMS > ms {
			break
		}
		at = words[i].AtMS - late
	}
	return at
}

// keep remembers what was written of a window, behind what stood before it; the end of a
// stretch is forgotten.
func (p *partials) keep(s stream, b before, goesOn bool) {
	if !s.told() {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if !goesOn {
		delete(p.all, s)
		return
	}
	if _, ok := p.all[s]; !ok && len(p.all) >= streams {
		for other := range p.all {
			delete(p.all, other)
			break
		}
	}
	if p.all == nil {
		p.all = map[stream]before{}
	}
	b.words = append(earlier(p.all[s], &b), b.words...)
	p.all[s] = b
}
