package risk

import (
	"testing"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
)

// giftWorld is a ring: four farmers give a mule all they earn, the mule gives the
// seller all of it, and a friend swaps fairly with a farmer.
func giftWorld() *world {
	w := newWorld(1, 8)
	for _, id := range []string{"f1", "f2", "f3", "f4", "mule", "seller", "friend", "stranger"} {
		w.gold[id], w.bag[id] = 0, map[string]int64{}
	}
	for d := range 6 {
		at := w.start + int64(d)*day
		for _, f := range []string{"f1", "f2", "f3", "f4"} {
			w.coin(at+1000, f, economy.Earn, 1000, "quest")
			w.swap(at+2*hour, f, "mule", "mail", 900, "", 0, 0)
		}
		w.swap(at+4*hour, "mule", "seller", "mail", 3600, "", 0, 0)
		w.coin(at+5*hour, "friend", economy.Earn, 1000, "quest")
		w.coin(at+5*hour, "stranger", economy.Earn, 1000, "quest")
		w.thing(at+5*hour, "f1", economy.Acquire, "ore", 5, "mine")
		w.swap(at+6*hour, "f1", "friend", "direct", 0, "ore", 5, 90)
	}
	return w
}

func TestAround(t *testing.T) {
	b := replay(giftWorld().run())
	w, ok := b.Around("seller", 2, 60, b.Newest())
	if !ok {
		t.Fatal("Around(seller): not known")
	}
	hops := map[engines.PlayerID]int{}
	for _, p := range w.Players {
		hops[p.Player] = p.Hops
	}
	if w.Players[0].Player != "seller" || len(hops) != 6 || hops["mule"] != 1 || hops["f3"] != 2 || w.Left != 0 {
		t.Errorf("players = %+v, left out %d; want the seller, the mule and four farmers", w.Players, w.Left)
	}
	if g := w.Gifts[0]; g.From != "mule" || g.To != "seller" || g.Times != 6 || g.Free <= 0 || g.Free > g.Gave || g.First >= g.Last {
		t.Errorf("gifts[0] = %+v, want what the mule gave the seller", g)
	}
	if w, _ = b.Around("seller", 3, 60, b.Newest()); len(w.Players) != 7 {
		t.Errorf("3 hops reach %d players, want the friend too", len(w.Players))
	}
	w, _ = b.Around("seller", 4, 4, b.Newest())
	if len(w.Players) != 4 || w.Left != 2 {
		t.Errorf("%d players, %d left out; want 4 and 2", len(w.Players), w.Left)
	}
	if w, ok = b.Around("stranger", 2, 60, b.Newest()); !ok || len(w.Players) != 1 || len(w.Gifts) != 0 {
		t.Errorf("Around(stranger) = %+v, %v; want it alone", w, ok)
	}
	if _, ok = b.Around("nobody", 2, 60, b.Newest()); ok {
		t.Error("Around(nobody) is known")
	}
}
