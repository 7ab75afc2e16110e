package hooks

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/store/sqlstore"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// clock is a clock that tests move.
type clock struct {
	mu    sync.Mutex
	ahead time.Duration
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return time.Now().Add(c.ahead)
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ahead += d
}

// place is a store with services that deliver from it.
type place struct {
	*Service
	db    *sqlstore.Store
	clock *clock
}

func open(t *testing.T, cfg Config) *place {
	t.Helper()
	var key [32]byte
	_, _ = rand.Read(key[:])
	db, err := sqlstore.Open(t.Context(), sqlstore.Config{Dir: t.TempDir(), MasterKey: key, Node: "n"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	p := &place{db: db, clock: &clock{}}
	p.Service = p.service(cfg)
	return p
}

func (p *place) service(cfg Config) *Service {
	return New(cfg, Deps{
		Store: p.db, Log: slog.New(slog.DiscardHandler), Now: p.clock.now,
		Body: func(_ context.Context, e *store.Event) ([]byte, error) {
			if e.Ban == nil && e.Type != store.EventTest {
				return nil, nil
			}
			return []byte(`{"id":"` + e.ID + `"}`), nil
		},
	})
}

func local() Config {
	c := Default()
	c.AllowHTTP, c.AllowPrivate = true, true
	return c
}

// start serves until the test ends.
func start(t *testing.T, services ...*Service) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	for _, s := range services {
		wg.Go(func() { s.Serve(ctx) })
	}
	t.Cleanup(func() { cancel(); wg.Wait() })
}

// put makes endpoints of these URLs and returns them.
func (p *place) put(t *testing.T, urls ...string) []store.Hook {
	t.Helper()
	var wishes []store.HookWish
	for _, u := range urls {
		wishes = append(wishes, store.HookWish{URL: u, Events: []string{"*"}, Enabled: true})
	}
	list, _, err := p.Put(t.Context(), "game", wishes, "app/game")
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(list, func(x, y store.Hook) int { return slices.Index(urls, x.URL) - slices.Index(urls, y.URL) })
	return list
}

// ban commits a ban, and with it an event.
func (p *place) ban(t *testing.T, id string) {
	t.Helper()
	if _, err := p.db.PutBan(t.Context(), economy.Ban{App: "game", ID: id, Player: "p", Type: economy.Permanent, Created: 1}); err != nil {
		t.Fatal(err)
	}
}

func (p *place) deliveries(t *testing.T, hook string) []store.Delivery {
	t.Helper()
	list, err := p.Deliveries(t.Context(), "game", hook, "", economy.Mark{}, 500)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// rests waits until nobody works for the endpoint: what an attempt came to is noted
// before its lane is given back, and the endpoint's rest is counted from then on.
func (p *place) rests(t *testing.T, hook string) {
	t.Helper()
	eventually(t, "the lane's end", func() bool {
		p.mu.Lock()
		defer p.mu.Unlock()
		l := p.lanes[hook]
		return l == nil || !l.running
	})
}

// one waits for the endpoint's only delivery to be as asked.
func (p *place) one(t *testing.T, hook, what string, is func(d store.Delivery) bool) (d store.Delivery) {
	t.Helper()
	eventually(t, what, func() bool {
		list := p.deliveries(t, hook)
		if len(list) == 1 {
			d = list[0]
		}
		return len(list) == 1 && is(d)
	})
	return d
}

func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: not within a minute", what)
		}
	}
}

// server counts requests by webhook-id and answers as it is told.
type server struct {
	*httptest.Server
	mu     sync.Mutex
	status int
	header http.Header
	heads  []http.Header
}

func listen(t *testing.T, status int) *server {
	t.Helper()
	s := &server{status: status, header: http.Header{}}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.heads = append(s.heads, r.Header)
		maps.Copy(w.Header(), s.header)
		w.WriteHeader(s.status)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *server) set(status int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.status = status
}

func (s *server) ids() (list []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, h := range s.heads {
		list = append(list, h.Get("Webhook-Id"))
	}
	return list
}

func failedOnce(d store.Delivery) bool {
	return d.State == store.DeliveryPending && d.Attempts == 1 && d.Error != ""
}

