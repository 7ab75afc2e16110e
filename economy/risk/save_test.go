package risk

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
)

func saved(t *testing.T, b *Book) []byte {
	t.Helper()
	var buf bytes.Buffer
	if err := b.Save(&buf); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// A book that was saved halfway and read again says what the other says, and goes on
// as the other does.
func TestSave(t *testing.T) {
	w := newWorld(5, 8)
	w.villains(w.populate(150))
	entries := w.run()
	entries = append(entries, economy.Entry{Log: economy.Advert, ID: "a", Player: "casual20", At: entries[0].At})
	l := &log{}
	for i := range 4 { // what a game does once
		l.coin("casual20", economy.Purchase, 5, int64(5*i), "o1")
		l.coin("casual21", economy.Spend, 900, int64(-800*i), "")
		l.sale("s9", "casual22", engines.PlayerID([]string{"casual23", "casual24"}[i%2]), "crown", "c1", 1, 100)
	}
	entries = append(l.list[6:], append(entries, l.list[:6]...)...)
	half := len(entries) / 2
	one := New(Config{Fresh: -1, Hot: 20})
	one.Apply(entries[:half])
	two, err := Load(Config{Fresh: -1}, bytes.NewReader(saved(t, one)))
	if err != nil {
		t.Fatal(err)
	}
	same := func(when string) {
		t.Helper()
		for id := range w.kind {
			x, known := one.Risk(engines.PlayerID(id), one.Newest())
			y, too := two.Risk(engines.PlayerID(id), one.Newest())
			if diff := cmp.Diff(x, y); diff != "" || known != too {
				t.Errorf("%s, %s, known %v and %v (-saved +loaded):\n%s", when, id, known, too, diff)
			}
		}
	}
	same("as it was saved")
	for _, b := range []*Book{one, two} {
		b.Apply(entries[half:])
		b.making.Lock()
		b.renew()
		b.making.Unlock()
	}
	same("after the other half")
	if one.claims.n == 0 || len(one.debts) == 0 || len(one.tellings) == 0 || one.players.n == 0 || one.packed.live == 0 || len(one.deals.blocks) == 0 || len(one.far)+len(one.finds) == 0 {
		t.Error("the world has too little in it to test anything")
	}
}

func TestLoadDamaged(t *testing.T) {
	w := newWorld(5, 3)
	w.populate(30)
	b := New(Config{Hot: 5})
	b.Apply(w.run())
	if b.packed.live == 0 {
		t.Fatal("nobody is packed")
	}
	whole := saved(t, b)
	r := rand.New(rand.NewPCG(1, 1))
	for range 300 {
		bad := slices.Clone(whole)
		bad[r.IntN(len(bad))] ^= 1 << r.IntN(8)
		if _, err := Load(Config{}, bytes.NewReader(bad)); !errors.Is(err, ErrSaved) {
			t.Fatalf("one bit changed: %v", err)
		}
		if _, err := Load(Config{}, bytes.NewReader(whole[:r.IntN(len(whole))])); !errors.Is(err, ErrSaved) {
			t.Fatalf("cut off: %v", err)
		}
	}
}

// What is added to Book must be saved, or stand here. Records have no pointers.
func TestSaveHasAll(t *testing.T) {
	not := []string{"measure", "behind", "step", "fresh", "maxHot", "records", "packer", "hand", "maxDeals", "maxStashes", "maxClaims", "mu", "bans", "version", "lastBeat", "scale", "snap", "making", "touched", "heard"}
	typ := reflect.TypeFor[Book]()
	// Those of the records are parts of their own.
	if got, want := len((&Book{}).parts())+len(not), typ.NumField()+reflect.TypeFor[records]().NumField(); got != want {
		t.Errorf("%d fields are saved or need not be, Book has %d", got, want)
	}
	for _, name := range not {
		if _, ok := typ.FieldByName(name); !ok {
			t.Errorf("Book has no field %s", name)
		}
	}
	for _, p := range (&Book{}).parts() {
		for _, kind := range []string{"string", "ptr", "slice", "map", "interface", "func"} {
			if strings.Contains(p.layout(), " "+kind+";") {
				t.Errorf("a %s in %s", kind, p.layout())
			}
		}
	}
}
