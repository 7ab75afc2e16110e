package policy

// Forget forgets what combinations of layers come to.
func Forget(s *Set) { clear(s.combos) }