// What fails is tried again later, under the same id; what is delivered is not.
func TestRetry(t *testing.T) {
	p, s := open(t, local()), listen(t, 500)
	h := p.put(t, s.URL)[0]
	start(t, p.Service)
	p.ban(t, "b1")
	d := p.one(t, h.ID, "the first attempt", failedOnce)
	if d.Status != 500 || d.Error != "HTTP 500" || !d.Next.After(d.Last.Add(3*time.Second)) || d.Next.After(d.Last.Add(7*time.Second)) {
		t.Errorf("after a failure: %+v", d)
	}
	if list, err := p.List(t.Context(), "game"); err != nil || list[0].Failing.IsZero() || list[0].Pending != 1 {
		t.Errorf("the endpoint: %+v, %v", list, err)
	}
	s.set(204)
	p.rests(t, h.ID)
	p.clock.pass(10 * time.Second)
	d = p.one(t, h.ID, "the second attempt", func(d store.Delivery) bool { return d.State == store.DeliveryDelivered })
	if d.Attempts != 2 || d.Status != 204 || d.Error != "" {
		t.Errorf("delivered: %+v", d)
	}
	if ids := s.ids(); len(ids) != 2 || ids[0] != ids[1] || ids[0] != d.Event {
		t.Errorf("requests with the ids %v, want %s twice", ids, d.Event)
	}
	if list, err := p.List(t.Context(), "game"); err != nil || !list[0].Failing.IsZero() || list[0].Pending != 0 {
		t.Errorf("the endpoint: %+v, %v", list, err)
	}
	if _, err := p.Resend(t.Context(), "game", h.ID, d.ID); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the third", func() bool { return len(s.ids()) == 3 })
	if _, err := p.Resend(t.Context(), "other", h.ID, d.ID); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("another app sends it again: %v", err)
	}
}

// A Retry-After that asks for more than our own wait counts, up to a bound.
func TestRetryAfter(t *testing.T) {
	p, s := open(t, local()), listen(t, 429)
	s.header.Set("Retry-After", "600")
	h := p.put(t, s.URL)[0]
	start(t, p.Service)
	p.ban(t, "b1")
	if d := p.one(t, h.ID, "the attempt", failedOnce); d.Next.Before(d.Last.Add(10 * time.Minute)) {
		t.Errorf("next at %v after %v, want 10 minutes", d.Next, d.Last)
	}
}

func TestRetryAfterForms(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for head, want := range map[string]time.Duration{
		"": 0, "0": 0, "-5": 0, "soon": 0, "30": 30 * time.Second, "1000000": 24 * time.Hour, "99999999999999999999": 0,
		"Sun, 01 Mar 2026 12:02:00 GMT": 2 * time.Minute, "Sun, 01 Mar 2026 11:00:00 GMT": 0, "Mon, 01 Mar 2027 12:00:00 GMT": 24 * time.Hour,
	} {
		if got := retryAfter(head, now); got != want {
			t.Errorf("Retry-After %q: %v, want %v", head, got, want)
		}
	}
}

// An endpoint that takes the request and never answers is one that failed, and is asked
// again later.
func TestHang(t *testing.T) {
	hang := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
	}))
	defer hang.Close()
	cfg := local()
	cfg.Timeout = 100 * time.Millisecond
	p := open(t, cfg)
	h := p.put(t, hang.URL)[0]
	start(t, p.Service)
	p.ban(t, "b1")
	if d := p.one(t, h.ID, "the attempt", failedOnce); d.Status != 0 || d.Error != "no answer in time" || !d.Next.After(d.Last) {
		t.Errorf("after an endpoint that hangs: %+v", d)
	}
}

// What failed together does not come back together.
func TestJitter(t *testing.T) {
	seen := map[time.Duration]bool{}
	for range 50 {
		d := wait(3, 0)
		if d < waits[2]*8/10 || d > waits[2]*12/10 {
			t.Errorf("the third wait is %v, want %v and a fifth more or less", d, waits[2])
		}
		seen[d] = true
	}
	if len(seen) < 2 {
		t.Errorf("50 waits are all %v", seen)
	}
}

