package chat

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// receiver loses its connection again and again and resumes on any gateway.
// Its history is what it got, cut into parts by resets.
type receiver struct {
	*client
	parts  [][]string
	resets int
	left   int // senders whose last message is not in
}

// take reads one frame and looks for a sender's last message.
func (r *receiver) take() (message, error) {
	m, err := r.read()
	if m.str("type") == "message" && strings.HasSuffix(m.str("content"), " end") {
		r.left--
	}
	return m, err
}

// lose drops the connection, or leaves it half open, and resumes.
func (r *receiver) lose(gates []*gate, rnd *rand.Rand) error {
	old := r.ws
	if rnd.IntN(2) == 0 {
		_ = old.CloseNow()
	}
	defer func() { _ = old.CloseNow() }()
	g := gates[rnd.IntN(len(gates))]
	for g.isDead() {
		g = gates[rnd.IntN(len(gates))]
	}
	ws, err := tryDial(g)
	if err != nil {
		return err
	}
	r.ws = ws
	r.send(r.claim())
	m, err := r.read()
	if err != nil {
		if g.isDead() {
			return nil // and again
		}
		return fmt.Errorf("resume: %w", err)
	}
	switch m.str("type") {
	case "resumed":
		r.token = m.str("resume_token")
		return nil
	case "reset":
		r.resets++
		r.parts, r.said, r.seq = append(r.parts, r.said), nil, 0
		r.send(message{"type": "hello", "token": "player " + r.name() + " lobby"})
		if r.ready, err = r.read(); err != nil {
			return err
		}
		if r.ready.str("type") != "ready" {
			return fmt.Errorf("after a reset: %v", r.ready)
		}
		r.token = r.ready.str("resume_token")
		r.send(message{"type": "join", "id": "j", "scene_id": "lobby"})
		for m.str("type") != "ok" {
			if m, err = r.take(); err != nil {
				return err
			}
		}
		return nil
	}
	return fmt.Errorf("resume: %v", m)
}

func (r *receiver) name() string { return fmt.Sprintf("r%p", r) }

// run receives until every sender's last message is in.
func (r *receiver) run(end time.Time, gates []*gate, rnd *rand.Rand) error {
	for {
		for range rnd.IntN(200) {
			if r.left == 0 {
				return nil
			}
			if _, err := r.take(); err != nil {
				if errors.Is(err, errOrder) || time.Now().After(end) {
					return err
				}
				break // closed
			}
		}
		if err := r.lose(gates, rnd); err != nil {
			return err
		}
	}
}

// check holds a history against what was sent: within a part, each sender's
// messages follow each other without a gap and without a repeat.
func check(part []string) error {
	last := map[string]int{}
	for _, text := range part {
		sender, rest, _ := strings.Cut(text, " ")
		number, _, _ := strings.Cut(rest, " ")
		n, err := strconv.Atoi(number)
		if err != nil {
			return err
		}
		if before, ok := last[sender]; ok && n != before+1 {
			return fmt.Errorf("%s: %d after %d", sender, n, before)
		}
		last[sender] = n
	}
	return nil
}

// kill ends a gateway without a word to anybody.
func (g *gate) kill() {
	g.set(func(n *node) { n.dead = true })
	g.hub.mu.Lock()
	defer g.hub.mu.Unlock()
	g.hub.closing = true // takes no connection any more
	for l := range g.hub.links {
		_ = g.hub.crew.start(func() { _ = l.ws.CloseNow() })
	}
}

func (n *node) isDead() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.dead
}

// speak sends numbered messages as fast as a busy scene gets them.
func speak(c *client, i int, lasts time.Duration) error {
	stop := time.Now().Add(lasts)
	for n := 1; ; n++ {
		text := fmt.Sprintf("s%d %d", i, n)
		last := time.Now().After(stop)
		if last {
			text += " end"
		}
		c.send(message{"type": "chat", "id": text, "scene_id": "lobby", "player_id": fmt.Sprint("s", i), "content": text})
		if m, err := c.read(); err != nil || m.str("type") != "verdict" {
			return fmt.Errorf("sender %d: %v: %w", i, m, err)
		}
		if last {
			return nil
		}
		time.Sleep(rand.N(4 * time.Millisecond))
	}
}

// history runs senders at the first two gateways and receivers everywhere.
func history(t *testing.T, gates []*gate, meanwhile func()) []*receiver {
	t.Helper()
	const senders, receivers, lasts = 4, 8, 2 * time.Second
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	end := time.Now().Add(2 * patience)
	var wg sync.WaitGroup
	all := make([]*receiver, receivers)
	for i := range all {
		r := &receiver{left: senders}
		r.client = login(t, gates[i%len(gates)], "player "+r.name()+" lobby")
		all[i] = r
		wg.Go(func() {
			if err := r.run(end, gates, rand.New(rand.NewPCG(seed, uint64(i)))); err != nil {
				t.Errorf("receiver %d: %v", i, err)
			}
			r.cut()
		})
	}
	for i := range senders {
		c := login(t, gates[i%2], "server")
		wg.Go(func() {
			if err := speak(c, i, lasts); err != nil {
				t.Error(err)
			}
		})
	}
	meanwhile()
	wg.Wait()
	for i, r := range all {
		for _, part := range append(r.parts, r.said) {
			if err := check(part); err != nil {
				t.Errorf("receiver %d: %v", i, err)
			}
		}
	}
	return all
}

// TestHistory has receivers lose their connections at random while all talk: every
// push comes once and in order, over whichever gateways.
func TestHistory(t *testing.T) {
	w := newWorld()
	gates := []*gate{serve(t, w, "a", testConfig(), desk(words)), serve(t, w, "b", testConfig(), desk(words))}
	for i, r := range history(t, gates, func() {}) {
		if r.resets > 0 {
			t.Errorf("receiver %d: %d resets", i, r.resets)
		}
	}
}

// TestHistoryWithDeath has a gateway die meanwhile. Who had pushes that died with
// it may get a reset, once; nobody gets a gap or a repeat.
func TestHistoryWithDeath(t *testing.T) {
	w := newWorld()
	gates := []*gate{
		serve(t, w, "a", testConfig(), desk(words)), serve(t, w, "b", testConfig(), desk(words)), serve(t, w, "c", testConfig(), desk(words)),
	}
	dies := gates[2]
	for i, r := range history(t, gates, func() { time.Sleep(500 * time.Millisecond); dies.kill() }) {
		if r.resets > 1 {
			t.Errorf("receiver %d: %d resets", i, r.resets)
		}
		t.Logf("receiver %d: %d resets", i, r.resets)
	}
}
