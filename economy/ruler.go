package economy

import (
	"context"
	"math"

	"github.com/portcullis-gg/portcullis/engines"
)

// Ruler knows the studios' own rules; economy/rules has the one there is. It reads
// memory alone, and calls for features only where a rule asks for them.
type Ruler interface {
	// OnPlayer adds to a risk what the rules say of the player, and counts it where
	// count is set.
	OnPlayer(app engines.AppID, player engines.PlayerID, of func(engines.PlayerID) Features, at int64, count bool, r *Risk)
	// OnTrade adds to the model's evaluation what the rules say of the trade, and counts
	// it; at is the app's time.
	OnTrade(app engines.AppID, p *Proposal, of func(engines.PlayerID) Features, at int64, e *Evaluation)
}

// noRules is the Ruler of a service that has none.
type noRules struct{}

func (noRules) OnPlayer(engines.AppID, engines.PlayerID, func(engines.PlayerID) Features, int64, bool, *Risk) {
}

func (noRules) OnTrade(engines.AppID, *Proposal, func(engines.PlayerID) Features, int64, *Evaluation) {
}

// FeaturesOf is what a book knows of a player, of one that it does not know nothing.
func FeaturesOf(book Book, player engines.PlayerID, at int64) Features {
	f, ok := book.Features(player, at)
	if !ok {
		return Features{AccountAge: -1}
	}
	return f
}

// Facts is what rules may ask of a player now, with the risk as the model alone sees
// it. Errors are those of Risk.
func (s *Service) Facts(ctx context.Context, app engines.AppID, player engines.PlayerID) (Features, Risk, error) {
	sh, book, err := s.open(ctx, app)
	if err != nil {
		return Features{}, Risk{}, err
	}
	now := s.at(sh)
	r, ok := book.Risk(player, now)
	if !ok {
		if err := s.known(ctx, app, player); err != nil {
			return Features{}, Risk{}, err
		}
		r = Risk{Level: LevelOf(0), Updated: now}
	}
	return FeaturesOf(book, player, now), r, nil
}

// Weigh is what the model alone says of a trade, and what rules may ask of its
// sides. Errors are those of Risk.
func (s *Service) Weigh(ctx context.Context, app engines.AppID, p *Proposal) (e Evaluation, sender, receiver Features, err error) {
	book, now, err := s.tradeBook(ctx, app, p)
	if err != nil {
		return Evaluation{}, Features{}, Features{}, err
	}
	return book.Evaluate(p, p.At), FeaturesOf(book, p.Sender, now), FeaturesOf(book, p.Receiver, now), nil
}

// Newest is the newest event time of an app, epoch ms; 0 where it has no entries.
func (s *Service) Newest(ctx context.Context, app engines.AppID) (int64, error) {
	return s.newest(ctx, s.shelf(app))
}

// AddScore is the noisy-or of two scores from 0 to 100.
func AddScore(score, more int) int {
	return int(math.Round(100 - (100-float64(score))*(100-float64(more))/100))
}

// The least scores of a trade's suggestions. Without a hard reason a score ends
// below BlockFrom.
const (
	ReviewFrom = 50
	BlockFrom  = 80
)
