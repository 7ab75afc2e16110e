package risk

import (
	"cmp"
	"maps"
	"slices"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
)

const (
	// maxHouse is up to how many others at an address the players at it have something
	// to do with each other. Mobile networks put thousands of people behind one.
	maxHouse = 4
	// linksAtOnce bounds what one look returns; those of the newest accounts stay.
	linksAtOnce = 10_000
)

// Look implements economy.Book.
func (b *Book) Look(seen uint64, at int64) (f economy.Findings, version uint64) {
	s := b.within(b.step, false)
	if s.version == seen {
		return f, seen
	}
	return economy.Findings{Links: b.evaders(at), High: s.high(at)}, s.version
}

// spot is a device or an address that a banned player used, and who else.
type spot struct {
	by     string
	seats  int32 // players seen there
	banned []guest
	others []guest // that are new or came after a ban
}

// guest is a player seen at a spot.
type guest struct {
	player      int32
	first, last int32 // minutes since 1970
}

// spots are those of the banned, by device and by address.
type spots struct {
	devices map[int32]*spot
	homes   map[uint64]*spot
	// Most players are at none of them: a bit for each device, and for the low bits of
	// each address, spares them the look into a map.
	hasDevice []uint64
	hasHome   []uint64
}

const homeBits = 1 << 18

// evaders are the links of players that are new, or came after a ban, to players
// under an excluding ban. It reads all players under the lock, in pieces; without
// bans it reads nothing.
func (b *Book) evaders(at int64) []economy.Linked {
	banned, from := b.excluded(at)
	if len(banned) == 0 {
		return nil
	}
	sp := b.spotsOf(banned)
	if len(sp.devices)+len(sp.homes) == 0 {
		return nil
	}
	b.visits(sp, banned, at, from)
	var links []economy.Linked
	for _, d := range sp.devices {
		links = b.linksAt(links, d, maxSeats, banned, at)
	}
	for _, h := range sp.homes {
		links = b.linksAt(links, h, maxHouse, banned, at)
	}
	return one(links)
}

// excluded are the players under an excluding ban, with it, and when the first of
// these bans was made.
func (b *Book) excluded(at int64) (banned map[int32]*economy.Ban, from int64) {
	banned = map[int32]*economy.Ban{}
	b.mu.RLock()
	defer b.mu.RUnlock()
	for p, list := range b.bans {
		for i := range list {
			if ban := list[i]; ban.Excludes() && ban.Stands(at) && (banned[p] == nil || ban.Created < banned[p].Created) {
				banned[p] = &ban
				if from == 0 || ban.Created < from {
					from = ban.Created
				}
			}
		}
	}
	return banned, from
}

// spotsOf are where the banned were seen.
func (b *Book) spotsOf(banned map[int32]*economy.Ban) *spots {
	sp := &spots{devices: map[int32]*spot{}, homes: map[uint64]*spot{}, hasHome: make([]uint64, homeBits/64)}
	desk := takeDesk()
	defer desk.done()
	b.rlock(desk, slices.Collect(maps.Keys(banned))...)
	defer b.mu.RUnlock()
	sp.hasDevice = make([]uint64, b.devices.list.n/64+1)
	for p := range banned {
		pl, r := b.read(p, desk, 0)
		for _, d := range pl.devs {
			if d.id == 0 {
				continue
			}
			if sp.devices[d.id] == nil {
				sp.devices[d.id] = &spot{by: economy.ByDevice}
				sp.hasDevice[d.id/64] |= 1 << (d.id % 64)
			}
			x := sp.devices[d.id]
			x.banned = append(x.banned, guest{p, d.first, d.last})
		}
		h := r.home(pl)
		for i := range homeSlots {
			if h == nil || h[i].id == 0 {
				continue
			}
			id := h[i].id
			if sp.homes[id] == nil {
				sp.homes[id] = &spot{by: economy.ByAddress}
				sp.hasHome[id%homeBits/64] |= 1 << (id % 64)
			}
			x := sp.homes[id]
			x.banned = append(x.banned, guest{p, h[i].first, h[i].last})
		}
	}
	return sp
}

