package voicelink

import (
	"context"
	"sync"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/audio/speaker"
	"github.com/portcullis-gg/portcullis/internal/store"
)

const (
	// waiting is how many windows may wait to be taken in. Full-rule: the newest is left
	// out; the next of its player comes.
	waiting = 256
	// remembered is how many players' voices are remembered, at 1 KB a voice. Full-rule:
	// who was heard longest ago is forgotten.
	remembered = 4096
	// voicesOfOne is how many voices of one player are told apart: who shares a
	// microphone. Full-rule: others are left out.
	voicesOfOne = 4
	// plenty is how much of a player is heard where nothing is found: more changes little.
	plenty = 60_000
	// known is how many voices that are kept are held against one. Full-rule: the newest
	// count.
	known = 512
	// toldPairs is how many pairs that have their case are remembered. Full-rule: all are
	// forgotten, and the store knows that they have one.
	toldPairs = 65_536

	sweepEvery  = time.Second      // who may not speak any more
	followEvery = 5 * time.Second  // what other gateways keep
	endEvery    = 30 * time.Second // what is not to be kept any more, see settled
	// settled is how old a voice is before it is asked whether it is still to be kept: by
	// then every gateway knows of the decision.
	settled = time.Minute
	// standsEvery is after how long it is asked whether the decision still stands on which
	// a voice is kept, whatever memory says: a penalty of which nobody decided may have
	// taken its place.
	standsEvery = 10 * time.Minute
	// standsAtOnce is of how many voices that is asked at a time. Full-rule: those that
	// were asked about longest ago come first, the others 30 s later.
	standsAtOnce = 256
	// askAgain is after how long it is asked again who decided: a person may have since.
	askAgain = 15 * time.Second
	// storeWithin bounds what is asked of the store at a time.
	storeWithin = 5 * time.Second
)

// window is what was heard of a voice.
type window struct {
	of    store.VoiceKey
	rule  engines.VoiceLink
	voice speaker.Voice
	ms    int64
}

// spoken is what is remembered of a player.
type spoken struct {
	voices      []speaker.Print
	rule        engines.VoiceLink
	first, last int64 // epoch ms
	ms          int64
	asked       int64 // when it was asked who decided about it
}

// held is a voice that is kept.
type held struct {
	store.VoicePrint

	met   bool  // it was held against those who had spoken before
	asked int64 // when it was asked whether the decision stands
}

// Keeper keeps voices. Its methods are safe for concurrent use; Serve runs once.
type Keeper struct {
	deps  Deps
	heard chan window
	m     metrics

	mu     sync.Mutex
	spoken map[store.VoiceKey]*spoken
	kept   map[store.VoiceKey]*held
	told   map[[2]store.VoiceKey]struct{} // of whom a case was opened

	// storing is held while a voice is on its way to the store, or from there: who forgets
	// waits.
	storing sync.Mutex
}

// New makes a keeper; Serve has it look.
func New(deps Deps) *Keeper {
	if deps.Now == nil {
		deps.Now = time.Now
	}
	return &Keeper{
		deps: deps, heard: make(chan window, waiting), m: newMetrics(deps.Registry), spoken: map[store.VoiceKey]*spoken{},
		kept: map[store.VoiceKey]*held{}, told: map[[2]store.VoiceKey]struct{}{},
	}
}

func keyOf(item *engines.Item) store.VoiceKey {
	return store.VoiceKey{App: item.App, Player: item.Player}
}

// Wants is that of audio.VoiceKeeper.
func (k *Keeper) Wants(item *engines.Item) bool {
	if item.VoiceLink == nil || item.Player == "" {
		return false
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	s := k.spoken[keyOf(item)]
	return s == nil || s.ms < plenty
}

// Heard is that of audio.VoiceKeeper.
func (k *Keeper) Heard(item *engines.Item, voice []float32, ms int64) {
	if item.VoiceLink == nil || item.Player == "" || !speaker.Valid(voice) {
		return
	}
	select {
	case k.heard <- window{keyOf(item), *item.VoiceLink, speaker.Voice(voice), ms}:
	default:
		k.m.leftOut.Inc()
	}
}

// Forget forgets what this gateway holds of a player; what is stored is the store's.
func (k *Keeper) Forget(app engines.AppID, player engines.PlayerID) {
	key := store.VoiceKey{App: app, Player: player}
	k.storing.Lock() // what was on its way is there by then, to be erased
	defer k.storing.Unlock()
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.spoken, key)
	delete(k.kept, key)
	for pair := range k.told {
		if pair[0] == key || pair[1] == key {
			delete(k.told, pair)
		}
	}
}

// Serve takes in what was heard, keeps voices and lets them go, until ctx ends.
func (k *Keeper) Serve(ctx context.Context) {
	sweep, follow, end := time.NewTicker(sweepEvery), time.NewTicker(followEvery), time.NewTicker(endEvery)
	defer sweep.Stop()
	defer follow.Stop()
	defer end.Stop()
	k.missed(ctx, k.follow(ctx))
	for {
		var err error
		select {
		case <-ctx.Done():
			return
		case w := <-k.heard:
			err = k.take(ctx, &w)
		case <-sweep.C:
			err = k.sweep(ctx)
		case <-follow.C:
			err = k.follow(ctx)
		case <-end.C:
			err = k.end(ctx)
		}
		k.missed(ctx, err)
	}
}

// missed says what will be tried again.
func (k *Keeper) missed(ctx context.Context, err error) {
	if err != nil && ctx.Err() == nil {
		k.deps.Log.WarnContext(ctx, "voices of banned players: tried again later", "err", err)
	}
}
