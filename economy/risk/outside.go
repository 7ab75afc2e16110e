package risk

import "github.com/portcullis-gg/portcullis/economy"

// outside are the factors from outside the logs: bans and flags.
func (s *snapshot) outside(b *Book) {
	b.mu.RLock()
	for p, list := range b.flags {
		m := &s.marks[s.of(p)]
		for i := range list {
			m.add(list[i].code, list[i].score*fade(list[i].at, s.at, halfLife))
		}
	}
	banned := map[int32]bool{}
	for p, list := range b.bans {
		for i := range list {
			if list[i].Stands(s.at) && list[i].Type != economy.Shadow && list[i].Type != economy.Warning {
				banned[s.of(p)] = true
			}
		}
	}
	delete(banned, 0) // not in the snapshot yet
	b.mu.RUnlock()
	if len(banned) == 0 {
		return
	}
	s.bannedDeals(banned)
	s.bannedDevices(banned)
}

// bannedDeals links players to banned ones by what went between them.
func (s *snapshot) bannedDeals(banned map[int32]bool) {
	for i := range s.edges {
		e := &s.edges[i]
		if e.net <= 0 || banned[e.from] == banned[e.to] {
			continue
		}
		from, to := &s.nodes[e.from], &s.nodes[e.to]
		if banned[e.from] {
			s.marks[e.to].add(bannedLink, .35*ramp(float64(e.net/(to.freeIn+to.own)), .05, .4))
		} else {
			s.marks[e.from].add(bannedLink, .35*devotion(float64(from.devoted))*float64(e.net/from.freeOut))
		}
	}
}

// bannedDevices links players to banned ones by devices that few share.
func (s *snapshot) bannedDevices(banned map[int32]bool) {
	devices := map[int32]bool{}
	for _, t := range s.seats {
		if banned[t.player] {
			devices[t.device] = true
		}
	}
	for _, t := range s.seats {
		if devices[t.device] && !banned[t.player] {
			s.marks[t.player].add(bannedLink, .3)
		}
	}
}
