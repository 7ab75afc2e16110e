package banks

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/image/pdq"
	"github.com/portcullis-gg/portcullis/internal/hashlist"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/store/sqlstore"
)

type facts func(file []byte) (*engines.MediaFacts, error)

func (f facts) Facts(_ context.Context, file []byte) (*engines.MediaFacts, error) { return f(file) }

// place is a store and gateways on it.
type place struct {
	t  *testing.T
	db *sqlstore.Store
}

func newPlace(t *testing.T) place {
	t.Helper()
	db, err := sqlstore.Open(t.Context(), sqlstore.Config{Dir: t.TempDir(), MasterKey: [32]byte{1}, Node: "n"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return place{t, db}
}

// gateway is a keeper that has loaded what is stored.
func (p place) gateway(change func(*Config)) *Keeper {
	p.t.Helper()
	cfg := Default()
	if change != nil {
		change(&cfg)
	}
	k := New(cfg, Deps{Store: p.db, Node: "n", Log: slog.New(slog.DiscardHandler), Pictures: facts(func(file []byte) (*engines.MediaFacts, error) {
		if len(file) == 0 {
			return nil, errors.New("no picture")
		}
		f := &engines.MediaFacts{SHA256: [32]byte(file), Frames: 1}
		f.PDQ, f.PDQQuality = pdq.Sum(picture(uint64(file[0])))
		return f, nil
	})})
	if err := k.Load(p.t.Context()); err != nil {
		p.t.Fatal(err)
	}
	return k
}

// picture has something to see in it.
func picture(seed uint64) image.Image {
	r := rand.New(rand.NewPCG(seed, 1))
	img := image.NewGray(image.Rect(0, 0, 128, 128))
	for range 60 {
		x, y, c := r.IntN(110), r.IntN(110), uint8(r.IntN(256))
		for i := range 40 * 30 {
			img.SetGray(x+i%40, y+i/40, color.Gray{Y: c})
		}
	}
	return img
}

func file(n byte) []byte { return append([]byte{n}, make([]byte, 31)...) }

func (p place) put(k *Keeper, b store.ImageBank) store.ImageBank {
	p.t.Helper()
	if b.State == "" {
		b.State = store.ImageBankLive
	}
	if b.Radius == 0 {
		b.Radius = 31
	}
	b.LeastQuality = 50
	stored, err := k.Put(p.t.Context(), b, b.Version)
	if err != nil {
		p.t.Fatal(err)
	}
	return stored
}

func (p place) add(k *Keeper, o Order, list ...string) Report {
	p.t.Helper()
	o.Body = strings.NewReader(strings.Join(list, "\n"))
	r, err := k.Import(p.t.Context(), o)
	if err != nil {
		p.t.Fatal(err)
	}
	return r
}

// hash is one in hexadecimal digits.
func hash(n int) string {
	r := rand.New(rand.NewPCG(uint64(n), 5))
	return fmt.Sprintf("%016x%016x%016x%016x", r.Uint64(), r.Uint64(), r.Uint64(), r.Uint64())
}

// near is a picture whose hash differs in some bits.
func near(t *testing.T, text string, bits int) *engines.MediaFacts {
	t.Helper()
	h, err := pdq.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	for i := range bits {
		h[i] ^= 1
	}
	return &engines.MediaFacts{PDQ: h, PDQQuality: 80}
}

func known(k *Keeper, app engines.AppID, f *engines.MediaFacts) (rules []string) {
	for _, s := range k.Known(app, f, nil) {
		rules = append(rules, s.Rule)
	}
	return rules
}

// A list is in force with the answer, on another gateway once it looks, and on one that
// starts; as what, the bank says.
func TestImport(t *testing.T) {
	p := newPlace(t)
	one, two := p.gateway(nil), p.gateway(nil)
	p.put(one, store.ImageBank{Name: "csam", Category: engines.ChildSafety, SubLabel: "listed", By: "ann"})
	p.put(one, store.ImageBank{App: "game", Name: "logos", Category: engines.IPInfringement, Radius: 10, By: "ann"})
	r := p.add(one, Order{Key: Key{"", "csam"}, Format: hashlist.CSV, Source: "s"}, "sha256,pdq,quality", hash(1)+","+hash(2)+",90", ","+hash(3)+",20", hash(4)+",,")
	if r.PDQ != 1 || r.SHA256 != 2 || r.LowQuality != 1 || r.LeftOut != 1 || r.Lines != 3 {
		t.Errorf("report %+v", r)
	}
	p.add(one, Order{Key: Key{"game", "logos"}, Format: hashlist.PDQ}, hash(5), hash(6))
	if err := two.read(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	for name, k := range map[string]*Keeper{"the same": one, "another": two, "a new one": p.gateway(nil)} {
		for _, test := range []struct {
			app  engines.AppID
			f    *engines.MediaFacts
			want []string
		}{
			{"any", near(t, hash(2), 31), []string{"image_bank:*/csam#pdq/0"}},
			{"any", near(t, hash(2), 32), nil},
			{"any", near(t, hash(3), 0), nil}, // too low a quality to be imported
			{"any", &engines.MediaFacts{SHA256: near(t, hash(4), 0).PDQ}, []string{"image_bank:*/csam#sha256/1"}},
			{"game", near(t, hash(6), 10), []string{"image_bank:logos#pdq/1"}},
			{"game", near(t, hash(6), 11), nil},
			{"other", near(t, hash(6), 0), nil},
			{"game", &engines.MediaFacts{PDQ: near(t, hash(6), 0).PDQ, PDQQuality: 49}, nil},
		} {
			if got := known(k, test.app, test.f); !slices.Equal(got, test.want) {
				t.Errorf("%s gateway, app %s: %v, want %v", name, test.app, got, test.want)
			}
		}
	}
	s := one.Known("game", near(t, hash(2), 0), nil)[0]
	if s.Category != engines.ChildSafety || s.SubLabel != "listed" || s.Severity != 4 || s.Source != engines.SourceHash || s.Confidence < .99 {
		t.Errorf("signal %+v", s)
	}
	far := one.Known("game", near(t, hash(6), 10), nil)[0]
	if closer := one.Known("game", near(t, hash(6), 1), nil)[0]; closer.Confidence <= far.Confidence || far.Confidence < .9 || far.Severity != 2 {
		t.Errorf("at 10 bits %+v, at 1 %v", far, closer.Confidence)
	}
}

// A list with a fault is refused as a whole, or taken without it where that was asked.
func TestImportFaults(t *testing.T) {
	p := newPlace(t)
	k := p.gateway(func(c *Config) { c.AppHashes, c.AppBanks = 5, 1 })
	p.put(k, store.ImageBank{App: "game", Name: "logos", Category: engines.IPInfringement})
	key := Key{"game", "logos"}
	list := hash(1) + "\nabc\n" + hash(2) + "\n"
	_, err := k.Import(t.Context(), Order{Key: key, Format: hashlist.PDQ, Body: strings.NewReader(list)})
	refused := (*RefusedError)(nil)
	if !errors.As(err, &refused) || refused.Report.Faulty != 1 || refused.Report.Faults[0].Line != 2 {
		t.Errorf("a list with a fault: %v", err)
	}
	if got := known(k, "game", near(t, hash(1), 0)); got != nil {
		t.Errorf("of a refused list %v is known", got)
	}
	r := p.add(k, Order{Key: key, Format: hashlist.PDQ, Partial: true}, list)
	if r.PDQ != 2 || r.LeftOut != 1 || len(r.Faults) != 1 || known(k, "game", near(t, hash(2), 0)) == nil {
		t.Errorf("a partial import: %+v", r)
	}
	for want, o := range map[error]Order{
		ErrNothing:        {Key: key, Format: hashlist.PDQ, Body: strings.NewReader("# none\n" + strings.Repeat("0", 64))},
		ErrMany:           {Key: key, Format: hashlist.SHA256, Body: strings.NewReader(strings.Repeat(hash(3)+"\n", 4))},
		store.ErrNotFound: {Key: Key{"", "logos"}, Format: hashlist.PDQ, Body: strings.NewReader(hash(1))},
	} {
		if _, err := k.Import(t.Context(), o); !errors.Is(err, want) {
			t.Errorf("%v, want %v", err, want)
		}
	}
	if _, err := k.Put(t.Context(), store.ImageBank{App: "game", Name: "more", Category: engines.Gore, State: store.ImageBankLive}, 0); !errors.Is(err, ErrMany) {
		t.Errorf("one bank too many: %v", err)
	}
	_, err = k.Put(t.Context(), store.ImageBank{App: "other", Name: "x", Category: "fun", Radius: 44, LeastQuality: 101, State: "on"}, 0)
	if faults := Faults(nil); !errors.As(err, &faults) || len(faults) != 4 {
		t.Errorf("a bank with four faults: %v", err)
	}
	// What a list replaces does not count against it.
	p.add(k, Order{Key: key, Format: hashlist.PDQ, Replace: true}, hash(11), hash(12), hash(13), hash(14), hash(15))
	if known(k, "game", near(t, hash(1), 0)) != nil || known(k, "game", near(t, hash(11), 0)) == nil {
		t.Error("a list was not replaced")
	}
}

// What was retired is not known any more, here, elsewhere and after a start.
func TestRetire(t *testing.T) {
	p := newPlace(t)
	one, two := p.gateway(nil), p.gateway(nil)
	p.put(one, store.ImageBank{App: "game", Name: "logos", Category: engines.IPInfringement})
	key := Key{"game", "logos"}
	first := p.add(one, Order{Key: key, Format: hashlist.PDQ}, hash(1), hash(2))
	p.add(one, Order{Key: key, Format: hashlist.PDQ}, hash(3))
	check := func(what string, want ...int) {
		t.Helper()
		if err := two.read(t.Context(), 0); err != nil {
			t.Fatal(err)
		}
		for name, k := range map[string]*Keeper{"here": one, "elsewhere": two, "after a start": p.gateway(nil)} {
			for i := 1; i <= 3; i++ {
				got := known(k, "game", near(t, hash(i), 0))
				if (got != nil) != slices.Contains(want, i) {
					t.Errorf("%s, %s: hash %d is known as %v", what, name, i, got)
				}
			}
		}
	}
	check("at first", 1, 2, 3)
	if err := one.RetireEntry(t.Context(), key, store.ImagePDQ, 1, "ann"); err != nil {
		t.Fatal(err)
	}
	check("without an entry", 1, 3)
	if err := one.RetireImport(t.Context(), key, first.ID, "ann"); err != nil {
		t.Fatal(err)
	}
	check("without an import", 3)
	b, err := p.db.ImageBank(t.Context(), "game", "logos")
	if err != nil {
		t.Fatal(err)
	}
	b.State = store.ImageBankRetired
	b = p.put(one, b)
	check("retired")
	if _, err := one.Import(t.Context(), Order{Key: key, Format: hashlist.PDQ, Body: strings.NewReader(hash(1))}); !errors.Is(err, ErrRetired) {
		t.Errorf("an import into a retired bank: %v", err)
	}
	b.State = store.ImageBankLive
	p.put(one, b)
	check("live again", 3)
}

// A picture is known again, by its file and by what it shows.
func TestPictures(t *testing.T) {
	p := newPlace(t)
	k := p.gateway(nil)
	p.put(k, store.ImageBank{App: "game", Name: "ours", Category: engines.IPInfringement})
	r, err := k.AddPicture(t.Context(), Key{"game", "ours"}, "press kit", "ann", file(7))
	if err != nil || r.PDQ != 1 || r.SHA256 != 1 || r.Format != "picture" {
		t.Fatalf("%+v, %v", r, err)
	}
	f, err := k.Facts(t.Context(), file(7))
	if err != nil {
		t.Fatal(err)
	}
	if got := known(k, "game", f); !slices.Equal(got, []string{"image_bank:ours#sha256/0"}) {
		t.Errorf("the same file: %v", got)
	}
	f.SHA256[3] = 1
	if got := known(k, "game", f); !slices.Equal(got, []string{"image_bank:ours#pdq/0"}) {
		t.Errorf("another file of it: %v", got)
	}
	if f, err = k.Facts(t.Context(), file(8)); err != nil || known(k, "game", f) != nil {
		t.Errorf("another picture is known, %v", err)
	}
	if _, err := k.AddPicture(t.Context(), Key{"game", "ours"}, "", "ann", nil); err == nil {
		t.Error("what is no picture was taken")
	}
}

// Banks under test count and say nothing; only who may sees restricted ones.
func TestStatesAndRights(t *testing.T) {
	p := newPlace(t)
	k := p.gateway(nil)
	p.put(k, store.ImageBank{Name: "terror", Category: engines.Extremism})
	trial := p.put(k, store.ImageBank{App: "game", Name: "trial", Category: engines.Gore, State: store.ImageBankTest})
	for _, key := range []Key{{"", "terror"}, {"game", "trial"}} {
		p.add(k, Order{Key: key, Format: hashlist.PDQ}, hash(1))
	}
	f := near(t, hash(1), 4)
	for range 3 {
		if got := known(k, "game", f); !slices.Equal(got, []string{"image_bank:*/terror#pdq/0"}) {
			t.Errorf("known as %v", got)
		}
	}
	for restricted, want := range map[bool]string{false: "trial", true: "terror trial"} {
		list, err := k.Test(t.Context(), "game", f, restricted, "ann")
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, one := range list {
			names = append(names, one.Bank.Name)
			if one.Distance != 4 {
				t.Errorf("distance %d", one.Distance)
			}
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("restricted %v: %s, want %s", restricted, got, want)
		}
	}
	k.writeCounts(t.Context())
	k.writeCounts(t.Context()) // nothing more
	_, matches, err := k.Bank(t.Context(), Key{"game", "trial"})
	if err != nil || len(matches) != 1 || matches[0].N != 3 || matches[0].State != store.ImageBankTest || matches[0].Bank != trial.ID {
		t.Errorf("matches %+v, %v", matches, err)
	}
	if err := p.db.VerifyAudit(t.Context(), "n"); err != nil {
		t.Error(err)
	}
}

// Known is asked while banks change.
func TestKnownMeanwhile(t *testing.T) {
	p := newPlace(t)
	k := p.gateway(nil)
	p.put(k, store.ImageBank{App: "game", Name: "logos", Category: engines.IPInfringement})
	p.add(k, Order{Key: Key{"game", "logos"}, Format: hashlist.PDQ}, hash(0))
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-stop:
				return
			default:
			}
			if known(k, "game", near(t, hash(0), 3)) == nil {
				t.Error("what was imported is not known for a while")
				return
			}
		}
	}()
	for i := 1; i < 20; i++ {
		p.add(k, Order{Key: Key{"game", "logos"}, Format: hashlist.PDQ}, hash(i))
	}
	close(stop)
	<-done
}

// Lists of the industry keep to what they are meant for, a studio's own banks find copies
// that were changed in several ways.
func TestUsualRadius(t *testing.T) {
	for c, want := range map[engines.Category]int{engines.ChildSafety: 31, engines.Extremism: 31, engines.IPInfringement: 40, engines.Nudity: 40} {
		if got := UsualRadius(c); got != want || got > MostRadius {
			t.Errorf("%s: %d, want %d", c, got, want)
		}
	}
}