// A delivery that fails for as long as it may is given up, and can be sent again.
func TestGivenUp(t *testing.T) {
	p, s := open(t, local()), listen(t, 500)
	h := p.put(t, s.URL)[0]
	start(t, p.Service)
	p.ban(t, "b1")
	dead := func(d store.Delivery) bool { return d.State == store.DeliveryDead }
	d := p.one(t, h.ID, "the end", func(d store.Delivery) bool {
		p.clock.pass(max(time.Second, d.Next.Sub(p.clock.now()))) // at once where it is due, but for the endpoint's rest
		p.Wake()
		return dead(d)
	})
	if n := len(s.ids()); n != d.Attempts || n < 9 || n > 12 || d.Last.Sub(d.Created) < 12*time.Hour || d.Last.Sub(d.Created) > 25*time.Hour {
		t.Errorf("given up after %d attempts, %d requests, in %v", d.Attempts, n, d.Last.Sub(d.Created))
	}
	if list, err := p.List(t.Context(), "game"); err != nil || list[0].Dead != 1 || !list[0].Enabled {
		t.Errorf("the endpoint: %+v, %v", list, err)
	}
	s.set(200)
	p.rests(t, h.ID)
	p.clock.pass(coolest)
	if _, err := p.Resend(t.Context(), "game", h.ID, p.deliveries(t, h.ID)[0].ID); err != nil {
		t.Fatal(err)
	}
	p.one(t, h.ID, "the delivery", func(d store.Delivery) bool { return d.State == store.DeliveryDelivered })
}

// An endpoint that fails for long, or says that it has gone, is switched off and says
// why; what waits for it is given up. Switched on again it begins anew.
func TestSwitchedOff(t *testing.T) {
	for _, test := range []struct {
		name   string
		status int
		want   string
	}{{"gone", 410, "410 Gone"}, {"failing", 500, "every attempt failed since"}} {
		t.Run(test.name, func(t *testing.T) {
			cfg := local()
			cfg.OffAfter = time.Hour
			p, s := open(t, cfg), listen(t, test.status)
			h := p.put(t, s.URL)[0]
			start(t, p.Service)
			p.ban(t, "b1")
			if test.status != 410 {
				p.one(t, h.ID, "the first attempt", failedOnce)
				p.rests(t, h.ID)
				p.clock.pass(2 * time.Hour)
			}
			d := p.one(t, h.ID, "the end", func(d store.Delivery) bool { return d.State == store.DeliveryDead })
			list, err := p.List(t.Context(), "game")
			if err != nil || list[0].Enabled || !strings.Contains(list[0].OffReason, test.want) {
				t.Errorf("the endpoint: %+v, %v", list, err)
			}
			if _, err := p.Resend(t.Context(), "game", h.ID, d.ID); !errors.Is(err, store.ErrConflict) {
				t.Errorf("sent again though it is off: %v", err)
			}
			if _, err := p.Test(t.Context(), "game", h.ID); !errors.Is(err, store.ErrConflict) {
				t.Errorf("tested though it is off: %v", err)
			}
			p.ban(t, "b2") // nobody is told
			s.set(200)
			p.rests(t, h.ID)
			p.clock.pass(2 * time.Minute)
			if h = p.put(t, s.URL)[0]; !h.Enabled || h.OffReason != "" || !h.Failing.IsZero() {
				t.Errorf("switched on: %+v", h)
			}
			if _, err := p.Test(t.Context(), "game", h.ID); err != nil {
				t.Fatal(err)
			}
			eventually(t, "the test", func() bool {
				l := p.deliveries(t, h.ID)
				return len(l) == 2 && slices.ContainsFunc(l, func(d store.Delivery) bool { return d.Type == store.EventTest && d.State == store.DeliveryDelivered })
			})
		})
	}
}

// Redirects are not followed, and names that lead to addresses of our own network
// are not dialled.
func TestNowhereElse(t *testing.T) {
	inner := listen(t, 200)
	outer := listen(t, 302)
	outer.header.Set("Location", inner.URL)
	p := open(t, local())
	h := p.put(t, outer.URL)[0]
	start(t, p.Service)
	p.ban(t, "b1")
	if d := p.one(t, h.ID, "the redirect", failedOnce); d.Status != 302 || !strings.Contains(d.Error, "redirect") {
		t.Errorf("redirected: %+v", d)
	}
	cfg := local()
	cfg.AllowPrivate = false
	p = open(t, cfg)
	h = p.put(t, strings.Replace(inner.URL, "127.0.0.1", "localhost", 1))[0]
	start(t, p.Service)
	p.ban(t, "b1")
	if d := p.one(t, h.ID, "the refusal", failedOnce); d.Error != errRefused.Error() {
		t.Errorf("at a private address: %+v", d)
	}
	if n := len(inner.ids()); n != 0 {
		t.Errorf("%d requests got there", n)
	}
}

