package voice

import (
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pion/rtp"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/session"
	"github.com/portcullis-gg/portcullis/streams/voice/caller"
)

// listener keeps what reaches a client of each of its tracks.
type listener struct {
	mu     sync.Mutex
	tracks map[string][]rtp.Header
	sounds map[string]int // packets by payload
}

func (l *listener) heard(track string, p *rtp.Packet) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.tracks[track] = append(l.tracks[track], p.Header)
	l.sounds[string(p.Payload)]++
}

// of is how many packets with this payload have come.
func (l *listener) of(payload []byte) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.sounds[string(payload)]
}

func (l *listener) all() map[string][]rtp.Header {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := map[string][]rtp.Header{}
	for track, list := range l.tracks {
		out[track] = slices.Clone(list)
	}
	return out
}

// join has a player call, with room for so many voices.
func join(t *testing.T, h *Hub, name string, voices int) (*caller.Client, *listener) {
	t.Helper()
	return joinAs(t, h, speaker(name), voices)
}

func joinAs(t *testing.T, h *Hub, who *session.Speaker, voices int) (*caller.Client, *listener) {
	t.Helper()
	l := &listener{tracks: map[string][]rtp.Header{}, sounds: map[string]int{}}
	return dialWith(t, h, who, caller.Options{Loopback: true, Voices: voices, Heard: l.heard}), l
}

// saying sends one packet again and again until stop is called.
func saying(t *testing.T, c *caller.Client, p caller.Packet) (stop func()) {
	t.Helper()
	done := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		tick := time.NewTicker(20 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				_ = c.Send(p) // a call that was ended takes nothing
			}
		}
	})
	var once sync.Once
	stop = func() { once.Do(func() { close(done); wg.Wait() }) }
	t.Cleanup(stop)
	return stop
}

// oneMuted mutes one player's voice while it is on.
type oneMuted struct {
	who engines.PlayerID
	on  atomic.Bool
}

func (m *oneMuted) VoiceMuted(_ engines.AppID, who engines.PlayerID) (time.Time, engines.Category, bool) {
	return time.Time{}, engines.Harassment, who == m.who && m.on.Load()
}

func relaying() Config {
	cfg := Default()
	cfg.Relay = []RelayScenes{{App: "app", Scenes: []string{"lob*"}}}
	return cfg
}

// sayings are packets that can be told apart.
func sayings(t *testing.T) []caller.Packet {
	t.Helper()
	var list []caller.Packet
	for _, p := range read(t, "speech.opus") {
		if len(p.Data) > 40 && !slices.ContainsFunc(list, func(o caller.Packet) bool { return string(o.Data) == string(p.Data) }) {
			list = append(list, p)
		}
	}
	if len(list) < 3 {
		t.Fatal("too few packets")
	}
	return list
}

