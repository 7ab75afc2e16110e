package risk

import (
	"cmp"
	"slices"

	"github.com/portcullis-gg/portcullis/economy"
)

// sharesAtMost bounds what is said of one player. Four devices and two addresses that
// are no public places have at most 40 others.
const sharesAtMost = 40

// sharing is who else was seen on the devices and at the addresses of a player, the
// latest first; of one that was seen on several, the device or address of the fewest.
// It reads all players under the lock, in pieces.
func (b *Book) sharing(p int32) []economy.WebShare {
	sp := b.spotsOf(map[int32]*economy.Ban{p: nil})
	if len(sp.devices)+len(sp.homes) == 0 {
		return nil
	}
	everyPlayer(b, 0, func(q int32, pl *player, r *records) {
		sp.of(pl, r.home(pl), func(x *spot, first, last int32) {
			if x == nil {
				return
			}
			x.seats++
			if q != p && len(x.others) <= maxSeats {
				x.others = append(x.others, guest{q, first, last})
			}
		})
	})
	var shares []economy.WebShare
	for _, x := range sp.devices {
		shares = b.sharesAt(shares, x, maxSeats)
	}
	for _, x := range sp.homes {
		shares = b.sharesAt(shares, x, maxHouse)
	}
	slices.SortFunc(shares, func(x, y economy.WebShare) int { // a device before an address
		return cmp.Or(cmp.Compare(x.Player, y.Player), cmp.Compare(y.By, x.By), cmp.Compare(x.Seats, y.Seats), cmp.Compare(y.Last, x.Last))
	})
	shares = slices.CompactFunc(shares, func(x, y economy.WebShare) bool { return x.Player == y.Player })
	slices.SortFunc(shares, func(x, y economy.WebShare) int {
		return cmp.Or(cmp.Compare(y.Last, x.Last), cmp.Compare(x.Player, y.Player))
	})
	return shares[:min(len(shares), sharesAtMost)]
}

// sharesAt adds who was seen at a spot, unless it is a public one.
func (b *Book) sharesAt(shares []economy.WebShare, x *spot, most int32) []economy.WebShare {
	if x.seats-1 > most {
		return shares
	}
	for _, o := range x.others {
		shares = append(shares, economy.WebShare{
			Player: b.nameOf(o.player), By: x.by, Seats: int(x.seats), First: int64(o.first) * minute, Last: int64(o.last) * minute,
		})
	}
	return shares
}
