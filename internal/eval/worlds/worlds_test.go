package worlds

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

func played(t *testing.T, c Config) (dir string) {
	t.Helper()
	dir = t.TempDir()
	if err := New(c).Write(dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestSameSeedSameWorld(t *testing.T) {
	one, two := played(t, Config{Seed: 4, Players: 120, Days: 4}), played(t, Config{Seed: 4, Players: 120, Days: 4})
	other := played(t, Config{Seed: 5, Players: 120, Days: 4})
	for _, name := range []string{"stream.jsonl", "labels.jsonl", "meta.json"} {
		read := func(dir string) []byte {
			text, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			return text
		}
		a, b, c := read(one), read(two), read(other)
		if len(a) == 0 || !bytes.Equal(a, b) {
			t.Errorf("%s: %d and %d bytes, and not the same", name, len(a), len(b))
		}
		if bytes.Equal(a, c) {
			t.Errorf("%s: another seed gives the same", name)
		}
	}
}

// Money comes from somewhere: but for what is lost on the way, and for those who make it,
// every balance follows from the one before.
func TestLedgersAddUp(t *testing.T) {
	w := New(Config{Seed: 9, Players: 300, Days: 6})
	makers := map[string]bool{}
	for _, p := range w.people {
		makers[p.id] = p.role == "maker"
	}
	type wallet struct{ player, currency string }
	last := map[wallet]int64{}
	wrong, all := 0, 0
	// In the order in which they were booked.
	for i := range w.out {
		e, ok := w.out[i].entry.(*currencyEntry)
		if !ok || i > 0 && w.out[i-1].entry == w.out[i].entry {
			continue
		}
		k := wallet{e.Player, e.Currency}
		before, known := last[k]
		last[k] = e.After
		n := note{action: e.Action}
		amount := e.Amount
		if !n.credits() {
			amount = -amount
		}
		if known && !makers[e.Player] {
			all++
			if before+amount != e.After {
				wrong++
			}
		}
	}
	if all < 1000 || float64(wrong) > .003*float64(all) {
		t.Errorf("%d of %d balances do not follow", wrong, all)
	}
}

func TestWorldIsMixed(t *testing.T) {
	kinds := map[string]bool{}
	for _, v := range villains() {
		kinds[v.name] = false
	}
	for _, l := range lookalikes() {
		kinds[l.name] = false
	}
	for seed := range uint64(4) {
		dir := played(t, Config{Seed: seed, Players: 150, Days: 5})
		f, err := os.Open(filepath.Join(dir, "labels.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		bad, n := 0, 0
		for in := bufio.NewScanner(f); in.Scan(); n++ {
			var l label
			if err := json.Unmarshal(in.Bytes(), &l); err != nil {
				t.Fatal(err)
			}
			switch l.Label {
			case 1:
				bad++
				kinds[l.Arch] = true
				if l.First == nil || l.Ring == "" {
					t.Errorf("%s of %s has no first deed or no ring", l.Player, l.Arch)
				}
			case 0:
				kinds[l.Kind] = true
			}
		}
		_ = f.Close() // it was only read
		if bad < 15 || bad > n/2 {
			t.Errorf("seed %d: %d of %d are bad", seed, bad, n)
		}
	}
	for kind, seen := range kinds {
		if !seen {
			t.Errorf("no %s in four worlds", kind)
		}
	}
}
