package players

import (
	"math"
	"strings"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

const dayMS = int64(24 * time.Hour / time.Millisecond)

// The states of trust.
const (
	Trusted = "trusted"
	Watched = "watched"
	// Unmoved is the pin of a player who is to be neither.
	Unmoved = "default"
)

// minor is the segment of those who are to be protected most.
const minor = "minor"

// card is what a verdict asks of a player. The zero card is that of a player of whom
// nothing is known.
type card struct {
	segment, region, language string
	unverified                bool // its age is not shown
	pin                       string
	pinUntil                  int64
	weight                    float64 // of its strikes, as of weightAt
	weightAt                  int64   // epoch ms
	struck                    int64   // the last strike, epoch ms
	violations                []recentCounts
	earlier                   []engines.Earlier // newest first; whoever asked may have it: never written to
	clean                     float64           // credit, as of cleanAt
	cleanAt                   int64
	day                       int64 // the newest that gave some, in days since the epoch
	version                   int
	changed                   int64
	untold                    bool

	// today counts here alone: passes of which nothing was found.
	today  int64
	passes int
}

// faded is a figure after a time, by its half-life.
func faded(v float64, past, halfLife int64) float64 {
	if v == 0 || past <= 0 {
		return v
	}
	return v * math.Exp2(-float64(past)/float64(halfLife))
}

// cardOf makes a card of what is stored.
func (s *Service) cardOf(c *store.Card) card {
	out := card{
		segment: c.Profile.Segment, region: c.Profile.Region, language: c.Profile.Language, unverified: c.Profile.AgeVerified == "no",
		pin: c.Pin.Trust, pinUntil: c.Pin.Until, clean: c.Clean, cleanAt: c.CleanAt, day: c.Day, version: c.Version,
		changed: c.Changed, untold: c.Untold > 0, weightAt: s.clock(),
	}
	half := s.cfg.StrikeHalfLife.Milliseconds()
	for _, st := range c.Strikes {
		out.weight += faded(float64(st.Weight), out.weightAt-st.Created, half)
		out.struck = max(out.struck, st.Created)
	}
	out.violations = recentOf(c.Strikes, s.cfg.RecentWindow, out.weightAt)
	out.earlier = c.Earlier
	return out
}

// weightNow is what the player's strikes weigh, credit what its clean days are worth.
func (s *Service) weightNow(c *card, at int64) float64 {
	return faded(c.weight, at-c.weightAt, s.cfg.StrikeHalfLife.Milliseconds())
}

func (s *Service) credit(c *card, at int64) float64 {
	return faded(c.clean, at-c.cleanAt, s.cfg.CleanHalfLife.Milliseconds())
}

// strikesBefore is how little strikes must weigh for trust: one of weight 1 stands in
// its way for a half-life.
const strikesBefore = 0.5

// trust is trusted, watched or "".
func (s *Service) trust(c *card, at int64) string {
	if c.pin != "" && (c.pinUntil == 0 || at < c.pinUntil) {
		if c.pin == Unmoved {
			return ""
		}
		return c.pin
	}
	weight := s.weightNow(c, at)
	switch {
	case weight >= s.cfg.WatchedAt:
		return Watched
	case s.cfg.TrustedAt > 0 && weight < strikesBefore && c.clean >= s.cfg.TrustedAt && s.credit(c, at) >= s.cfg.TrustedAt:
		return Trusted
	}
	return ""
}

// standing is how the player stands.
func (s *Service) standing(c *card, at int64) engines.Standing {
	return engines.Standing{Strikes: int(s.weightNow(c, at) + 0.5), Trust: s.trust(c, at), Recent: c.recent(at), Earlier: c.earlier}
}

// segmentIn is the player's segment in a region: what the game says, else minor where
// the region asks for a proof of age that the player has not given.
func (s *Service) segmentIn(c *card, region string) string {
	if c.segment != "" || !c.unverified {
		return c.segment
	}
	for _, name := range s.cfg.Minors {
		if strings.EqualFold(name, region) {
			return minor
		}
	}
	return ""
}
