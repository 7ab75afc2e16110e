package economy

import (
	"errors"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
)

// fakeRuler raises every risk by 40 and reviews every trade.
type fakeRuler struct {
	mu      sync.Mutex
	counted []bool
	asked   []Features
	at      int64
}

func (f *fakeRuler) OnPlayer(_ engines.AppID, p engines.PlayerID, of func(engines.PlayerID) Features, at int64, count bool, r *Risk) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.counted, f.asked, f.at = append(f.counted, count), append(f.asked, of(p)), at
	r.Score = AddScore(r.Score, 40)
}

func (f *fakeRuler) OnTrade(_ engines.AppID, _ *Proposal, of func(engines.PlayerID) Features, at int64, e *Evaluation) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.asked, f.at = append(f.asked, of("p")), at
	e.Suggestion, e.Reasons = engines.Review, append(slices.Clip(e.Reasons), RulePrefix+"r")
}

// seen is what was asked until now.
func (f *fakeRuler) seen() (counted []bool, asked []Features, at int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.counted), slices.Clone(f.asked), f.at
}

// withRules serves over a store with rules.
func withRules(t *testing.T, store *fakeStore) (*Service, *fakeRuler) {
	t.Helper()
	f := &fakeRuler{}
	s := New(Deps{
		Store: store, Book: func() Book { return newCountBook() }, Log: slog.New(slog.DiscardHandler), Rules: f,
		Expel: func(engines.AppID, engines.PlayerID) {}, Tell: func(engines.AppID, engines.PlayerID) {},
		Now: func() time.Time { return time.UnixMilli(1790000000000) },
	})
	runs(t, s)
	return s, f
}

func TestRulesJoin(t *testing.T) {
	s, f := withRules(t, newFakeStore())
	const at = 1700000000000 // an app that plays old logs
	if _, err := s.Submit(t.Context(), "game", []Entry{earn("p", "1", at), earn("q", "1", at)}); err != nil {
		t.Fatal(err)
	}
	r, _, err := s.Risk(t.Context(), "game", "p")
	counted, asked, when := f.seen()
	if err != nil || r.Score != 41 || len(counted) != 1 || !counted[0] || when != at {
		t.Errorf("%+v, %v, counted %v at %d", r, err, counted, when)
	}
	if got := asked[0]; got.Score != 1 || got.AccountAge != -1 {
		t.Errorf("features %+v", got)
	}
	trade := func() Evaluation {
		t.Helper()
		e, err := s.Evaluate(t.Context(), "game", &Proposal{Sender: "p", Receiver: "q"})
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	if e := trade(); e.Suggestion != engines.Review || !slices.Equal(e.Reasons, []string{"price_deviation", "rule:r"}) {
		t.Errorf("%+v", e)
	}
	// A rule does not soften a ban.
	if _, err := s.Ban(t.Context(), Ban{App: "game", ID: "b", Player: "q", Type: TradeBan}, 0); err != nil {
		t.Fatal(err)
	}
	if e := trade(); e.Suggestion != engines.Block || e.Score != 100 || e.Reasons[0] != BannedParty {
		t.Errorf("of a banned side: %+v", e)
	}
	// What chat asks is with the rules, and no evaluation of theirs.
	got := s.scoreNow(PlayerKey{"game", "p"})
	if counted, _, _ = f.seen(); got != 41 || counted[len(counted)-1] {
		t.Errorf("standing %d, counted %v", got, counted)
	}
}

// What a trial asks is of the model alone.
func TestFactsAndWeigh(t *testing.T) {
	s, f := withRules(t, newFakeStore())
	const at = 1700000000000
	if _, err := s.Submit(t.Context(), "game", []Entry{earn("p", "1", at), earn("q", "1", at)}); err != nil {
		t.Fatal(err)
	}
	features, risk, err := s.Facts(t.Context(), "game", "p")
	if err != nil || risk.Score != 1 || features.Score != 1 {
		t.Errorf("%+v, %+v, %v", features, risk, err)
	}
	e, _, receiver, err := s.Weigh(t.Context(), "game", &Proposal{Sender: "p", Receiver: "q"})
	if err != nil || e.Suggestion != engines.Pass || receiver.Score != 1 {
		t.Errorf("%+v, %+v, %v", e, receiver, err)
	}
	if _, _, err := s.Facts(t.Context(), "game", "nobody"); !errors.Is(err, ErrUnknownPlayer) {
		t.Errorf("nobody: %v", err)
	}
	if _, _, _, err := s.Weigh(t.Context(), "game", &Proposal{Sender: "p", Receiver: "nobody"}); !errors.Is(err, ErrUnknownPlayer) {
		t.Errorf("a trade with nobody: %v", err)
	}
	if newest, err := s.Newest(t.Context(), "game"); err != nil || newest != at {
		t.Errorf("newest %d, %v", newest, err)
	}
	if counted, _, _ := f.seen(); len(counted) != 0 {
		t.Error("a trial was counted")
	}
}

func TestAddScore(t *testing.T) {
	for _, c := range [][3]int{{0, 0, 0}, {50, 40, 70}, {0, 100, 100}, {100, 7, 100}, {30, 1, 31}, {99, 1, 99}} {
		if got := AddScore(c[0], c[1]); got != c[2] {
			t.Errorf("AddScore(%d, %d) = %d, want %d", c[0], c[1], got, c[2])
		}
	}
}
