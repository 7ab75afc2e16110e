package limit

import (
	"net"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"
	"go.uber.org/goleak"

	"github.com/portcullis-gg/portcullis/engines"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type fakeClock struct {
	mu sync.Mutex
	t  time.Time
}

func newClock() *fakeClock { return &fakeClock{t: time.Unix(1790000000, 0)} }

func (c *fakeClock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.t
}

func (c *fakeClock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.t = c.t.Add(d)
}

func testKey(app engines.AppID, class Class) string {
	return "pc:{a:" + string(app) + "}:rl:" + string(class)
}

// client returns a client set as the gateway sets it.
func client(t *testing.T, addr string) *redis.Client {
	t.Helper()
	c := redis.NewClient(&redis.Options{Addr: addr, ContextTimeoutEnabled: true, MaxRetries: -1})
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Errorf("close client: %v", err)
		}
	})
	return c
}

// miniRedis returns an embedded Redis whose clock the test sets.
func miniRedis(t *testing.T) (*miniredis.Miniredis, *redis.Client) {
	t.Helper()
	m := miniredis.RunT(t)
	m.SetTime(time.Unix(1790000000, 0))
	return m, client(t, m.Addr())
}

// realRedis returns a client of a redis-server that other tests use too: apps
// keep them apart.
func realRedis(t *testing.T) *redis.Client {
	t.Helper()
	address := os.Getenv("PORTCULLIS_TEST_REDIS")
	if address == "" {
		t.Skip("PORTCULLIS_TEST_REDIS is not set: run the tests through internal/store/storetest/servers.sh, as make test does")
	}
	o, err := redis.ParseURL(address)
	if err != nil {
		t.Fatalf("PORTCULLIS_TEST_REDIS: %v", err)
	}
	return client(t, o.Addr)
}

// line is a wire to a Redis that can be made to hang: what is sent arrives
// nowhere, and no connection breaks.
type line struct {
	net.Listener
	hung atomic.Bool
	came atomic.Int64 // connections
	wg   sync.WaitGroup
}

func newLine(t *testing.T, to string) *line {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &line{Listener: l}
	p.wg.Go(func() {
		for {
			near, err := l.Accept()
			if err != nil {
				return
			}
			p.came.Add(1)
			far, err := net.Dial("tcp", to)
			if err != nil {
				near.Close()
				return
			}
			p.wg.Go(func() { p.copy(far, near) })
			p.wg.Go(func() { p.copy(near, far) })
		}
	})
	t.Cleanup(func() {
		l.Close()
		p.wg.Wait() // the client has closed its ends by now
	})
	return p
}

// copy ends when from does, and then ends to.
func (p *line) copy(to, from net.Conn) {
	defer from.Close()
	defer to.Close()
	buf := make([]byte, 4096)
	for {
		n, err := from.Read(buf)
		if err != nil {
			return
		}
		if p.hung.Load() {
			continue
		}
		if _, err := to.Write(buf[:n]); err != nil {
			return
		}
	}
}
