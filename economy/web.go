package economy

import (
	"context"

	"github.com/portcullis-gg/portcullis/engines"
)

// WebAtMost is how many players a Web may have.
const WebAtMost = 200

// WebHopsAtMost is how many hops from its player a Web may reach.
const WebHopsAtMost = 4

// Web is who gave what to whom around a player, as far as the book of its app knows.
// Values are in days of an ordinary player's income, so that currencies and items add
// up, and fade as the risk does.
type Web struct {
	At      int64       // event time, epoch ms
	Players []WebPlayer // the player that was asked about first, then by hops and worth
	Gifts   []WebGift   // between those players, the largest first
	// Left counts players at the rim that had no room.
	Left int
}

// WebPlayer is a player in a Web.
type WebPlayer struct {
	Player engines.PlayerID
	Hops   int
	Risk   Risk
	Banned BanType // of what holds, the gravest; "" for none
}

// WebGift is all that one player gave another.
type WebGift struct {
	From, To    engines.PlayerID
	Gave, Free  float64 // in all, and of it for no fair return
	Times       int
	First, Last int64 // epoch ms
}

// Around is who gave what to whom around a player, within some hops. What was given for
// no fair return is followed first. Errors are those of Risk.
func (s *Service) Around(ctx context.Context, app engines.AppID, player engines.PlayerID, hops, most int) (Web, error) {
	sh, book, err := s.open(ctx, app)
	if err != nil {
		return Web{}, err
	}
	now := s.at(sh)
	web, ok := book.Around(player, hops, most, now)
	if !ok {
		if err := s.known(ctx, app, player); err != nil {
			return Web{}, err
		}
		web = Web{At: now, Players: []WebPlayer{{Player: player, Risk: Risk{Level: LevelOf(0)}}}}
	}
	ending, clock := s.ending(sh), s.clock()
	for i := range web.Players {
		p := &web.Players[i]
		s.deps.Rules.OnPlayer(app, p.Player, featuresIn(book, now), now, false, &p.Risk)
		for _, b := range s.bans.holding(PlayerKey{app, p.Player}, ending, clock) {
			if p.Banned == "" || gravity[b.Type] > gravity[p.Banned] {
				p.Banned = b.Type
			}
		}
	}
	return web, nil
}

// gravity orders bans by how much they take.
var gravity = map[BanType]int{Permanent: 6, Temporary: 5, TradeBan: 4, Withdrawal: 3, Shadow: 2, Warning: 1}