// Three players hear each other and not themselves; one who is muted is heard by nobody
// from then on, hears the others as before, and is heard again when the mute is over.
func TestRelayAndMute(t *testing.T) {
	muted := &oneMuted{who: "bob"}
	told := &ears{}
	h := start(t, relaying(), Deps{Mutes: muted, Sessions: told})
	says := sayings(t)
	names := []string{"ann", "bob", "cat"}
	var clients []*caller.Client
	var hear []*listener
	for i, name := range names {
		c, l := join(t, h, name, 2)
		clients, hear = append(clients, c), append(hear, l)
		saying(t, c, says[i])
	}
	for i := range names {
		for j := range names {
			if i != j {
				eventually(t, names[i]+" hears "+names[j], func() bool { return hear[i].of(says[j].Data) > 10 })
			}
		}
		if n := hear[i].of(says[i].Data); n != 0 {
			t.Errorf("%s hears itself: %d packets", names[i], n)
		}
	}

	muted.on.Store(true)
	h.Mute("app", "bob", time.Time{})
	// What was on its way when the mute returned may still come, on a busy machine late;
	// then nothing does while the others go on.
	heard := func() [2]int { return [2]int{hear[0].of(says[1].Data), hear[2].of(says[1].Data)} }
	var before [2]int
	eventually(t, "that nobody hears who is muted", func() bool {
		before = heard()
		others, bob := hear[0].of(says[2].Data), hear[1].of(says[0].Data)
		eventually(t, "the others go on", func() bool {
			return hear[0].of(says[2].Data) > others+20 && hear[1].of(says[0].Data) > bob+20
		})
		return heard() == before
	})
	if list := told.all(); len(list) != 1 {
		t.Errorf("told %q", list)
	}
	select {
	case <-clients[1].Ended():
		t.Error("the call of who was muted has ended")
	default:
	}

	// Who calls while muted hears, and is not heard.
	other := speaker("bob")
	other.Session = "another"
	again, l := joinAs(t, h, other, 2)
	saying(t, again, says[1])
	eventually(t, "who came muted hears", func() bool { return l.of(says[0].Data) > 10 })
	if n := hear[0].of(says[1].Data); n != before[0] {
		t.Errorf("who came muted was heard: %d packets", n-before[0])
	}
	muted.on.Store(false)
	eventually(t, "heard again", func() bool { return hear[0].of(says[1].Data) > before[0] })
}

// A track goes on without a break when another player is heard on it: numbers follow each
// other, and times grow.
func TestVoicesTakeTurns(t *testing.T) {
	h := start(t, relaying(), Deps{})
	says := sayings(t)
	_, l := join(t, h, "ann", 1)
	bob, _ := join(t, h, "bob", 1)
	cat, _ := join(t, h, "cat", 1)
	for round := range 2 {
		for i, c := range []*caller.Client{bob, cat} {
			was := l.of(says[i].Data)
			stop := saying(t, c, says[i])
			eventually(t, "heard in its turn", func() bool { return l.of(says[i].Data) > was+10 })
			stop()
			_ = round
		}
	}
	tracks := l.all()
	if len(tracks) != 1 {
		t.Fatalf("%d tracks, want the one that was offered", len(tracks))
	}
	for _, list := range tracks {
		marks := 0
		for i := 1; i < len(list); i++ {
			if list[i].SSRC != list[0].SSRC || list[i].SequenceNumber != list[i-1].SequenceNumber+1 || int32(list[i].Timestamp-list[i-1].Timestamp) <= 0 {
				t.Fatalf("packet %d: %+v after %+v", i, list[i], list[i-1])
			}
			if list[i].Marker {
				marks++
			}
		}
		if marks != 3 {
			t.Errorf("%d changes of who is heard, want 3", marks)
		}
	}
}

