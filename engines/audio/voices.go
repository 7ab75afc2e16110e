package audio

import (
	"sync"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/audio/speaker"
)

const (
	// numbered is how many calls whose voices are told apart are remembered, at some
	// 16 KB each. Full-rule: the one that was heard longest ago goes, and its voices are
	// numbered anew.
	numbered = 1024
	// forgotten is how long nothing was heard of a call whose voices are forgotten: they
	// are kept in memory alone, and for what goes on.
	forgotten = 10 * time.Minute
)

// VoiceKeeper remembers of the voices of calls what a policy allows (engines.VoiceLink).
// No method waits.
type VoiceKeeper interface {
	// Wants reports whether the voice of a window is needed, where nothing was found in it.
	Wants(item *engines.Item) bool
	// Heard is given the voice of a stretch of speech that is over, of length 1, and how
	// much of it was looked at. It must not change voice.
	Heard(item *engines.Item, voice []float32, ms int64)
}

// voices tells the voices of each call apart. It is safe for concurrent use.
type voices struct {
	now    func() time.Time
	keeper VoiceKeeper // nil keeps none

	mu  sync.Mutex
	all map[stream]*ofCall
}

type ofCall struct {
	speaker.Voices
	heard time.Time
	told  time.Time // when a voice was told last
	last  int       // that voice
	rest  time.Duration
}

// A voice of a call in which nothing was found is told apart each tellEvery, so that those
// who were there are known once something is; while it is the same one each time, half as
// often again and again, down to tellAtLeast. It takes longer than all else that a window
// without words does.
const (
	tellEvery   = 30 * time.Second
	tellAtLeast = 2 * time.Minute
)

// number puts numbers in the place of what the network made of voices, which is personal
// data and goes no further, but to who may keep it. A file has its own voices; the windows
// of a call share them. Voices that are not told yet are where something was found, or it is time for it.
func (v *voices) number(item *engines.Item, facts *engines.MediaFacts, found bool) (*engines.MediaFacts, error) {
	s := stream{item.App, item.Player, item.Scene, item.Session}
	told := *facts
	told.Speech = append([]engines.Stretch(nil), facts.Speech...)
	var err error
	if len(told.Speech) == 1 && (found || v.wanted(item) || v.due(s)) {
		var left []float32
		if left, err = item.Media.Voice(); left != nil {
			told.Speech[0].Voice = left
		}
	}
	item.Media.Leave(nil) // which holds the sound
	if !hasVoices(&told) {
		return &told, err
	}
	of := &ofCall{}
	if item.Media.Sound != nil && s.told() {
		v.mu.Lock()
		defer v.mu.Unlock()
		of = v.of(s)
	}
	for i := range told.Speech {
		p := &told.Speech[i]
		if len(p.Voice) == len(speaker.Voice{}) {
			w := speaker.Voice(p.Voice)
			p.Speaker = of.Number(&w)
			of.came(p.Speaker)
			v.keep(item, p)
		}
		p.Voice = nil
	}
	return &told, err
}

// wanted reports whether somebody may keep the voice of a window, and wants it.
func (v *voices) wanted(item *engines.Item) bool {
	return v.keeper != nil && item.VoiceLink != nil && item.Media.Sound != nil && !item.Media.Sound.Partial && v.keeper.Wants(item)
}

// keep hands on the voice of speech that is over, where the policy allows it: speech that
// goes on comes again.
func (v *voices) keep(item *engines.Item, p *engines.Stretch) {
	if v.keeper == nil || item.VoiceLink == nil || item.Media.Sound == nil || item.Media.Sound.Partial {
		return
	}
	const most = mostVoice * 1000 / engines.SoundRate
	v.keeper.Heard(item, p.Voice, min(p.ToMS-p.FromMS, most))
}

// due reports whether it is time for a voice of a call to be told.
func (v *voices) due(s stream) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	c := v.all[s]
	return c == nil || v.now().Sub(c.told) >= c.rest
}

// came takes note of the voice that was told now.
func (c *ofCall) came(voice int) {
	if voice == c.last && c.rest > 0 {
		c.rest = min(2*c.rest, tellAtLeast)
	} else {
		c.last, c.rest = voice, tellEvery
	}
}

func hasVoices(facts *engines.MediaFacts) bool {
	for i := range facts.Speech {
		if len(facts.Speech[i].Voice) > 0 {
			return true
		}
	}
	return false
}

// of is the voices of a call; mu is held.
func (v *voices) of(s stream) *ofCall {
	now := v.now()
	c := v.all[s]
	if c == nil || now.Sub(c.heard) > forgotten {
		if c == nil && len(v.all) >= numbered {
			v.makeRoom(now)
		}
		c = &ofCall{}
		v.all[s] = c
	}
	c.heard, c.told = now, now
	return c
}

// makeRoom forgets what is past its time, or else the call that was heard longest ago.
func (v *voices) makeRoom(now time.Time) {
	var oldest stream
	at := now
	for s, c := range v.all {
		if now.Sub(c.heard) > forgotten {
			delete(v.all, s)
			continue
		}
		if !c.heard.After(at) {
			oldest, at = s, c.heard
		}
	}
	if len(v.all) >= numbered {
		delete(v.all, oldest)
	}
}
