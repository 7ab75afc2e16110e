package voicelink

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/audio/speaker"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// take takes a window in, and holds its voice against those that are kept.
func (k *Keeper) take(ctx context.Context, w *window) error {
	matches := k.add(w, k.deps.Now().UnixMilli())
	k.m.taken.Inc()
	return k.tell(ctx, matches)
}

// tell has cases opened of matches. Of those that have none for want of the store the
// voices are held against all once more: who was heard enough may say nothing again.
func (k *Keeper) tell(ctx context.Context, matches []Match) error {
	ctx, cancel := context.WithTimeout(ctx, storeWithin)
	defer cancel()
	for i := range matches {
		m := &matches[i]
		if err := k.deps.Found(ctx, m); err != nil {
			k.again(matches[i:])
			return fmt.Errorf("open case: %w", err)
		}
		k.m.matches.Inc()
		k.mu.Lock()
		if len(k.told) >= toldPairs {
			clear(k.told)
		}
		k.told[[2]store.VoiceKey{m.Of, m.Like.VoiceKey}] = struct{}{}
		k.mu.Unlock()
	}
	return nil
}

// again has the voices of matches held against all once more.
func (k *Keeper) again(matches []Match) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for i := range matches {
		if p := k.kept[matches[i].Like.VoiceKey]; p != nil {
			p.met = false
		}
	}
}

// meet holds voices that were kept since it last ran against all that are remembered.
func (k *Keeper) meet() (matches []Match) {
	k.mu.Lock()
	defer k.mu.Unlock()
	var fresh []*held
	for _, p := range k.kept {
		if !p.met {
			p.met = true
			fresh = append(fresh, p)
		}
	}
	if fresh == nil {
		return nil
	}
	for of, s := range k.spoken {
		for i := range s.voices {
			if p := &s.voices[i]; p.Enough() {
				matches = append(matches, k.like(of, s, p, fresh)...)
			}
		}
	}
	return matches
}

// add adds a window to what its player said, and lists what that is like.
func (k *Keeper) add(w *window, now int64) []Match {
	k.mu.Lock()
	defer k.mu.Unlock()
	s := k.spoken[w.of]
	if s == nil {
		if len(k.spoken) >= remembered {
			k.makeRoom()
		}
		s = &spoken{first: now}
		k.spoken[w.of] = s
	}
	s.rule, s.last, s.ms = w.rule, now, s.ms+w.ms
	p := s.voice(&w.voice)
	if p == nil {
		return nil
	}
	p.Add(&w.voice, w.ms)
	if !p.Enough() {
		return nil
	}
	return k.like(w.of, s, p, k.of(w.of.App))
}

// joins is how alike a window is to a voice that was heard, of Same, that it is taken for
// another part of it: at one player's microphone the same voice is some seven times likelier
// than another, and what a short window is like moves with what is said.
const joins = 0.12

// voice is the one of a player's voices that a window is of; nil: there are too many.
func (s *spoken) voice(v *speaker.Voice) *speaker.Print {
	best, at := joins, -1
	for i := range s.voices {
		mean := s.voices[i].Mean()
		if p := speaker.Same(&mean, v); p >= best {
			best, at = p, i
		}
	}
	if at < 0 {
		if len(s.voices) == voicesOfOne {
			return nil
		}
		s.voices = append(s.voices, speaker.Print{})
		at = len(s.voices) - 1
	}
	return &s.voices[at]
}

// like lists those of the voices that one is like, are another player's of the app and have
// no case yet; mu is held.
func (k *Keeper) like(of store.VoiceKey, s *spoken, p *speaker.Print, voices []*held) (matches []Match) {
	threshold := cmp.Or(s.rule.Similarity, speaker.LinkedCosine)
	mean := p.Mean()
	for _, have := range voices {
		if have.App != of.App || have.Player == of.Player {
			continue
		}
		if _, ok := k.told[[2]store.VoiceKey{of, have.VoiceKey}]; ok {
			continue
		}
		other := speaker.Voice(have.Voice)
		if c := speaker.Cosine(&mean, &other); c > threshold {
			m := Match{Of: of, Like: have.VoicePrint, Similarity: c, Threshold: threshold, SpokenMS: p.SpokenMS, First: s.first, Last: s.last}
			m.Like.Voice = nil
			matches = append(matches, m)
		}
	}
	return matches
}

// of lists the newest voices that are kept of an app; mu is held.
func (k *Keeper) of(app engines.AppID) (list []*held) {
	for key, p := range k.kept {
		if key.App == app {
			list = append(list, p)
		}
	}
	if len(list) > known {
		slices.SortFunc(list, func(a, b *held) int { return cmp.Compare(b.Kept, a.Kept) })
		list = list[:known]
	}
	return list
}

// makeRoom forgets who was heard longest ago; mu is held.
func (k *Keeper) makeRoom() {
	var oldest store.VoiceKey
	at := int64(0)
	for key, s := range k.spoken {
		if at == 0 || s.last < at {
			oldest, at = key, s.last
		}
	}
	delete(k.spoken, oldest)
}
