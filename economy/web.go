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
	// Shares are the other players that were seen where the player was that was asked
	// about, whether or not anything was given; the latest first.
	Shares []WebShare
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

// WebShare is that a player was seen on a device, or at an address, of the player that
// was asked about. What is shared stays unnamed, and what more share than a household
// has is a public place and no share.
type WebShare struct {
	Player engines.PlayerID
	By     string // ByDevice or ByAddress
	Seats  int    // players seen there, both of these among them
	// First and Last are when this player was seen there, epoch ms to the minute.
	First, Last int64
	Banned      BanType // of what holds, the gravest; "" for none
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
		s.said(app, p.Player, &p.Risk)
		p.Banned = gravest(s.bans.holding(PlayerKey{app, p.Player}, ending, clock))
	}
	for i := range web.Shares {
		x := &web.Shares[i]
		x.Banned = gravest(s.bans.holding(PlayerKey{app, x.Player}, ending, clock))
	}
	return web, nil
}

// gravest is the type of the gravest of bans, "" where there is none.
func gravest(list []Ban) (t BanType) {
	for i := range list {
		if t == "" || gravity[list[i].Type] > gravity[t] {
			t = list[i].Type
		}
	}
	return t
}

// gravity orders bans by how much they take.
var gravity = map[BanType]int{Permanent: 6, Temporary: 5, TradeBan: 4, Withdrawal: 3, Shadow: 2, Warning: 1}
