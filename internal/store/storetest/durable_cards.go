package storetest

import (
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/store/sqlstore"
)

func testCards(t *testing.T, p Place) {
	t.Helper()
	s, ctx, at := p.Open(t), t.Context(), time.Now().UnixMilli()
	card := func() store.Card {
		t.Helper()
		c, err := s.Card(ctx, "game", "ann", at-1000)
		must(t, err)
		return c
	}
	same(t, "of nobody", card(), store.Card{App: "game", Player: "ann"})
	profile := store.Profile{Segment: "minor", Region: "kr", Language: "ko", AgeVerified: "no", Registered: at}
	must(t, s.PutProfile(ctx, "game", "ann", profile, ""))
	if known, err := s.PlayerKnown(ctx, "game", "ann"); err != nil || !known {
		t.Errorf("a profile names its player: %v, %v", known, err)
	}
	pin := store.Pin{Trust: "watched", Until: at + 1000, By: "senior", Reason: "raids"}
	must(t, s.PutPin(ctx, "game", "ann", pin))
	give(t, s, store.StrikeWish{Strike: strikeOf("s1", "ann", 3, at)}, 99)
	give(t, s, store.StrikeWish{Strike: strikeOf("s0", "ann", 3, at-5000)}, 99)
	putPenalty(t, s, penaltyOf("w1", "ann", store.PenaltyWarn, at))
	got := card()
	if got.Changed < at {
		t.Errorf("changed at %d, before %d", got.Changed, at)
	}
	got.Changed = 0
	same(t, "card", got, store.Card{
		App: "game", Player: "ann", Stored: true, Profile: profile, Pin: pin, Strikes: []store.StrikeWeight{{Category: engines.Harassment, Weight: 3, Created: at}}, Untold: 1,
	})
	profile.Segment = ""
	must(t, s.PutProfile(ctx, "game", "ann", profile, "senior"))
	if got := card(); got.Profile != profile || got.Pin != pin {
		t.Errorf("another profile: %+v", got)
	}

	// Credits: what was made of an old card is left out.
	credit := store.Card{App: "game", Player: "ann", Clean: 1.5, CleanAt: at, Day: 20000}
	must(t, s.PutCredits(ctx, []store.Card{credit, {App: "game", Player: "bob", Clean: 1, CleanAt: at, Day: 20000}}))
	credit.Clean = 9
	must(t, s.PutCredits(ctx, []store.Card{credit}))
	if got := card(); got.Clean != 1.5 || got.CleanAt != at || got.Day != 20000 || got.Version != 1 || got.Profile != profile {
		t.Errorf("credit: %+v", got)
	}
	credit.Version = 1
	must(t, s.PutCredits(ctx, []store.Card{credit}))
	if got := card(); got.Clean != 9 || got.Version != 2 {
		t.Errorf("the next credit: %+v", got)
	}

	changedCards(t, s, at)
	wantAudit(t, p, "profile", 1)
	wantAudit(t, p, "trust", 1)
}

// changedCards looks for cards that changed since a time: ann's did, bob has a credit.
func changedCards(t *testing.T, s *sqlstore.Store, at int64) {
	t.Helper()
	ctx := t.Context()
	for i := range 5 {
		must(t, s.PutProfile(ctx, "other", engines.PlayerID("p"+strconv.Itoa(i)), store.Profile{}, ""))
	}
	seen := map[engines.PlayerID]bool{}
	for after := (store.CardKey{Changed: at - 1}); ; {
		page, err := s.CardsChanged(ctx, after, 3)
		must(t, err)
		for _, k := range page {
			if seen[k.Player] {
				t.Errorf("%s comes twice", k.Player)
			}
			seen[k.Player] = true
		}
		if len(page) < 3 {
			break
		}
		after = page[2]
	}
	// A credit is no change: of bob there is nothing else.
	if len(seen) != 6 || seen["bob"] {
		t.Errorf("changed: %v, want ann and the five", seen)
	}
	must(t, s.PutProfile(ctx, "game", "bob", store.Profile{Region: "jp"}, ""))
	page, err := s.CardsChanged(ctx, store.CardKey{Changed: at - 1}, 99)
	must(t, err)
	if !slices.ContainsFunc(page, func(k store.CardKey) bool { return k.Player == "bob" }) {
		t.Errorf("changed: %v, want bob too once it has a profile", page)
	}
	if c, err := s.Card(ctx, "game", "bob", at); err != nil || c.Clean != 1 || c.Version != 1 {
		t.Errorf("a card whose credit came first: %+v, %v", c, err)
	}
}

