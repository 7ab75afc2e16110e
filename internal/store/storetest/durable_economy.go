package storetest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
)

const dayMS = 86_400_000

func movement(player engines.PlayerID, id string, at int64) economy.Entry {
	return economy.Entry{
		Log: economy.Currency, ID: id, Player: player, At: at, What: "gold", Action: economy.Earn, Amount: 5, After: 1 << 60, Source: "quest",
	}
}

// fullEntries are one of each log with every field set.
func fullEntries(at int64) []economy.Entry {
	e := movement("p1", "full", at)
	e.Device, e.IP, e.Created, e.OrderID, e.TradeID, e.Counterparty = "d", "ip", 1_700_000_000_000, "o", "t", "p2"
	item := economy.Entry{
		Log: economy.Item, ID: "full", Player: "p1", At: at, What: "sword", Action: economy.Acquire, Amount: 1, After: 2, Source: "drop", ItemUID: "u'\"né",
	}
	trade := economy.Entry{Log: economy.Trade, ID: "full", Player: "p1", At: at, Counterparty: "p2", TradeID: "t", Device: "d", Deal: &economy.Deal{
		Items: []economy.Stack{{Item: "sword", Count: 1, UID: "u"}, {Item: "ore", Count: 50}}, ReturnItems: []economy.Stack{{Item: "gem", Count: 2}},
		Money: economy.Money{Type: "gold", Amount: 7}, ReturnMoney: economy.Money{Type: "gem", Amount: 1<<63 - 1}, Type: "direct", Status: "completed",
	}}
	return []economy.Entry{e, item, trade}
}

func testEntries(t *testing.T, p Place) {
	t.Helper()
	s, ctx := p.Open(t), t.Context()
	put := func(what string, want []bool, entries ...economy.Entry) {
		t.Helper()
		fresh, err := s.PutEntries(ctx, "game", entries)
		must(t, err)
		same(t, what, fresh, want)
	}
	midnight := time.Now().UnixMilli() / dayMS * dayMS
	before, after := movement("p1", "a", midnight-1), movement("p1", "b", midnight)
	changed := before
	changed.Amount = 999
	put("nothing", nil)
	put("a repeat within one submission", []bool{true, true, false}, before, after, changed)
	put("a retry with one more in its midst", []bool{false, true, false}, before, movement("p1", "c", midnight+1), after)
	put("both legs of a trade", []bool{true, true}, movement("p1", "trade", midnight+2), movement("p2", "trade", midnight+2))
	put("the same id in each log", []bool{true, true, true}, fullEntries(midnight+3)...)
	put("and again", []bool{false, false, false}, fullEntries(midnight+3)...)
	put("before 1970 and far ahead", []bool{true, true}, movement("p3", "x", -1), movement("p3", "y", midnight+1000*dayMS))
	fresh, err := s.PutEntries(ctx, "other", []economy.Entry{before})
	must(t, err)
	same(t, "another app's entry of the same id", fresh, []bool{true})
	apps, err := s.EconomyApps(ctx)
	must(t, err)
	same(t, "apps", apps, []engines.AppID{"game", "other"})
	advert := economy.Entry{Log: economy.Advert, ID: "req", Player: "p1", At: midnight + dayMS, What: "rmt"}
	fresh, err = s.PutEntries(ctx, "other", []economy.Entry{advert, advert})
	must(t, err)
	same(t, "an advert", fresh, []bool{true, false})
	newest, err := s.Newest(ctx, "other")
	must(t, err)
	same(t, "newest", newest, midnight-1)
	newest, err = s.Newest(ctx, "nobody")
	must(t, err)
	same(t, "newest of no entries", newest, 0)
}

