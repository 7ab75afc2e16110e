package text

import "github.com/portcullis-gg/portcullis/engines"

// Rules find what words can't: shapes. Each looks at the units of a message, in
// one pass, and only where something that it begins at occurs at all.

// rules appends what every rule finds.
func (s *scratch) rules(out []engines.Signal) []engines.Signal {
	if s.at > 0 && s.dots > 0 {
		out = s.emails(out)
	}
	if s.dots > 0 {
		out = s.invites(out)
	}
	if s.digits >= 9 {
		out = s.numbers(out)
	}
	if s.digits >= 2 {
		out = s.offers(out)
	}
	return out
}

// shape makes the signal of a rule for units [from, to).
func (s *scratch) shape(c engines.Category, sub, rule string, severity int, confidence float64, from, to int) engines.Signal {
	return engines.Signal{
		Category: c, SubLabel: sub, Severity: severity, Confidence: confidence, Source: engines.SourceRule, Rule: "rule/" + rule,
		Span: engines.Span{Start: int(s.norm.units[from].start), End: int(s.norm.units[to-1].end)},
	}
}

func isASCIIWord(u *unit) bool { return u.class == classDigit || u.class == classLatin && u.r < 0x80 }

// emails finds mail addresses: a name, an at sign, a host with a dot and a top
// level of two letters and more.
func (s *scratch) emails(out []engines.Signal) []engines.Signal {
	units := s.norm.units
	floor := 0 // so that names are not walked twice
	for i := range units {
		if units[i].r != '@' {
			continue
		}
		from, to, dot := addressAround(units, i, floor)
		floor = i + 1
		if dot == to-1 { // the full stop of the sentence
			to--
			dot = lastDot(units, i, to)
		}
		address := from > 0 && units[from-1].r == '/' // the user part of a URL
		if !address && from < i && dot > i+1 && topLevel(units[dot+1:to]) {
			out = append(out, s.shape(engines.Privacy, "contact", "email", 2, 0.93, from, to))
		}
	}
	return out
}

// addressAround returns where the name before and the host after the at sign i
// begin and end, and the last dot of the host.
func addressAround(units []unit, i, floor int) (from, to, dot int) {
	from, to = i, i+1
	for from > floor && i-from < 64 && (isASCIIWord(&units[from-1]) || isOneOf(units[from-1].r, "._%+-")) {
		from--
	}
	for to < len(units) && to-i < 256 && (isASCIIWord(&units[to]) || isOneOf(units[to].r, ".-")) {
		if units[to].r == '.' {
			dot = to
		}
		to++
	}
	return from, to, dot
}

func lastDot(units []unit, from, to int) int {
	for to--; to > from; to-- {
		if units[to].r == '.' {
			return to
		}
	}
	return 0
}

func topLevel(units []unit) bool {
	for i := range units {
		if units[i].class != classLatin {
			return false
		}
	}
	return len(units) >= 2 && len(units) <= 18
}

func isOneOf(r rune, set string) bool {
	for _, c := range set {
		if r == c {
			return true
		}
	}
	return false
}

// inviteHosts lead to a group or a private chat; a path after them is an invitation.
var inviteHosts = [...]string{
	"discord.gg/", "discord.com/invite/", "discordapp.com/invite/", "dsc.gg/", "t.me/", "telegram.me/", "chat.whatsapp.com/", "wa.me/",
	"line.me/ti/", "open.kakao.com/o/", "qm.qq.com/", "invite.gg/",
}

// invites finds invitations to other places.
func (s *scratch) invites(out []engines.Signal) []engines.Signal {
	units := s.norm.units
	for i := 0; i < len(units); {
		if isSpace(units[i].r) {
			i++
			continue
		}
		from := i
		for i < len(units) && !isSpace(units[i].r) {
			i++
		}
		if at := inviteAt(units[from:i]); at >= 0 {
			out = append(out, s.shape(engines.Spam, "advertising", "invite", 2, 0.85, from+at, i))
		}
	}
	return out
}

// inviteAt returns where in a token an invitation begins, or -1. A host stands at
// the start, after a scheme, or after a sign that no address has before its host.
func inviteAt(token []unit) int {
	for at := range token {
		if at > 0 && !isOneOf(token[at-1].r, ":(<[,;!*|>\"'=") {
			continue
		}
		host := at + afterScheme(token[at:])
		for _, h := range inviteHosts {
			if hasPrefix(token[host:], h) && len(token) > host+len(h) {
				return at
			}
		}
	}
	return -1
}

func afterScheme(units []unit) int {
	at := 0
	for _, p := range [...]string{"https://", "http://", "www."} {
		if hasPrefix(units[at:], p) {
			at += len(p)
		}
	}
	return at
}

// hasPrefix reports whether units begin with the ASCII text p.
func hasPrefix(units []unit, p string) bool {
	if len(units) < len(p) {
		return false
	}
	for i := range len(p) {
		if units[i].r != rune(p[i]) {
			return false
		}
	}
	return true
}
