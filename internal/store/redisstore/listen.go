package redisstore

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/session"
	"github.com/portcullis-gg/portcullis/internal/store"
)

const (
	// A silent connection is asked for an answer, and given up when it stays silent
	// once more.
	listenSilence = 5 * time.Second
	listenRetry   = 250 * time.Millisecond
)

// Handlers take what a Listener hears. They are called one at a time from the
// listening goroutine and must not wait. Any may be nil.
type Handlers struct {
	// Scene gets every message of the subscribed scenes, those that this node
	// published itself among them.
	Scene func(engines.AppID, engines.SceneID, session.SceneEntry)
	// Tell gets what other nodes said to this one.
	Tell func(payload []byte)
	// Feed gets the live feed of all nodes, this one's among it.
	Feed func(payload []byte)
	// Missed is called after each reconnection: messages may have been lost.
	Missed func()
}

// Listener hears the channels of this node, of scenes and of the feed.
type Listener struct {
	r *Redis
	h Handlers

	mu     sync.Mutex
	pubsub *redis.PubSub // nil while not connected
	scenes map[string]*sceneSub
}

type sceneSub struct {
	app   engines.AppID
	scene engines.SceneID
	// live is closed when Redis has confirmed the subscription once.
	live chan struct{}
	once sync.Once
}

// NewListener makes a listener; it hears nothing until Listen runs.
func (r *Redis) NewListener(h Handlers) *Listener {
	return &Listener{r: r, h: h, scenes: make(map[string]*sceneSub)}
}

// Tell sends a payload to one node. Nobody knows whether it was heard.
func (r *Redis) Tell(ctx context.Context, node string, payload []byte) error {
	if err := r.client.Publish(ctx, store.NodeChannel(node), payload).Err(); err != nil {
		return fmt.Errorf("tell node %s: %w", node, classify(err))
	}
	return nil
}

// SubscribeScene starts to hear a scene and waits, as long as ctx lasts, until
// Redis has confirmed it, so that nothing said afterwards is missed. On
// store.ErrUnavailable the scene is heard as soon as Redis answers again.
func (l *Listener) SubscribeScene(ctx context.Context, app engines.AppID, scene engines.SceneID) error {
	channel := store.SceneChannel(app, scene)
	l.mu.Lock()
	sub, ok := l.scenes[channel]
	if !ok {
		sub = &sceneSub{app: app, scene: scene, live: make(chan struct{})}
		l.scenes[channel] = sub
		if l.pubsub != nil {
			// An error means that the connection is going; the next one subscribes
			// to all that is in scenes.
			_ = l.pubsub.Subscribe(ctx, channel)
		}
	}
	l.mu.Unlock()
	select {
	case <-sub.live:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("subscribe to scene: %w: %w", store.ErrUnavailable, ctx.Err())
	}
}

// UnsubscribeScene stops hearing a scene.
func (l *Listener) UnsubscribeScene(ctx context.Context, app engines.AppID, scene engines.SceneID) {
	channel := store.SceneChannel(app, scene)
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, ok := l.scenes[channel]; !ok {
		return
	}
	delete(l.scenes, channel)
	if l.pubsub != nil {
		_ = l.pubsub.Unsubscribe(ctx, channel) // else it goes with the connection
	}
}

// Listen hears until ctx ends, over as many connections as it takes.
func (l *Listener) Listen(ctx context.Context) {
	for first := true; ctx.Err() == nil; first = false {
		l.connection(ctx, first)
		select {
		case <-ctx.Done():
		case <-time.After(listenRetry):
		}
	}
}

// connection hears over one connection, until it breaks or ctx ends.
func (l *Listener) connection(ctx context.Context, first bool) {
	ps := l.r.client.Subscribe(ctx)
	// Connecting may take its time; nobody waits for the lock meanwhile.
	err := ps.Subscribe(ctx, store.NodeChannel(l.r.node), store.FeedChannel())
	if err == nil {
		err = l.adopt(ctx, ps)
	}
	// A read is not ended by ctx, only by closing.
	stop := context.AfterFunc(ctx, func() { _ = ps.Close() })
	defer func() {
		l.mu.Lock()
		l.pubsub = nil
		l.mu.Unlock()
		if stop() {
			_ = ps.Close() // it broke, or ctx ended and closed it
		}
	}()
	if err != nil {
		return
	}
	told, silent := first, false
	for {
		message, err := ps.ReceiveTimeout(ctx, listenSilence)
		var timeout net.Error
		switch {
		case err == nil:
			silent = false
		case !silent && errors.As(err, &timeout) && timeout.Timeout() && ctx.Err() == nil:
			silent = true
			if ps.Ping(ctx) != nil {
				return
			}
			continue
		default:
			return
		}
		if sub, ok := message.(*redis.Subscription); ok && sub.Kind == "subscribe" && !told {
			told = true
			if l.h.Missed != nil {
				l.h.Missed()
			}
		}
		l.handle(message)
	}
}

// adopt subscribes to the scenes so far and lets later ones go to ps themselves.
func (l *Listener) adopt(ctx context.Context, ps *redis.PubSub) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.pubsub = ps
	if len(l.scenes) == 0 {
		return nil
	}
	channels := make([]string, 0, len(l.scenes))
	for channel := range l.scenes {
		channels = append(channels, channel)
	}
	return ps.Subscribe(ctx, channels...)
}

func (l *Listener) handle(message any) {
	switch m := message.(type) {
	case *redis.Subscription:
		if sub := l.scene(m.Channel); sub != nil && m.Kind == "subscribe" {
			sub.once.Do(func() { close(sub.live) })
		}
	case *redis.Message:
		l.deliver(m.Channel, m.Payload)
	}
}

func (l *Listener) scene(channel string) *sceneSub {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.scenes[channel]
}

func (l *Listener) deliver(channel, payload string) {
	switch channel {
	case store.NodeChannel(l.r.node):
		if l.h.Tell != nil {
			l.h.Tell([]byte(payload))
		}
	case store.FeedChannel():
		if l.h.Feed != nil {
			l.h.Feed([]byte(payload))
		}
	default:
		sub := l.scene(channel)
		if sub == nil || l.h.Scene == nil {
			return
		}
		// A malformed payload is from somebody who is no gateway of ours.
		if e, err := decodeScene(payload); err == nil {
			l.h.Scene(sub.app, sub.scene, e)
		}
	}
}
