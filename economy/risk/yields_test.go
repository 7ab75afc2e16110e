package risk

import (
	"testing"

	"github.com/portcullis-gg/portcullis/engines"
)

// Who plays and spends as others do, and takes what is left to the same account night
// after night, works for it, though it gives a small part of what it earns. Members who
// pay dues to somebody don't, and neither does who keeps its money on a second account.
func TestWhatIsLeftGoesToAnother(t *testing.T) {
	for seed := range uint64(3) {
		w := newWorld(seed, 8)
		all := w.populate(120)
		mule, seller := w.person("mule", false), w.person("seller", false)
		bank, store := w.person("chief", false), w.person("store", false)
		workers, members := make([]string, 6), make([]string, 8)
		for i := range workers {
			workers[i] = w.person("worker", false)
		}
		for i := range members {
			members[i] = w.person("member", false)
		}
		saver := w.person("saver", false)
		for d := range 8 {
			for i, id := range append(append([]string{saver, bank}, workers...), members...) {
				w.play(id, w.at(d, 8+float64(i%6)), 5, 200, .9, 60, "quest")
			}
			for i, id := range workers {
				w.part(w.at(d, 21+.2*float64(i)), id, mule, "mail", .85)
			}
			for i, id := range members {
				w.part(w.at(d, 21+.2*float64(i)), id, bank, "mail", .1)
			}
			w.part(w.at(d, 22), saver, store, "mail", .9)
			w.part(w.at(d, 23), mule, seller, "direct", .9)
			w.part(w.at(d, 23.5), seller, all[w.r.IntN(len(all))], "direct", .5)
		}
		b := replay(w.run())
		score := func(id string) int {
			r, _ := b.Risk(engines.PlayerID(id), b.Newest())
			return r.Score
		}
		for _, id := range append(workers, mule) {
			if got := score(id); got < 30 {
				t.Errorf("seed %d: %s has %d", seed, id, got)
			}
		}
		for _, id := range append(members, bank, store, saver) {
			if got := score(id); got >= 30 {
				t.Errorf("seed %d: %s has %d", seed, id, got)
			}
		}
	}
}