// testEntriesConcurrent has many writers send overlapping submissions in different
// orders: every entry is new once.
func testEntriesConcurrent(t *testing.T, p Place) {
	t.Helper()
	s, ctx := p.Open(t), t.Context()
	const writers, rows = 8, 100
	ts := time.Now().UnixMilli()
	news := make(chan int, writers)
	_, errs := race(writers, func(i int) error {
		entries := make([]economy.Entry, rows)
		for j := range entries {
			k := (j*(2*i+1) + i) % rows
			entries[j] = movement(engines.PlayerID(fmt.Sprintf("p%d", k%7)), fmt.Sprintf("log%d", k), ts)
		}
		fresh, err := s.PutEntries(ctx, "game", entries)
		n := 0
		for _, f := range fresh {
			if f {
				n++
			}
		}
		news <- n
		return err
	})
	if errs != nil {
		t.Fatal(errs)
	}
	total := 0
	for range writers {
		total += <-news
	}
	raw := p.Economy(t)
	defer func() { must(t, raw.Close()) }()
	var stored int
	must(t, raw.QueryRowContext(ctx, `SELECT count(*) FROM economy_log`).Scan(&stored))
	if total != stored {
		t.Errorf("%d entries were new and %d are stored", total, stored)
	}
}

func testReplayEntries(t *testing.T, p Place) {
	t.Helper()
	s, ctx := p.Open(t), t.Context()
	at := time.Now().UnixMilli()
	want := fullEntries(at)
	for i := range 2500 { // more than are handed on at once
		want = append(want, movement("p", fmt.Sprintf("%04d", i), at-int64(i)))
	}
	old, other := movement("p", "old", at-40*dayMS), movement("p", "other", at)
	_, err := s.PutEntries(ctx, "game", append(slices.Clone(want), old))
	must(t, err)
	_, err = s.PutEntries(ctx, "other", []economy.Entry{other})
	must(t, err)
	got := map[string]economy.Entry{}
	must(t, s.Replay(ctx, "game", at-35*dayMS, func(economy.Place) {
		// What is stored once the view stands is not in it.
		_, err := s.PutEntries(ctx, "game", []economy.Entry{movement("p", "late", at)})
		must(t, err)
	}, func(list []economy.Entry) {
		for _, e := range list {
			got[e.Log.String()+"/"+string(e.Player)+"/"+e.ID] = e
		}
	}))
	if len(got) != len(want) {
		t.Errorf("%d entries were replayed, want %d", len(got), len(want))
	}
	for _, e := range want {
		same(t, "replayed entry", got[e.Log.String()+"/"+string(e.Player)+"/"+e.ID], e)
	}
}

func testTimeline(t *testing.T, p Place) {
	t.Helper()
	s, ctx := p.Open(t), t.Context()
	at := time.Now().UnixMilli()
	var all []economy.Entry
	for i := range 30 { // some of one time, some of one time and id
		e := movement("p", fmt.Sprintf("%02d", i/2), at-int64(i/4)*3*dayMS/2)
		e.Log = economy.Log(1 + i%2)
		all = append(all, e, movement("other", fmt.Sprintf("%02d", i), e.At))
	}
	all = append(all, movement("p", "ancient", at-1500*dayMS))
	_, err := s.PutEntries(ctx, "game", all)
	must(t, err)
	seen, last := map[string]bool{}, int64(1<<62)
	var mark economy.Mark
	for pages := 0; ; pages++ {
		page, next, err := s.Timeline(ctx, "game", "p", mark, 7)
		must(t, err)
		for _, e := range page {
			key := e.Log.String() + e.ID
			if seen[key] || e.At > last || e.Player != "p" {
				t.Errorf("%v comes out of order or twice", e)
			}
			seen[key], last = true, e.At
		}
		if mark = next; next == (economy.Mark{}) || pages > 20 {
			break
		}
	}
	if len(seen) != 31 {
		t.Errorf("%d entries, want 31", len(seen))
	}
	// Marks that no page ended with.
	for _, test := range []struct {
		mark economy.Mark
		all  bool // else nothing follows
	}{
		{economy.Mark{At: math.MaxInt64, ID: "x"}, true},
		{economy.Mark{At: math.MinInt64, ID: "x"}, false},
		{economy.Mark{At: -1}, false},
		{economy.Mark{At: at + 1, ID: "' OR 1=1 --"}, true},
		{economy.Mark{At: at + 1, ID: strings.Repeat("%", 5000)}, true},
		{economy.Mark{At: at - 1600*dayMS, ID: "日本"}, false},
	} {
		page, next, err := s.Timeline(ctx, "game", "p", test.mark, 500)
		must(t, err)
		if test.all && len(page) != 30 && len(page) != 31 || !test.all && (len(page) != 0 || next != (economy.Mark{})) {
			t.Errorf("from %.30v: %d entries, next %v", test.mark, len(page), next)
		}
	}
}

