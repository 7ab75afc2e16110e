package risk

// home is from which addresses a player was seen: two of them, those seen last.
// Addresses are kept as hashes of 64 bits: as strings they would take more memory
// than all else that is known of a player.
type home [homeSlots]address

const homeSlots = 2

type address struct {
	id          uint64 // 0: none
	first, last int32  // minutes since 1970
}

// at notes that a player was seen at an address. The newest one stays whatever the
// order in which they come; of two in one minute that is the one with the greater hash.
func (h *home) at(id uint64, when int64) {
	m := int32(floorDiv(when, minute))
	old := 0
	for i := range h {
		a := &h[i]
		if a.id == id {
			a.first, a.last = min(a.first, m), max(a.last, m)
			return
		}
		if a.before(&h[old]) {
			old = i
		}
	}
	if now := (address{id: id, first: m, last: m}); h[old].before(&now) {
		h[old] = now
	}
}

// before orders addresses by when a player was last there, none first.
func (a *address) before(b *address) bool {
	if (a.id == 0) != (b.id == 0) {
		return a.id == 0
	}
	return a.last < b.last || a.last == b.last && a.id < b.id
}

// newest is the address that a player was last seen at.
func (h *home) newest() *address {
	at := &h[0]
	for i := range h {
		if at.before(&h[i]) {
			at = &h[i]
		}
	}
	return at
}

// home is where a player was seen, nil where the game does not say.
func (r *records) home(pl *player) *home {
	if pl.home == 0 {
		return nil
	}
	return r.homes.at(pl.home - 1)
}

// came notes that a player was seen at an address.
func (r *records) came(pl *player, ip string, when int64) {
	if pl.home == 0 {
		pl.home = r.homes.add() + 1
	}
	r.home(pl).at(swift(ip)|1, when)
}
