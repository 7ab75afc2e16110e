package economy

import "github.com/portcullis-gg/portcullis/engines"

// Forget has the book of an app made again from what is stored, since that has
// changed: a player was erased. It does not wait; until then the old one answers. What
// operators have said of players is read anew too, with the next look at the store.
func (s *Service) Forget(app engines.AppID) {
	s.overrides.stale.Store(true)
	sh := s.shelf(app)
	if sh.book.Load() == nil {
		return
	}
	sh.stale.Store(true)
	s.want(sh)
}

// ForgetPlayer forgets that a check or a ticket named a player, and what an operator has
// said of it: whoever names the player again makes it known again.
func (s *Service) ForgetPlayer(app engines.AppID, player engines.PlayerID) {
	s.named.forget(PlayerKey{app, player})
	s.overrides.forget(PlayerKey{app, player})
}
