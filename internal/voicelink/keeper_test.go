package voicelink_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/voicelink"
)

// fake is the store, who may not speak, the policy, and what was found.
type fake struct {
	mu     sync.Mutex
	prints map[store.VoiceKey]store.VoicePrint
	why    []string
	barred map[store.VoiceKey]bool // true: a person decided it
	unsure map[store.VoiceKey]bool // memory does not know of it
	off    bool
	away   bool
	found  []string
}

var errAway = errors.New("the store is away")

func (f *fake) PutVoicePrint(_ context.Context, p store.VoicePrint) (bool, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, ok := f.prints[p.VoiceKey]; ok || f.away {
		return false, map[bool]error{true: errAway}[f.away]
	}
	p.Voice = slices.Clone(p.Voice)
	f.prints[p.VoiceKey] = p
	return true, nil
}

func (f *fake) DropVoicePrint(_ context.Context, k store.VoiceKey, why string) (bool, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.prints, k)
	f.why = append(f.why, string(k.Player)+": "+why)
	return true, nil
}

func (f *fake) VoicesKept(context.Context) (map[store.VoiceKey]int64, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	all := map[store.VoiceKey]int64{}
	for k, p := range f.prints {
		all[k] = p.Kept
	}
	return all, nil
}

func (f *fake) VoicePrint(_ context.Context, k store.VoiceKey) (store.VoicePrint, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	p, ok := f.prints[k]
	if !ok {
		return p, store.ErrNotFound
	}
	return p, nil
}

func (f *fake) Barred(k store.VoiceKey) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	_, ok := f.barred[k]
	return ok && !f.unsure[k]
}

func (f *fake) Decided(_ context.Context, k store.VoiceKey) (string, int64, bool, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return "ban of " + string(k.Player), 7, f.barred[k], nil
}

func (f *fake) do(change func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change()
}

func (f *fake) kept() (list []string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for k, p := range f.prints {
		list = append(list, fmt.Sprintf("%s/%s %s %d ms, %s", k.App, k.Player, p.Ref, p.SpokenMS, time.Duration(p.Until-p.Kept)*time.Millisecond))
	}
	slices.Sort(list)
	return list
}

// gateway is a keeper that serves until the test ends.
func gateway(t *testing.T, f *fake) *voicelink.Keeper {
	t.Helper()
	k := voicelink.New(voicelink.Deps{
		Store: f, Players: f, Log: slog.New(slog.DiscardHandler),
		Allowed: func(engines.AppID) bool { f.mu.Lock(); defer f.mu.Unlock(); return !f.off },
		Found: func(_ context.Context, m *voicelink.Match) error {
			f.mu.Lock()
			defer f.mu.Unlock()
			if m.Like.Voice != nil {
				t.Error("a voice leaves the keeper")
			}
			if f.away {
				return errAway
			}
			f.found = append(f.found, fmt.Sprintf("%s is like %s (%s): %.2f > %.2f after %d ms", m.Of.Player, m.Like.Player, m.Like.Ref, m.Similarity, m.Threshold, m.SpokenMS))
			return nil
		},
	})
	ctx, cancel := context.WithCancel(t.Context())
	var done sync.WaitGroup
	done.Go(func() { k.Serve(ctx) })
	t.Cleanup(func() { cancel(); done.Wait() })
	return k
}

func newFake() *fake {
	return &fake{prints: map[store.VoiceKey]store.VoicePrint{}, barred: map[store.VoiceKey]bool{}, unsure: map[store.VoiceKey]bool{}}
}

func key(player engines.PlayerID) store.VoiceKey {
	return store.VoiceKey{App: "a", Player: player}
}

// voiceOf is a voice of its own: an axis for each.
func voiceOf(n int) []float32 {
	v := make([]float32, 256)
	v[n] = 1
	return v
}

var allowed = &engines.VoiceLink{Days: 30, RememberMinutes: 60}

// says has a player say so many windows of 3 s.
func says(k *voicelink.Keeper, app, player string, voice, windows int, rule *engines.VoiceLink) {
	for range windows {
		k.Heard(&engines.Item{App: engines.AppID(app), Player: engines.PlayerID(player), VoiceLink: rule}, voiceOf(voice), 3000)
	}
	synctest.Wait()
}

