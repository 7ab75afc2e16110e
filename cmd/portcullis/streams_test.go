package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// listener is a player who loses its connection again and again and resumes at any
// gateway. Its history is what it heard, cut into parts where it was reset.
type listener struct {
	*player
	rnd    *rand.Rand
	parts  [][]string
	resets int
}

// where names the gateways that live.
type where func() []*caller

// listen hears until the last message of every sender is in.
func (l *listener) listen(ctx context.Context, gateways where, senders int) error {
	for left := senders; left > 0; {
		for range 1 + l.rnd.IntN(100) {
			f, err := l.next(ctx)
			if err != nil {
				if strings.Contains(err.Error(), "follows") || ctx.Err() != nil {
					return err
				}
				break // closed
			}
			if f.str("type") != "message" {
				continue
			}
			text := f.str("content")
			l.parts[len(l.parts)-1] = append(l.parts[len(l.parts)-1], text)
			if strings.HasSuffix(text, " end") {
				left--
			}
			if left == 0 {
				return nil
			}
		}
		if err := l.lose(ctx, gateways); err != nil {
			return err
		}
	}
	return nil
}

// lose drops the connection, or leaves it half open for a while, and comes back.
func (l *listener) lose(ctx context.Context, gateways where) error {
	old := l.ws
	if l.rnd.IntN(2) == 0 {
		l.cut()
	}
	defer func() { old.CloseNow() }()
	for {
		alive := gateways()
		l.from = alive[l.rnd.IntN(len(alive))]
		f, err := l.resume(ctx)
		switch {
		case err != nil && len(gateways()) < len(alive):
			continue // that one died
		case err != nil:
			return fmt.Errorf("resume: %w", err)
		case f.str("type") == "resumed":
			return nil
		case f.str("type") != "reset":
			return fmt.Errorf("resume: %v", f)
		}
		l.resets++
		l.parts = append(l.parts, nil)
		if _, err := l.until(ctx, "ready", ""); err != nil {
			return err
		}
		return l.join(ctx, lobby)
	}
}

// inOrder holds a history against what was sent: each sender's messages follow
// each other without a gap and without a repeat.
func inOrder(part []string) error {
	last := map[string]int{}
	for _, text := range part {
		words := strings.Fields(text)
		n, err := strconv.Atoi(words[1])
		if err != nil {
			return err
		}
		if before, ok := last[words[0]]; ok && n != before+1 {
			return fmt.Errorf("%s: %d after %d", words[0], n, before)
		}
		last[words[0]] = n
	}
	return nil
}

// talk sends numbered messages and waits for each verdict.
func talk(ctx context.Context, p *player, lasts time.Duration) error {
	stop := time.Now().Add(lasts)
	for n := 1; ; n++ {
		text := p.name + " " + strconv.Itoa(n)
		last := time.Now().After(stop)
		if last {
			text += " end"
		}
		v, err := p.say(ctx, strconv.Itoa(n), lobby, text)
		if err != nil {
			return err
		}
		if v.str("action") != "deliver" {
			return fmt.Errorf("verdict on %q: %v", text, v)
		}
		p.pending = nil // what the others say
		if last {
			return nil
		}
		time.Sleep(5*time.Millisecond + rand.N(5*time.Millisecond))
	}
}

// histories has players talk at the first gateway while others listen at both.
func histories(t *testing.T, p pair, gateways where, meanwhile func()) []*listener {
	t.Helper()
	const listeners, lasts = 6, 4 * time.Second
	talkers := []string{"tom", "tim", "tam"}
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	ctx, cancel := context.WithTimeout(t.Context(), 2*patience)
	defer cancel()
	var wg sync.WaitGroup
	all := make([]*listener, listeners)
	for i := range all {
		from := gateways()[i%2]
		l := &listener{player: enter(t, from, "listener"+strconv.Itoa(i)), rnd: rand.New(rand.NewPCG(seed, uint64(i))), parts: make([][]string, 1)}
		all[i] = l
		wg.Go(func() {
			if err := l.listen(ctx, gateways, len(talkers)); err != nil {
				t.Errorf("listener %d: %v", i, err)
			}
		})
	}
	for _, name := range talkers {
		talker := enter(t, p.game, name)
		wg.Go(func() {
			if err := talk(ctx, talker, lasts); err != nil {
				t.Error(err)
			}
		})
	}
	meanwhile()
	wg.Wait()
	for i, l := range all {
		heard := 0
		for _, part := range l.parts {
			heard += len(part)
			if err := inOrder(part); err != nil {
				t.Errorf("listener %d: %v", i, err)
			}
		}
		t.Logf("listener %d: heard %d, reset %d times", i, heard, l.resets)
	}
	return all
}

func sharedFolder(t *testing.T) pair {
	t.Helper()
	redis, dir := startRedis(t), t.TempDir()
	vars := []string{"PORTCULLIS_REDIS_URL=" + redis.url, "PORTCULLIS_CHAT_PLAYER_RATE=1000", "PORTCULLIS_CHAT_PLAYER_BURST=1000"}
	p := pair{redis: redis, one: serveProcess(t, vars, "--data", dir), two: serveProcess(t, vars, "--data", dir)}
	p.game = newCaller(t, p.one, vars, dir)
	return p
}

// TestEveryPushOnceAndInOrder: connections break at random while people talk, and
// sessions go to and fro between two gateways.
func TestEveryPushOnceAndInOrder(t *testing.T) {
	t.Parallel()
	p := sharedFolder(t)
	both := []*caller{p.game, p.game.at(p.two)}
	for i, l := range histories(t, p, func() []*caller { return both }, func() {}) {
		if l.resets > 0 {
			t.Errorf("listener %d: %d resets, want none", i, l.resets)
		}
	}
}

// TestEveryPushOnceThoughAGatewayDies: a gateway is killed meanwhile. Whoever had
// pushes that died with it may be reset, once; nobody gets a gap or a repeat.
func TestEveryPushOnceThoughAGatewayDies(t *testing.T) {
	t.Parallel()
	p := sharedFolder(t)
	var mu sync.Mutex
	alive := []*caller{p.game, p.game.at(p.two)}
	gateways := func() []*caller { mu.Lock(); defer mu.Unlock(); return alive }
	all := histories(t, p, gateways, func() {
		time.Sleep(time.Second)
		mu.Lock()
		alive = alive[:1]
		mu.Unlock()
		if err := p.two.kill(); err != nil {
			t.Error(errors.Join(errors.New("kill"), err))
		}
	})
	for i, l := range all {
		if l.resets > 1 {
			t.Errorf("listener %d: %d resets, want one at most", i, l.resets)
		}
	}
}
