package bench

import (
	"context"
	"slices"
	"time"
)

// turns is one player's talk: speech while it is one of those that speak, which others
// are after each round, else silence.
func (b *voiceLoad) turns(ctx context.Context, i int, c *voiceCall) error {
	n := max(b.options.streams, 1)
	length := len(b.talk)
	for round := 0; ; round++ {
		first := round * b.options.speaking % n
		place := (i - first + n) % n
		if place >= b.options.speaking {
			if err := c.client.Speak(ctx, pause(time.Duration(length)*20*time.Millisecond), nil); err != nil {
				return err //nolint:wrapcheck // named by the client
			}
			continue
		}
		if place != round%b.options.speaking { // one of those that speak says a threat
			if err := c.client.Speak(ctx, b.talk, nil); err != nil {
				return err //nolint:wrapcheck // as above
			}
			continue
		}
		if err := b.threaten(ctx, c, length); err != nil {
			return err
		}
	}
}

// threaten says a threat, and waits for its verdict in silence as long as a turn is.
func (b *voiceLoad) threaten(ctx context.Context, c *voiceCall, length int) error {
	for len(c.pushes) > 0 { // of an earlier one
		<-c.pushes
	}
	err := c.client.Speak(ctx, b.threat, nil)
	if err != nil {
		return err //nolint:wrapcheck // as above
	}
	said := time.Now()
	err = c.client.Speak(ctx, pause(time.Duration(max(length-len(b.threat), 0))*20*time.Millisecond), nil)
	at, found := c.threatTold()
	if err == nil || found {
		b.mu.Lock()
		b.said++
		if found {
			b.waits = append(b.waits, max(at.Sub(said), 0))
		}
		b.mu.Unlock()
	}
	return err //nolint:wrapcheck // as above
}

// threatTold is when the player was first told of a threat, of what came since the last look.
func (v *voiceCall) threatTold() (at time.Time, found bool) {
	for len(v.pushes) > 0 {
		if p := <-v.pushes; !found && p.Type == "voice.verdict" && slices.Contains(p.Categories, "violence") {
			at, found = p.at, true
		}
	}
	return at, found
}