// More than a listener has tracks for are not all heard, and no scene is heard in another.
func TestRelayIsBounded(t *testing.T) {
	h := start(t, relaying(), Deps{})
	says := sayings(t)
	_, l := join(t, h, "ann", 1)
	for i, name := range []string{"bob", "cat"} {
		c, _ := join(t, h, name, 1)
		saying(t, c, says[i])
	}
	eventually(t, "one is heard", func() bool { return l.of(says[0].Data) > 20 || l.of(says[1].Data) > 20 })
	// The first is heard long before the second has called.
	eventually(t, "one too many for the track", func() bool { return value(t, h.m.relayCrowded) > 0 })
	who := speaker("dan")
	who.Scene = "elsewhere"
	d, err := caller.New(caller.Options{Loopback: true, Voices: 1, Heard: func(string, *rtp.Packet) { t.Error("heard in a scene that is not relayed") }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	negotiate(t, h, who, d)
	connected(t, d)
	saying(t, d, says[2])
	eventually(t, "the other scene is heard here", func() bool { return h.callOf(who.Session).ear != nil && h.callOf(who.Session).last.Load() > 0 })
	if l.of(says[2].Data) != 0 {
		t.Error("one scene is heard in another")
	}
}

// A listener's queue forgets the oldest.
func TestOutbox(t *testing.T) {
	o := newOutbox()
	for i := range outboxSize + 5 {
		o.put(heardPacket{seq: uint16(i)})
	}
	for i := range outboxSize {
		p, dropped, ok := o.take()
		if want := 5; !ok || p.seq != uint16(i+want) || dropped != map[bool]int{true: want}[i == 0] {
			t.Fatalf("packet %d: %d, %d dropped, %t", i, p.seq, dropped, ok)
		}
	}
	if _, _, ok := o.take(); ok {
		t.Error("more than there was")
	}
	o.close()
	o.close()
}

// Who floods is heard by others no faster than anybody speaks.
func TestPace(t *testing.T) {
	var p pace
	n := 0
	for i := range int64(10_000) { // ten a millisecond, for a second
		if p.allows(int64(time.Second) + i*int64(time.Millisecond)/10) {
			n++
		}
	}
	if n < relayRate+relayBurst-1 || n > relayRate+relayBurst {
		t.Errorf("%d of 10000 packets in a second", n)
	}
}

// overhearer is a meter that names the first sample of a call, and what it is asked.
type overhearer struct {
	loudness
	asked *atomic.Int64
	got   func([]Overheard)
}

func (o *overhearer) Trace() any { return o.n }
func (o *overhearer) Overhear(list []Overheard) {
	o.asked.Add(1)
	o.got(slices.Clone(list))
}

// Calls of one scene are shown to each other, with how much earlier one began; alone, and
// across scenes, nobody is.
func TestOverhearing(t *testing.T) {
	var asked atomic.Int64
	var mu sync.Mutex
	var ahead []int64
	h := start(t, Default(), Deps{Meter: func(it *engines.Item) Meter {
		return &overhearer{asked: &asked, got: func(list []Overheard) {
			mu.Lock()
			defer mu.Unlock()
			for _, o := range list {
				if it.Player == "bob" {
					ahead = append(ahead, o.AheadMS)
				}
			}
		}}
	}})
	says := sayings(t)
	ann := dial(t, h, speaker("ann"))
	saying(t, ann, says[0])
	eve := speaker("eve")
	eve.Scene = "elsewhere"
	saying(t, dial(t, h, eve), says[1])
	eventually(t, "a second was heard", func() bool { return value(t, h.m.heard) > 100 })
	if n := asked.Load(); n != 0 {
		t.Fatalf("who is alone looked for others %d times", n)
	}
	bob := dial(t, h, speaker("bob"))
	saying(t, bob, says[2])
	// What is known of when a call began gets better with each packet that was not held up,
	// so on a busy machine the first that was told may be far off.
	var began, got time.Duration
	eventually(t, "bob looks for ann, and knows how far ahead ann's time is", func() bool {
		mu.Lock()
		defer mu.Unlock()
		a, b := h.callOf("s-ann").trace.Load(), h.callOf("s-bob").trace.Load()
		if len(ahead) < 3 || a == nil || b == nil {
			return false
		}
		began, got = time.Duration(b.zero-a.zero), time.Duration(ahead[len(ahead)-1])*time.Millisecond
		return began > 0 && (got-began).Abs() <= 50*time.Millisecond
	})
}

func TestMeterClock(t *testing.T) {
	var m meterClock
	const ms = int64(time.Millisecond)
	for i := range int64(100) { // delayed by up to 60 ms, once by none
		late := (i*7919 + 30) % 61
		if i == 50 {
			late = 0
		}
		m.came((1000+20*i+late)*ms, 20*i*ms)
	}
	if d := m.zero - 1000*ms; d < 0 || d > ms {
		t.Errorf("began %d ns later than it did", d)
	}
	m.came(9000*ms, 2000*ms) // five seconds were left out
	if d := m.zero - 7000*ms; d != 0 {
		t.Errorf("after a jump it is off by %d ns", d)
	}
}
