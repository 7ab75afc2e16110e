package erasure

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/store/sqlstore"
)

// memory notes what gateways were told.
type memory struct {
	mu         sync.Mutex
	dismissed  []engines.PlayerID
	erased     []engines.PlayerID
	unanswered []engines.PlayerID
	forgot     []engines.AppID
	fail       error
}

func (m *memory) Dismiss(_ context.Context, _ engines.AppID, player engines.PlayerID) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.dismissed = append(m.dismissed, player)
	return m.fail
}

// Unanswer comes after the sessions have ended, and before anything is erased for good.
func (m *memory) Unanswer(_ context.Context, _ engines.AppID, player engines.PlayerID) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !slices.Contains(m.dismissed, player) || slices.Contains(m.erased, player) {
		return errors.New("answers are forgotten out of turn")
	}
	m.unanswered = append(m.unanswered, player)
	return m.fail
}

func (m *memory) Erased(_ engines.AppID, player engines.PlayerID) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.erased = append(m.erased, player)
}

func (m *memory) Forget(app engines.AppID) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.forgot = append(m.forgot, app)
}

func (m *memory) forgotten() []engines.AppID {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.forgot
}

func open(t *testing.T) *sqlstore.Store {
	t.Helper()
	db, err := sqlstore.Open(t.Context(), sqlstore.Config{Dir: t.TempDir(), MasterKey: [32]byte{1}, Node: "n1"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	err = db.PutPlayers(t.Context(), []economy.PlayerKey{{App: "game", Player: "ann"}, {App: "game", Player: "bob"}})
	if err != nil {
		t.Fatal(err)
	}
	return db
}

// serve runs a gateway's service until the test, or stop, ends it.
func serve(t *testing.T, s *Service) (stop func()) {
	t.Helper()
	s.settle = 0
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { s.Serve(ctx); close(done) }()
	stop = func() { cancel(); <-done }
	t.Cleanup(stop)
	return stop
}

const patience = 20 * time.Second

func TestErase(t *testing.T) {
	db, m := open(t), &memory{}
	s := New(db, m, slog.New(slog.DiscardHandler))
	stop := serve(t, s)
	e, err := s.Erase(t.Context(), "game", "ann", "app/game", patience)
	if err != nil || e.State != store.ErasureDone || e.Counts["players"] != 1 {
		t.Fatalf("Erase() = %+v, %v", e, err)
	}
	if got, err := s.Erasure(t.Context(), "game", e.ID); err != nil || got.State != store.ErasureDone {
		t.Errorf("Erasure() = %+v, %v", got, err)
	}
	if _, err := s.Erasure(t.Context(), "other", e.ID); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("another app's: %v", err)
	}
	// A second one within the quarter of an hour waits, and is not forgotten at the end.
	if _, err := s.Erase(t.Context(), "game", "bob", "app/game", patience); err != nil {
		t.Fatal(err)
	}
	stop()
	if got := m.forgotten(); len(got) != 2 {
		t.Errorf("economy counted anew %d times, want 2: now, and for the one that waited at the end", len(got))
	}
	if len(m.dismissed) != 2 || m.dismissed[0] != "ann" {
		t.Errorf("dismissed %v", m.dismissed)
	}
	if !slices.Equal(m.unanswered, m.erased) {
		t.Errorf("answers of %v are forgotten, want those of %v", m.unanswered, m.erased)
	}
	if len(m.erased) != 2 || m.erased[0] != "ann" || m.erased[1] != "bob" {
		t.Errorf("told of the end of %v", m.erased)
	}
}

// Where sessions cannot be ended the erasure waits, and another gateway does it.
func TestAnotherGatewayGoesOn(t *testing.T) {
	db := open(t)
	broken, whole := &memory{fail: store.ErrUnavailable}, &memory{}
	first := New(db, broken, slog.New(slog.DiscardHandler))
	stop := serve(t, first)
	e, err := first.Erase(t.Context(), "game", "ann", "app/game", time.Millisecond)
	if err != nil || e.State != store.ErasureRunning {
		t.Fatalf("Erase() = %+v, %v", e, err)
	}
	for end := time.Now().Add(patience); ; time.Sleep(time.Millisecond) {
		broken.mu.Lock()
		tried := len(broken.dismissed) > 0
		broken.mu.Unlock()
		if tried || time.Now().After(end) {
			break
		}
	}
	stop()
	if err := db.ExtendErasure(t.Context(), e.ID, time.Now().Add(-time.Second)); err != nil { // its lease has run out
		t.Fatal(err)
	}
	second := New(db, whole, slog.New(slog.DiscardHandler))
	serve(t, second)
	if e, err = second.Erase(t.Context(), "game", "ann", "ana", patience); err != nil || e.State != store.ErasureDone {
		t.Errorf("Erase() = %+v, %v", e, err)
	}
	if len(whole.forgotten()) == 0 {
		t.Error("the economy was not counted anew")
	}
	// The first, were it still there, hears of it by the store.
	first.follow(t.Context())
	if len(broken.forgotten()) != 1 {
		t.Errorf("the other gateway counted anew %d times, want 1", len(broken.forgotten()))
	}
	first.follow(t.Context())
	if len(broken.forgotten()) != 1 {
		t.Error("heard of it twice")
	}
}