func testPlayerTimeline(t *testing.T, p Place) {
	t.Helper()
	s, ctx, at := p.Open(t), t.Context(), now()
	ms := at.UnixMilli()
	putPenalty(t, s, penaltyOf("p1", "ann", store.PenaltyMuteText, ms+1))
	_, err := s.PutBan(ctx, ban("b1", "ann", economy.TradeBan, ms+2))
	must(t, err)
	give(t, s, store.StrikeWish{Strike: strikeOf("s1", "ann", 1, ms+3)}, 99)
	for i, suggestion := range []engines.Suggestion{engines.Pass, engines.Review, engines.Block} {
		d := store.Decision{
			App: "game", Request: engines.RequestID("d" + strconv.Itoa(i)), Player: "ann", Kind: engines.KindText, Content: "what was said",
			Verdict: engines.Verdict{Finding: engines.Finding{Suggestion: suggestion}}, Weight: 1, Created: at.Add(time.Duration(10+i) * time.Millisecond),
		}
		var c *store.Case
		if suggestion == engines.Review {
			c = &store.Case{ID: "c1", App: "game", Request: d.Request, Player: "ann", State: store.CaseOpen, Version: 1, Created: d.Created, Updated: d.Created}
		}
		must(t, s.PutDecision(ctx, d, c, nil))
	}
	putPenalty(t, s, penaltyOf("p2", "bob", store.PenaltyMuteText, ms+1))
	for i, about := range []engines.PlayerID{"ann", "bob"} { // of ann, and by ann
		r := store.Report{ID: "r" + strconv.Itoa(i), App: "game", Reporter: "bob", Player: about, Reason: "spam", Detail: "d", Weight: 0.5, Created: at.Add(20 * time.Millisecond)}
		if about == "bob" {
			r.Reporter = "ann"
		}
		id := engines.CaseID("of-" + about)
		c := store.Case{ID: id, App: "game", Request: engines.RequestID(id), Player: about, Kind: store.CaseOfReports, Group: string(id), State: store.CaseOpen, Version: 1, Created: at, Updated: at}
		_, err := s.FileReport(ctx, r, c, func(*store.Case) {})
		must(t, err)
	}
	var got []string
	for before := (economy.Mark{}); ; {
		page, err := s.PlayerTimeline(ctx, "game", "ann", before, 2)
		must(t, err)
		for i := range page {
			got = append(got, page[i].Kind+" "+page[i].ID)
			before = page[i].Mark()
		}
		if len(page) < 2 {
			break
		}
	}
	same(t, "timeline", got, []string{"report r0", "decision d2", "decision d1", "case c1", "strike s1", "penalty b1", "penalty p1", "case of-ann"})
	n, err := s.CountsOf(ctx, "game", "ann")
	must(t, err)
	same(t, "counts", n, store.PlayerCounts{Penalties: 2, Strikes: 1, Cases: 2, Flagged: 2})
}

// testCardsEarlier: a card has what was found in its player's content of late and
// stands, newest first and bounded, also where the player has no card of its own.
func testCardsEarlier(t *testing.T, p Place) {
	t.Helper()
	s, ctx, at := p.Open(t), t.Context(), now()
	put := func(id string, player engines.PlayerID, back time.Duration, v engines.Verdict) engines.Earlier {
		t.Helper()
		d := store.Decision{App: "game", Request: engines.RequestID(id), Player: player, Kind: engines.KindAudio, Verdict: v, Created: at.Add(-back), Weight: 1}
		var c *store.Case
		if v.Case {
			d.CaseID = engines.CaseID("k" + id)
			c = &store.Case{ID: d.CaseID, App: "game", Request: d.Request, Player: player, State: store.CaseOpen, Version: 1, Created: d.Created, Updated: d.Created}
		}
		must(t, s.PutDecision(ctx, d, c, nil))
		return engines.Earlier{Request: d.Request, Kind: d.Kind, Category: engines.Hate, Confidence: 0.75, At: d.Created.UnixMilli()}
	}
	found := engines.Finding{Suggestion: engines.Review, Labels: []engines.Label{{Category: engines.Hate, Confidence: 0.75}, {Category: engines.Hate, SubLabel: "slur", Confidence: 0.5}}}
	flagged, clean := engines.Verdict{Finding: found, Case: true}, engines.Verdict{Finding: engines.Finding{Suggestion: engines.Pass}}
	want := func(what string, list ...engines.Earlier) {
		t.Helper()
		c, err := s.Card(ctx, "game", "ann", at.UnixMilli())
		must(t, err)
		same(t, what, c.Earlier, list)
	}
	want("of nobody")
	monitored := clean
	monitored.Observed = &found
	put("old", "ann", engines.EarlierWithin+time.Minute, flagged)
	put("bob", "bob", 0, flagged)
	put("clean", "ann", time.Second, clean)
	put("seen", "ann", time.Second, monitored)
	one, two, three := put("r1", "ann", 3*time.Minute, flagged), put("r2", "ann", 2*time.Minute, flagged), put("r-s9", "ann", time.Minute, flagged)
	want("all that counts", three, two, one)
	_, err := DecideCase(ctx, s, "kr2", 1, store.CaseApproved, "mod", "nothing wrong", at)
	must(t, err)
	_, err = DecideCase(ctx, s, "kr1", 1, store.CaseRejected, "mod", "indeed", at)
	must(t, err)
	want("one was approved, one rejected", three, one)
	give(t, s, store.StrikeWish{Strike: strikeOf("s9", "ann", 3, at.UnixMilli())}, 99)
	want("struck for one", three, one)
	_, err = s.UndoStrike(ctx, "game", "s9", "senior", at.UnixMilli()+10, func(*store.Penalty, []store.Strike) bool { return true })
	must(t, err)
	want("the strike was taken back", one)
	var newest []engines.Earlier
	for i := range engines.EarlierMost + 3 {
		newest = append([]engines.Earlier{put("many"+strconv.Itoa(100+i), "ann", time.Duration(50-i)*time.Second, flagged)}, newest...)
	}
	want("the newest of many", newest[:engines.EarlierMost]...)
}
