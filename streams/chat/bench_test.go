package chat

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/coder/websocket"
	"github.com/prometheus/client_golang/prometheus/testutil"
)

// alone starts a gateway with nobody beside it, as most run.
func alone(b *testing.B) *gate {
	b.Helper()
	w := newWorld()
	g := serve(b, w, "a", testConfig(), desk(words))
	g.alone = true
	return g
}

// BenchmarkChatMessage is one message from the client's write to its verdict, over
// loopback, with a desk that costs nothing. Both ends are in the figures.
func BenchmarkChatMessage(b *testing.B) {
	g := alone(b)
	ann := login(b, g, "player ann lobby")
	ctx := context.Background()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		frame := fmt.Appendf(nil, `{"type":"chat","id":"%d","scene_id":"lobby","content":"well played, see you at the gate"}`, i)
		if err := ann.ws.Write(ctx, websocket.MessageText, frame); err != nil {
			b.Fatal(err)
		}
		if _, _, err := ann.ws.Read(ctx); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkFanOut100 is one message until each of a hundred members has it.
func BenchmarkFanOut100(b *testing.B) {
	const members = 100
	g := alone(b)
	ctx := context.Background()
	var got atomic.Int64
	all := make(chan struct{}, 1) // one round at a time
	var wg sync.WaitGroup
	clients := make([]*client, members)
	for i := range clients {
		clients[i] = login(b, g, fmt.Sprintf("player p%d lobby", i))
	}
	for _, c := range clients {
		wg.Go(func() {
			for {
				if _, _, err := c.ws.Read(ctx); err != nil {
					return
				}
				if got.Add(1)%members == 0 {
					all <- struct{}{}
				}
			}
		})
	}
	server := login(b, g, "server")
	frame := []byte(`{"type":"chat","scene_id":"lobby","player_id":"npc","content":"well played, see you at the gate"}`)
	b.ReportAllocs()
	for b.Loop() {
		if err := server.ws.Write(ctx, websocket.MessageText, frame); err != nil {
			b.Fatal(err)
		}
		if _, _, err := server.ws.Read(ctx); err != nil {
			b.Fatal(err)
		}
		<-all
	}
	b.StopTimer()
	if closed := testutil.CollectAndCount(g.hub.m.closes); closed != 0 {
		b.Errorf("%d connections closed meanwhile", closed)
	}
	for _, c := range clients {
		c.cut()
	}
	wg.Wait()
}
