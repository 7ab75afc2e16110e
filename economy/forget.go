package economy

import "github.com/portcullis-gg/portcullis/engines"

// Forget has the book of an app made again from what is stored, since that has
// changed: a player was erased. It does not wait; until then the old one answers.
func (s *Service) Forget(app engines.AppID) {
	sh := s.shelf(app)
	if sh.book.Load() == nil {
		return
	}
	sh.stale.Store(true)
	s.want(sh)
}

// ForgetPlayer forgets that a check or a ticket named a player: whoever names the
// player again makes it known again.
func (s *Service) ForgetPlayer(app engines.AppID, player engines.PlayerID) {
	s.named.forget(PlayerKey{app, player})
}
