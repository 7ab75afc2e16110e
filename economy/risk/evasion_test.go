package risk

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
)

// visit is an entry of a player on a device and at an address.
func visit(p engines.PlayerID, at, created int64, device, ip string) economy.Entry {
	return economy.Entry{
		Log: economy.Currency, ID: fmt.Sprint(p, at, device, ip), Player: p, At: at, What: "gold", Action: economy.Earn, Amount: 1, After: at,
		Source: "play", Device: device, IP: ip, Created: created,
	}
}

func pairsOf(f economy.Findings) (list []string) {
	for _, l := range f.Links {
		list = append(list, string(l.Player)+"-"+string(l.Link.Banned)+" "+l.Link.By)
	}
	slices.Sort(list)
	return list
}

// Of the players who share something with a banned one, those that are new or came
// after the ban are linked; public devices and old neighbours are not.
func TestEvaders(t *testing.T) {
	const now = origin + 200*day
	old, ban := now-100*day, now-20*day
	var entries []economy.Entry
	seen := func(p engines.PlayerID, at, created int64, device, ip string) {
		entries = append(entries, visit(p, at, created, device, ip))
	}
	seen("long ago", now-34*day, old, "", "")
	seen("banned", ban-hour, old, "d1", "a1")
	seen("banned", ban-2*hour, old, "cafe", "mobile")
	seen("new", now-day, now-2*day, "d1", "other")    // a new account on its device
	seen("next door", now-day, now-3*day, "d9", "a1") // a new account at its address
	seen("late", now-day, ban+2*day, "d1", "")        // not new any more, but made after the ban
	seen("first seen", now-day, 0, "d1", "")          // the game does not say; seen after the ban
	seen("neighbour", now-day, old, "d1", "a1")       // was there before
	seen("stranger", now-day, now-day, "d2", "a2")    // shares nothing
	seen("partner", now-day, now-day, "d3", "a3")     // shares with one who is not banned, see below
	seen("trade banned", ban, old, "d3", "a3")        // may play
	seen("lifted", ban, old, "d4", "")                // was banned
	seen("forgiven", now-day, now-day, "d4", "")      // a new account on its device
	seen("ended", ban, old, "d5", "")                 // the ban is over
	seen("after the end", now-day, now-day, "d5", "") //
	seen("other banned", ban, now-day, "d1", "")      // is banned itself
	for i := range 20 {
		p := engines.PlayerID(fmt.Sprint("guest", i))
		seen(p, now-day, now-day, "cafe", "mobile")
	}
	bans := []economy.Ban{
		{ID: "1", Player: "banned", Type: economy.Permanent, Created: ban},
		{ID: "2", Player: "trade banned", Type: economy.TradeBan, Created: ban},
		{ID: "3", Player: "lifted", Type: economy.Permanent, Created: ban, Lifted: ban + 1},
		{ID: "4", Player: "ended", Type: economy.Temporary, Created: ban, Expires: ban + day},
		{ID: "5", Player: "other banned", Type: economy.Permanent, Created: ban},
	}
	want := []string{
		"first seen-banned device", "first seen-other banned device", "late-banned device", "late-other banned device", "new-banned device",
		"new-other banned device", "next door-banned address",
	}
	for round := range 4 { // whatever order they come in
		b := New(Config{})
		rand.New(rand.NewPCG(uint64(round), 1)).Shuffle(len(entries), func(i, j int) { entries[i], entries[j] = entries[j], entries[i] })
		b.Apply(entries[:len(entries)/2])
		for i := range bans {
			b.Ban(&bans[i])
		}
		b.Apply(entries[len(entries)/2:])
		f, version := b.Look(0, now)
		if got := pairsOf(f); !slices.Equal(got, want) {
			t.Errorf("round %d: links\n%q, want\n%q", round, got, want)
		}
		if f, again := b.Look(version, now); len(f.Links) != 0 || again != version {
			t.Errorf("the same snapshot again: %+v, %d", f, again)
		}
		if round > 0 {
			continue
		}
		i := slices.IndexFunc(f.Links, func(l economy.Linked) bool { return l.Player == "new" && l.Link.Banned == "banned" })
		got := f.Links[i].Link
		wantLink := economy.Link{
			Banned: "banned", BanID: "1", Since: ban, By: economy.ByDevice, Seats: 6, Last: ban - hour, First: now - day, Latest: now - day, Appeared: now - 2*day,
		}
		if got != wantLink {
			t.Errorf("link %+v, want %+v", got, wantLink)
		}
	}
}

// Without an excluding ban there is nothing to find, and a ban of one who was never
// seen finds nobody.
func TestEvadersWithoutBans(t *testing.T) {
	b := New(Config{})
	b.Apply([]economy.Entry{visit("a", origin+day, origin, "d", "i"), visit("b", origin+day, origin, "d", "i")})
	b.Ban(&economy.Ban{ID: "1", Player: "a", Type: economy.Shadow})
	b.Ban(&economy.Ban{ID: "2", Player: "nobody", Type: economy.Permanent})
	if f, _ := b.Look(0, origin+day); len(f.Links) != 0 {
		t.Errorf("links %+v", f.Links)
	}
}

// The two addresses that a player was seen at last are kept, whatever order they come in.
func TestHome(t *testing.T) {
	in := []struct {
		id uint64
		at int64
	}{{1, 10}, {2, 20}, {1, 30}, {3, 40}}
	for range 20 {
		rand.Shuffle(len(in), func(i, j int) { in[i], in[j] = in[j], in[i] })
		var h home
		for _, v := range in {
			h.at(v.id, v.at*minute)
		}
		if h[0].id != 3 {
			h[0], h[1] = h[1], h[0]
		}
		if h[0].id != 3 || h[1].id != 1 || h[0].last != 40 || h[1].last != 30 {
			t.Errorf("%v after %v", h, in)
		}
	}
}

// High finds the risky and names what it rests on, as Risk does.
func TestHigh(t *testing.T) {
	w := newWorld(1, 8)
	w.villains(w.populate(400))
	b := replay(w.run())
	f, _ := b.Look(0, b.Newest())
	if len(f.High) == 0 {
		t.Fatal("nobody is at risk in a world with cheats")
	}
	for _, h := range f.High {
		r, ok := b.Risk(h.Player, b.Newest())
		if !ok || r.Score != h.Risk.Score || len(r.Factors) != len(h.Risk.Factors) || r.Score < 60 {
			t.Errorf("%s: %+v, Risk says %+v", h.Player, h.Risk, r)
		}
	}
}

// BenchmarkLook looks at two million players of whom a thousand are banned.
func BenchmarkLook(b *testing.B) {
	book := New(Config{})
	const players = 2_000_000
	chunk := make([]economy.Entry, 0, 4096)
	for i := range players {
		at := origin + int64(i%30)*day
		e := visit(engines.PlayerID(fmt.Sprint("p", i)), at, at-int64(i%5)*day, fmt.Sprint("d", i/2), fmt.Sprint("a", i/3))
		if chunk = append(chunk, e); len(chunk) == cap(chunk) || i == players-1 {
			book.Apply(chunk)
			chunk = chunk[:0]
		}
	}
	for i := range 1000 {
		book.Ban(&economy.Ban{ID: strconv.Itoa(i), Player: engines.PlayerID(fmt.Sprint("p", i*997)), Type: economy.Permanent, Created: origin + 10*day})
	}
	at := origin + 30*day
	b.ResetTimer()
	for b.Loop() {
		if links := book.evaders(at); len(links) == 0 {
			b.Fatal("no links")
		}
	}
}