// visits fills the spots: how many players were seen there, and which of them are
// new or came after the first ban.
func (b *Book) visits(sp *spots, banned map[int32]*economy.Ban, at, from int64) {
	everyPlayer(b, 0, func(p int32, pl *player, r *records) {
		var isNew, known bool
		visit := func(x *spot, first, last int32) {
			if x == nil {
				return
			}
			x.seats++
			if !known {
				known = true
				isNew = banned[p] == nil && (b.young(pl, at) || appeared(pl) > from)
			}
			if isNew && len(x.others) <= maxSeats {
				x.others = append(x.others, guest{p, first, last})
			}
		}
		sp.of(pl, r.home(pl), visit)
	})
}

// of calls f with the spots at which a player was seen, nil among them.
func (sp *spots) of(pl *player, h *home, f func(x *spot, first, last int32)) {
	for _, d := range pl.devs {
		if d.id != 0 && int(d.id/64) < len(sp.hasDevice) && sp.hasDevice[d.id/64]>>(d.id%64)&1 != 0 {
			f(sp.devices[d.id], d.first, d.last)
		}
	}
	if h == nil {
		return
	}
	for _, a := range h {
		if a.id != 0 && sp.hasHome[a.id%homeBits/64]>>(a.id%64)&1 != 0 {
			f(sp.homes[a.id], a.first, a.last)
		}
	}
}

// appeared is when a player's account was made or, where the game does not say, its
// first entry.
func appeared(pl *player) int64 {
	if pl.created > 0 {
		return pl.created
	}
	return pl.first
}

// young reports whether an account is new. Of players that were there when the logs
// began nobody knows, unless the game says.
func (b *Book) young(pl *player, at int64) bool {
	return (pl.created > 0 || pl.first > b.oldest+2*day) && at-appeared(pl) < newDays*day
}

// linksAt adds the links at a spot, unless it is a public one.
func (b *Book) linksAt(links []economy.Linked, x *spot, most int32, banned map[int32]*economy.Ban, at int64) []economy.Linked {
	if x.seats-1 > most {
		return links
	}
	desk := takeDesk()
	defer desk.done()
	others := make([]int32, len(x.others))
	for i := range x.others {
		others[i] = x.others[i].player
	}
	b.rlock(desk, others...)
	defer b.mu.RUnlock()
	for _, o := range x.others {
		pl, _ := b.read(o.player, desk, 0)
		for _, g := range x.banned {
			ban := banned[g.player]
			if !b.young(pl, at) && appeared(pl) <= ban.Created {
				continue
			}
			links = append(links, economy.Linked{
				Player: engines.PlayerID(b.ids.name(o.player)),
				Link: economy.Link{
					Banned: ban.Player, BanID: ban.ID, Since: ban.Created, By: x.by, Seats: int(x.seats), Last: int64(g.last) * minute,
					First: int64(o.first) * minute, Latest: int64(o.last) * minute, Appeared: appeared(pl),
				},
			})
		}
	}
	return links
}

// one leaves one link of each pair, by a device where there is one, those of the
// newest accounts first.
func one(links []economy.Linked) []economy.Linked {
	slices.SortFunc(links, func(x, y economy.Linked) int {
		return cmp.Or(cmp.Compare(y.Link.Appeared, x.Link.Appeared), cmp.Compare(x.Player, y.Player), cmp.Compare(x.Link.Banned, y.Link.Banned),
			cmp.Compare(y.Link.By, x.Link.By), cmp.Compare(x.Link.Seats, y.Link.Seats), cmp.Compare(y.Link.Last, x.Link.Last))
	})
	links = slices.CompactFunc(links, func(x, y economy.Linked) bool { return x.Player == y.Player && x.Link.Banned == y.Link.Banned })
	return links[:min(len(links), linksAtOnce)]
}

// highFrom is from which chance on a risk is returned: some below that of High, so
// that the caller sees a score that swings about the mark.
const highFrom = .6

// high are the players whose risk is high, or was so recently.
func (s *snapshot) high(at int64) (list []economy.AtRisk) {
	left := fade(s.at, at, halfLife)
	for p := range s.marks {
		m := &s.marks[p]
		sum := 0 // the chance is no more than the sum
		for i := range m.n {
			sum += max(0, int(m.value[i]))
		}
		if p == 0 || float64(sum)*left < 100*highFrom || m.chance(left) < highFrom {
			continue
		}
		s.book.mu.RLock()
		id := s.book.ids.name(s.who[p])
		s.book.mu.RUnlock()
		list = append(list, economy.AtRisk{Player: engines.PlayerID(id), Risk: m.risk(left)})
	}
	return list
}