// rests lets the time go by, and whoever it wakes come to rest.
func rests(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// TestKnownAgain: the voice of one who was banned by a person is kept, sealed away with
// its end, and another player of the app who has it, and has said enough, comes before a
// person once; others don't, nor does anybody of another app.
func TestKnownAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		here, there := gateway(t, f), gateway(t, f)
		says(here, "a", "ann", 1, 4, allowed)
		says(here, "a", "short", 2, 3, allowed)
		says(here, "a", "ladder", 3, 4, allowed)
		says(here, "a", "silent", 4, 4, nil) // whose policy says nothing
		f.do(func() {
			f.barred[key("ann")], f.barred[key("short")], f.barred[key("silent")] = true, true, true
			f.barred[key("ladder")] = false
		})
		rests(2 * time.Second)
		want := []string{"a/ann ban of ann 12000 ms, 720h0m0s"}
		if diff := cmp.Diff(want, f.kept()); diff != "" {
			t.Fatal(diff)
		}
		rests(5 * time.Second) // the other gateway has looked
		says(there, "a", "new", 1, 3, allowed)
		says(there, "b", "new", 1, 9, allowed)
		says(there, "a", "bob", 5, 9, allowed)
		says(there, "a", "ann", 1, 9, allowed)
		says(there, "a", "nobody", 1, 9, nil)
		if f.found != nil {
			t.Fatalf("after 9 s: %v", f.found)
		}
		says(there, "a", "new", 1, 9, allowed)
		if diff := cmp.Diff([]string{"new is like ann (ban of ann): 1.00 > 0.93 after 12000 ms"}, f.found); diff != "" {
			t.Fatal(diff)
		}
		// A person confirms what the ladder did.
		f.do(func() { f.barred[key("ladder")] = true })
		rests(20 * time.Second)
		want = append(want, "a/ladder ban of ladder 12000 ms, 720h0m0s")
		if diff := cmp.Diff(want, f.kept()); diff != "" {
			t.Error(diff)
		}
	})
}

// TestSpokeBefore: who had said all that is listened to before a voice was kept is held
// against it too, at whichever gateway, and again while the store can't open the case.
func TestSpokeBefore(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		here, there := gateway(t, f), gateway(t, f)
		says(here, "a", "ann", 1, 4, allowed)
		for _, k := range []*voicelink.Keeper{here, there} {
			says(k, "a", map[bool]string{true: "new", false: "far"}[k == here], 1, 20, allowed)
			says(k, "a", "bob", 2, 20, allowed)
			says(k, "b", "new", 1, 20, allowed)
		}
		f.do(func() { f.barred[key("ann")] = true })
		rests(2 * time.Second)
		f.do(func() { f.away = true })
		rests(6 * time.Second) // the other gateway has looked, and can't say
		want := []string{"new is like ann (ban of ann): 1.00 > 0.93 after 60000 ms"}
		if diff := cmp.Diff(want, f.found); diff != "" {
			t.Fatal(diff)
		}
		f.do(func() { f.away = false })
		rests(2 * time.Second)
		want = append(want, "far is like ann (ban of ann): 1.00 > 0.93 after 60000 ms")
		if diff := cmp.Diff(want, f.found); diff != "" {
			t.Fatal(diff)
		}
		rests(time.Minute)
		here.Forget("a", "new") // who comes back after an erasure is a stranger
		says(here, "a", "new", 1, 9, allowed)
		want = append(want, "new is like ann (ban of ann): 1.00 > 0.93 after 12000 ms")
		if diff := cmp.Diff(want, f.found); diff != "" {
			t.Error(diff)
		}
	})
}

// TestOffIsOff: where the policy allows voices no more none is kept of what was remembered,
// not even once it allows them again.
func TestOffIsOff(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		k := gateway(t, f)
		says(k, "a", "ann", 1, 4, allowed)
		f.do(func() { f.off = true })
		rests(2 * time.Second)
		f.do(func() { f.barred[key("ann")] = true })
		rests(2 * time.Second)
		f.do(func() { f.off = false })
		rests(time.Minute)
		if f.kept() != nil || f.why != nil {
			t.Errorf("kept %v, let go %v", f.kept(), f.why)
		}
	})
}

