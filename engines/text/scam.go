package text

import "github.com/portcullis-gg/portcullis/engines"

// scams finds bait: gifts with a link, money that doubles, and staff that asks for
// a password.
func (s *scratch) scams(out []engines.Signal) []engines.Signal {
	if s.topics&topicFree != 0 {
		out = s.gifts(out)
	}
	if s.topics&topicScam != 0 {
		out = s.easyMoney(out)
	}
	if s.topics&topicStaff != 0 && s.topics&(topicSecret|topicVerify) != 0 {
		out = s.impersonation(out)
	}
	if len(s.links) > 0 && s.topics&(topicSecret|topicVerify) != 0 {
		out = s.lures(out)
	}
	return out
}

// outsideNear reports whether a link or a way to be reached stands within reach.
func (s *scratch) outsideNear(from, to int) bool {
	for i := range s.links {
		if k := &s.links[i]; k.from < to+reach && k.to > from-reach && (!k.known || isInvite(k)) {
			return true
		}
	}
	for i := s.wordsFrom(from - reach); i < len(s.words) && int(s.words[i].from) < to+reach; i++ {
		if w := &s.words[i]; w.topics&topicContact != 0 && s.handleAfter(int(w.to)) {
			return true
		}
	}
	for _, p := range s.private {
		if p.Start < to+reach && p.End > from-reach {
			return true
		}
	}
	return false
}

func (s *scratch) gifts(out []engines.Signal) []engines.Signal {
	for i := range s.words {
		w := &s.words[i]
		if w.topics&topicFree == 0 {
			continue
		}
		from, to := int(w.from), int(w.to)
		outside := s.outsideNear(from, to)
		click := s.about(topicClick, from-reach, to+reach) != nil
		ware := s.about(topicGoods|topicMoney|topicAccount, from-24, to+24) != nil
		c := 0.0
		switch {
		case outside && (click || ware):
			c = 0.9
		case outside:
			c = 0.74
		case click && ware:
			c = 0.72
		}
		if c > 0 {
			return append(out, s.shape(engines.Spam, "scam", "gift", 3, c, from, to))
		}
	}
	return out
}

func (s *scratch) easyMoney(out []engines.Signal) []engines.Signal {
	for i := range s.words {
		w := &s.words[i]
		if w.topics&topicScam == 0 || w.weak {
			continue
		}
		from, to := int(w.from), int(w.to)
		c := 0.45
		if s.outsideNear(from, to) || s.about(topicContact|topicClick|topicMoney|topicGoods|topicFree, from-reach, to+reach) != nil {
			c = 0.82
		}
		if s.about(topicNegate, from-24, from) != nil {
			c = 0.3
		}
		return append(out, s.shape(engines.Spam, "scam", "easy-money", 3, c, from, to))
	}
	return out
}

// lures: a link to a page that nobody knows, beside a word for what is typed there.
func (s *scratch) lures(out []engines.Signal) []engines.Signal {
	for i := range s.links {
		k := &s.links[i]
		if k.known {
			continue
		}
		secret := s.about(topicSecret, k.from-reach, k.to+reach)
		verify := s.about(topicVerify, k.from-reach, k.to+reach)
		account := s.about(topicAccount, k.from-reach, k.to+reach)
		c := 0.0
		switch {
		case secret != nil && (verify != nil || account != nil):
			c = 0.86
		case secret != nil, verify != nil && (account != nil || s.about(topicStaff, k.from-reach, k.to+reach) != nil):
			c = 0.74
		}
		if c > 0 && s.about(topicNegate|topicLobby, k.from-reach, k.to+reach) == nil {
			return append(out, s.shape(engines.Spam, "phishing", "lure", 3, c, k.from, k.to))
		}
	}
	return out
}

// impersonation: true staff warns that it never asks, so a denial voids it.
func (s *scratch) impersonation(out []engines.Signal) []engines.Signal {
	for i := range s.words {
		w := &s.words[i]
		if w.topics&topicStaff == 0 {
			continue
		}
		secret := s.about(topicSecret, int(w.to), int(w.to)+60)
		if secret == nil || s.about(topicNegate|topicLobby, int(w.from)-24, int(secret.to)+12) != nil {
			continue
		}
		return append(out, s.shape(engines.Spam, "phishing", "impersonation", 3, 0.72, int(w.from), int(secret.to)))
	}
	return out
}