// An endpoint that does not answer holds no other up.
func TestSlowEndpoint(t *testing.T) {
	release := make(chan struct{})
	slow := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-release:
		case <-r.Context().Done():
		}
	}))
	defer slow.Close()
	defer close(release)
	p, fast := open(t, local()), listen(t, 200)
	hooks := p.put(t, slow.URL, fast.URL)
	start(t, p.Service)
	for i := range 3 * laneWidth {
		p.ban(t, fmt.Sprint("b", i))
	}
	eventually(t, "the fast one's events", func() bool { return len(fast.ids()) == 3*laneWidth })
	for _, d := range p.deliveries(t, hooks[0].ID) {
		if d.State != store.DeliveryPending {
			t.Errorf("of the slow one: %+v", d)
		}
	}
}

// Several gateways share the work: each event is sent once.
func TestSeveralGateways(t *testing.T) {
	p, s := open(t, local()), listen(t, 200)
	p.put(t, s.URL)
	start(t, p.Service, p.service(local()), p.service(local()))
	const n = 60
	for i := range n {
		p.ban(t, fmt.Sprint("b", i))
	}
	eventually(t, "all of them", func() bool { return len(s.ids()) >= n })
	ids := s.ids()
	slices.Sort(ids)
	if got := len(slices.Compact(ids)); got != n || len(s.ids()) != n {
		t.Errorf("%d requests for %d events, want %d for each", len(s.ids()), got, n)
	}
}

// After a rotation both secrets sign for a day.
func TestRotation(t *testing.T) {
	p, s := open(t, local()), listen(t, 200)
	h := p.put(t, s.URL)[0]
	old := h.Secrets[0].Secret
	list, fresh, err := p.Put(t.Context(), "game", []store.HookWish{{ID: h.ID, URL: s.URL, Events: []string{store.EventBanCreated}, Enabled: true, Rotate: true}}, "app/game")
	if err != nil || len(list) != 1 || fresh[h.ID] == "" || fresh[h.ID] == old {
		t.Fatalf("rotated: %+v, %v, %v", list, fresh, err)
	}
	start(t, p.Service)
	p.ban(t, "b1")
	eventually(t, "the event", func() bool { return len(s.ids()) == 1 })
	got := strings.Fields(s.heads[0].Get("Webhook-Signature"))
	if len(got) != 2 || got[0] == got[1] || len(list[0].Secrets) != 2 || list[0].Secrets[0].Secret != fresh[h.ID] || list[0].Secrets[1].Secret != old {
		t.Errorf("signatures %v; secrets %+v", got, list[0].Secrets)
	}
	if left := time.Until(list[0].Secrets[1].Expires); left < 23*time.Hour || left > 25*time.Hour {
		t.Errorf("the old secret serves for %v", left)
	}
	if _, _, err := p.Put(t.Context(), "game", []store.HookWish{{ID: "whk_none", URL: s.URL, Events: []string{"*"}}}, "app/game"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("an endpoint that is nobody's: %v", err)
	}
}

// Endless answers are not read to their end.
func TestEndlessAnswer(t *testing.T) {
	cut := make(chan error, 1)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		for {
			if _, err := io.WriteString(w, strings.Repeat("x", 1<<16)); err != nil {
				cut <- err
				return
			}
		}
	}))
	defer s.Close()
	p := open(t, local())
	h := p.put(t, s.URL)[0]
	start(t, p.Service)
	p.ban(t, "b1")
	p.one(t, h.ID, "the delivery", func(d store.Delivery) bool { return d.State == store.DeliveryDelivered })
	<-cut
}

// Of what there is nothing to say of any more nobody is told.
func TestNothingToSay(t *testing.T) {
	p, s := open(t, local()), listen(t, 200)
	p.put(t, s.URL)
	start(t, p.Service)
	if _, _, err := p.db.OpenAlert(t.Context(), economy.Alert{Kind: economy.HighRisk, App: "game", Player: "p", Score: 80, Level: economy.High}); err != nil {
		t.Fatal(err)
	}
	p.ban(t, "b1")
	eventually(t, "the ban", func() bool { return len(s.ids()) == 1 })
	if left, err := p.db.Events(t.Context(), 10); err != nil || len(left) != 0 {
		t.Errorf("left in the outbox: %v, %v", left, err)
	}
}

func TestValidate(t *testing.T) {
	good := Default()
	if err := good.Validate(); err != nil {
		t.Error(err)
	}
	bad := Config{Timeout: time.Hour}
	err := bad.Validate()
	for _, key := range []string{"connect_timeout", "timeout", "give_up", "off_after", "lanes"} {
		if err == nil || !strings.Contains(err.Error(), "webhooks."+key+":") {
			t.Errorf("Validate() = %v, want a fault of %s", err, key)
		}
	}
}