func testPlayers(t *testing.T, p Place) {
	t.Helper()
	s, ctx := p.Open(t), t.Context()
	known := func(app engines.AppID, player engines.PlayerID, want bool) {
		t.Helper()
		got, err := s.PlayerKnown(ctx, app, player)
		must(t, err)
		if got != want {
			t.Errorf("PlayerKnown(%s, %s) = %v", app, player, got)
		}
	}
	known("game", "p1", false)
	must(t, s.PutPlayers(ctx, []economy.PlayerKey{{App: "game", Player: "p1"}, {App: "game", Player: "p1"}}))
	must(t, s.PutPlayers(ctx, []economy.PlayerKey{{App: "game", Player: "p1"}}))
	known("game", "p1", true)
	known("other", "p1", false)
	at := time.Now().UnixMilli()
	_, err := s.PutEntries(ctx, "game", []economy.Entry{movement("p2", "a", at-900*dayMS), movement("p3", "a", at)})
	must(t, err)
	known("game", "p2", true)
	known("game", "p9", false)
}

// testBooks saves a book of several parts, and another one over it.
func testBooks(t *testing.T, p Place) {
	t.Helper()
	s, ctx, at := p.Open(t), t.Context(), time.Now().UnixMilli()
	var head economy.SavedBook
	load := func() (bool, []byte) {
		t.Helper()
		var body []byte
		found, err := s.LoadBook(ctx, "game", func(b economy.SavedBook, r io.Reader) (err error) {
			head = b
			body, err = io.ReadAll(r)
			return err
		})
		must(t, err)
		return found, body
	}
	if found, _ := load(); found {
		t.Error("a book was found before one was saved")
	}
	for _, size := range []int{5<<20 + 7, 3 << 20, 0} {
		want := bytes.Repeat([]byte{byte(size), 2, 3, 4, 5, 6, 7}, size/7)
		saved := economy.SavedBook{Place: economy.Place(fmt.Sprint("place", size)), From: at - 5, Made: at}
		must(t, s.SaveBook(ctx, "game", saved, func(w io.Writer) error {
			for part := range slices.Chunk(want, 100_003) {
				if _, err := w.Write(part); err != nil {
					return err
				}
			}
			return nil
		}))
		found, got := load()
		if !found || !bytes.Equal(got, want) {
			t.Errorf("found %v, %d bytes, want the %d that were saved", found, len(got), len(want))
		}
		same(t, "what goes with it", head, saved)
	}
	broken := errors.New("broken")
	if err := s.SaveBook(ctx, "game", head, func(w io.Writer) error { _, _ = w.Write(make([]byte, 2<<20)); return broken }); !errors.Is(err, broken) {
		t.Errorf("SaveBook of what can't be written: %v", err)
	}
	if found, got := load(); !found || len(got) != 0 {
		t.Errorf("after that: found %v, %d bytes, want the one before", found, len(got))
	}
	_, err := s.PutEntries(ctx, "other", []economy.Entry{movement("p", "1", at)})
	must(t, err)
	found, _ := load()
	same(t, "found after another app's entry", found, true)
	_, err = s.PutEntries(ctx, "game", []economy.Entry{movement("p", "1", at)})
	must(t, err)
	// PostgreSQL's is good all the same: who reads it follows from its place.
	found, _ = load()
	same(t, "found after an entry", found, s.Driver() == "postgres")
}