// TestStands: a voice stays while the decision stands, though a gateway that has just begun
// knows nothing of it, and goes once what bars the player is nobody's decision.
func TestStands(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		k := gateway(t, f)
		says(k, "a", "ann", 1, 4, allowed)
		f.do(func() { f.barred[key("ann")] = true })
		rests(2 * time.Second)
		f.do(func() { f.unsure[key("ann")] = true })
		rests(5 * time.Minute)
		if len(f.kept()) != 1 {
			t.Fatalf("kept %v: %v", f.kept(), f.why)
		}
		f.do(func() { f.unsure[key("ann")] = false })
		rests(time.Hour)
		if len(f.kept()) != 1 {
			t.Fatalf("kept %v: %v", f.kept(), f.why)
		}
		f.do(func() { f.barred[key("ann")] = false }) // the ladder's
		rests(11 * time.Minute)
		if f.kept() != nil || !slices.Equal(f.why, []string{"ann: the penalty ended"}) {
			t.Errorf("kept %v: %v", f.kept(), f.why)
		}
	})
}

// TestLetGo: a voice goes once the penalty ends, its days are over, the policy says no,
// or the player is erased; and is forgotten in memory when its time is over.
func TestLetGo(t *testing.T) {
	t.Parallel()
	ann := key("ann")
	for name, c := range map[string]struct {
		then func(*fake, *voicelink.Keeper)
		wait time.Duration
		want string
	}{
		"lifted": {func(f *fake, _ *voicelink.Keeper) { f.do(func() { delete(f.barred, ann) }) }, 2 * time.Minute, "ann: the penalty ended"},
		"over":   {func(*fake, *voicelink.Keeper) {}, 25 * time.Hour, "ann: its days are over"},
		"off":    {func(f *fake, _ *voicelink.Keeper) { f.do(func() { f.off = true }) }, time.Minute, "ann: the policy allows it no more"},
		"erased": {func(f *fake, k *voicelink.Keeper) {
			k.Forget("a", "ann")
			f.do(func() { delete(f.prints, ann) })
		}, time.Minute, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				f := newFake()
				k := gateway(t, f)
				says(k, "a", "ann", 1, 4, &engines.VoiceLink{Days: 1, RememberMinutes: 60})
				f.do(func() { f.barred[ann] = true })
				rests(2 * time.Second)
				if len(f.kept()) != 1 {
					t.Fatal("no voice is kept")
				}
				c.then(f, k)
				rests(c.wait)
				if left := f.kept(); left != nil {
					t.Errorf("left: %v", left)
				}
				if len(f.why) > 0 != (c.want != "") || c.want != "" && f.why[0] != c.want {
					t.Errorf("why: %v, want %q", f.why, c.want)
				}
				says(k, "a", "new", 1, 9, allowed)
				if f.found != nil {
					t.Errorf("found: %v", f.found)
				}
			})
		})
	}
}

// TestRemembered: who is banned later than the policy has voices remembered is not kept;
// a store that is away is tried again.
func TestRemembered(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		k := gateway(t, f)
		says(k, "a", "old", 1, 4, allowed)
		rests(61 * time.Minute)
		says(k, "a", "ann", 2, 4, allowed)
		f.do(func() { f.barred[key("old")], f.barred[key("ann")], f.away = true, true, true })
		rests(3 * time.Second)
		f.do(func() { f.away = false })
		rests(3 * time.Second)
		if diff := cmp.Diff([]string{"a/ann ban of ann 12000 ms, 720h0m0s"}, f.kept()); diff != "" {
			t.Error(diff)
		}
	})
}

// TestTwoAtOneMicrophone: what is kept is the voice that said most, and each voice counts
// by itself.
func TestTwoAtOneMicrophone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		k := gateway(t, f)
		says(k, "a", "ann", 1, 3, allowed)
		says(k, "a", "ann", 2, 4, allowed)
		f.do(func() { f.barred[key("ann")] = true })
		rests(2 * time.Second)
		if p := f.prints[key("ann")]; p.SpokenMS != 12000 || p.Voice[2] != 1 {
			t.Errorf("kept: %d ms", p.SpokenMS)
		}
		if k.Wants(&engines.Item{App: "a", Player: "ann"}) {
			t.Error("a voice is wanted that the policy does not allow")
		}
		if item := (&engines.Item{App: "a", Player: "ann", VoiceLink: allowed}); !k.Wants(item) {
			t.Error("after 21 s no more is wanted")
		}
		says(k, "a", "ann", 2, 13, allowed)
		if k.Wants(&engines.Item{App: "a", Player: "ann", VoiceLink: allowed}) {
			t.Error("after a minute more is wanted")
		}
	})
}
