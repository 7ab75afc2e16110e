package text

import (
	"unicode/utf8"

	"github.com/portcullis-gg/portcullis/engines"
)

// keyShapes are how services write their keys: what they begin with (folded) and
// the fewest characters after that, as the services document them.
var keyShapes = [...]struct {
	prefix string
	least  int
}{
	{"akia", 16},
	{"asia", 16},
	{"ghp_", 30},
	{"gho_", 30},
	{"ghs_", 30},
	{"ghu_", 30},
	{"github_pat_", 40},
	{"glpat-", 18},
	{"sk_live_", 16},
	{"sk_test_", 16},
	{"rk_live_", 16},
	{"pk_live_", 16},
	{"whsec_", 20},
	{"xoxb-", 20},
	{"xoxp-", 20},
	{"xoxa-", 20},
	{"aizasy", 30},
	{"eyj", 40},
	{"npm_", 34},
	{"sg.", 50},
	{"sk-proj-", 30},
	{"sk-ant-", 30},
	{"hf_", 30},
	{"dop_v1_", 60},
	{"ya29.", 40},
	{"mfa.", 60},
}

// credentials finds keys by their shape and secrets by the word before them.
func (s *scratch) credentials(out []engines.Signal) []engines.Signal {
	units := s.norm.units
	if len(units) >= 20 {
		out = s.keys(out)
	}
	if s.topics&topicSecret == 0 {
		return out
	}
	last := 0
	for i := range s.words {
		w := &s.words[i]
		if w.topics&topicSecret == 0 || int(w.from) < last {
			continue
		}
		// A short word of another language needs a value that nothing else looks like.
		if f, from, to := s.secretAfter(w); to > 0 && (!w.weak || f.confidence >= 0.66) {
			out = s.tell(out, f, from, to)
			last = to
		}
	}
	return out
}

// keys walks the tokens that are long enough to be a key.
func (s *scratch) keys(out []engines.Signal) []engines.Signal {
	units := s.norm.units
	for i := 0; i < len(units); {
		if !keyUnit(&units[i]) {
			i++
			continue
		}
		from := i
		for ; i < len(units) && keyUnit(&units[i]); i++ {
			if units[i].r == '-' && hasPrefix(units[i:], "-----begin ") && s.privateKey(i) {
				return s.tell(out, finding{"credentials", "private-key", 4, 0.97}, i, min(i+40, len(units)))
			}
		}
		if token := units[from:i]; len(token) >= 20 && hasDigit(token) && (shapedKey(token) || threeParts(token)) {
			out = s.tell(out, finding{"credentials", "api-key", 4, 0.95}, from, i)
		}
	}
	return out
}

// threeParts reports whether a token is a Discord token (the account in base 64, a
// time, a mark) or a JSON web token.
func threeParts(token []unit) bool {
	var dots [2]int
	n := 0
	for i := range token {
		if token[i].r == '.' {
			if n < len(dots) {
				dots[n] = i
			}
			n++
		}
	}
	if n != 2 {
		return false
	}
	discord := dots[0] >= 23 && dots[0] <= 28 && dots[1]-dots[0] == 7 && len(token)-dots[1] >= 27 && len(token)-dots[1] <= 40
	return discord || hasPrefix(token, "eyj")
}

func (s *scratch) privateKey(i int) bool {
	units := s.norm.units
	for k := i; k < min(i+36, len(units)); k++ {
		if hasPrefix(units[k:], "private key") {
			return true
		}
	}
	return false
}

func keyUnit(u *unit) bool { return isASCIIWord(u) || u.r == '_' || u.r == '-' || u.r == '.' }

func shapedKey(units []unit) bool {
	for _, k := range keyShapes {
		if hasPrefix(units, k.prefix) && len(units) >= len(k.prefix)+k.least && k.prefix != "eyj" {
			return true
		}
	}
	return false
}

// links between a secret's name and its value.
var isWords = map[string]bool{
	"is": true, "es": true, "est": true, "ist": true, "to": true, "e": true, "la": true, "adalah": true, "ay": true, "hai": true, "jest": true, "its": true,
}

// ofWords lead from the name of a secret to what it opens: the password of my bank.
var ofWords = set("of for to on do da de del du di von vom zum fur van a od для от к на в")

// owned skips "of my bank" at unit i: a word of ofWords and one or two more. It
// returns i where there is none.
func (s *scratch) owned(i int) int {
	var buf [16]byte
	next, ok := s.token(i)
	if !ok || !ofWords[string(spelling(buf[:0], s.norm.units[i:next]))] {
		return i
	}
	for range 2 {
		at := next
		for at < len(s.norm.units) && s.norm.units[at].r == ' ' {
			at++
		}
		end, ok := s.token(at)
		if !ok || isWords[string(spelling(buf[:0], s.norm.units[at:end]))] {
			return at
		}
		next = end
	}
	for next < len(s.norm.units) && s.norm.units[next].r == ' ' {
		next++
	}
	return next
}

// spelling appends the runes of units, as many as fit.
func spelling(buf []byte, units []unit) []byte {
	for i := range units {
		if len(buf)+utf8.RuneLen(units[i].r) > cap(buf) {
			return buf[:0]
		}
		buf = utf8.AppendRune(buf, units[i].r)
	}
	return buf
}

// token returns where the word of letters alone that stands at unit i ends.
func (s *scratch) token(i int) (end int, ok bool) {
	units := s.norm.units
	end = i
	for end < len(units) && units[end].class.alphabetic() {
		end++
	}
	return end, end > i && (end == len(units) || isOneOf(units[end].r, " :="))
}

// valueAfter returns where a value begins after the name of a secret that ends at
// unit i, and whether a colon or a word for "is" stands between.
func (s *scratch) valueAfter(i int) (from int, colon, is bool) {
	units := s.norm.units
	for step := range 3 {
		if step == 0 && i < len(units) && units[i].r == ' ' {
			if at := s.owned(i + 1); at > i+1 {
				i = at
			}
		}
		for i < len(units) && isOneOf(units[i].r, " :=→-\"'`|はが은는이가是為为") {
			colon = colon || units[i].r == ':' || units[i].r == '=' || units[i].class.dense()
			i++
		}
		var buf [8]byte
		end := i
		for end < len(units) && isASCIIWord(&units[end]) {
			end++
		}
		if end == i || !isWords[string(ascii(buf[:0], units[i:end]))] {
			break
		}
		is, i = true, end
	}
	return i, colon, is
}

// valueEnd returns where a value ends that begins at unit from.
func (s *scratch) valueEnd(from int) int {
	units := s.norm.units
	to := from
	for to < len(units) && to-from < 64 && !isSpace(units[to].r) && !isOneOf(units[to].r, ",;\"") && (units[to].class != classHan || to == from) {
		to++
	}
	for to > from && isOneOf(units[to-1].r, ".!?)") {
		to--
	}
	return to
}

// secretAfter reads what stands after the name of a secret: my password is hunter2,
// pw: hunter2, otp 482911. The password of a room or a quest is meant to be told.
func (s *scratch) secretAfter(w *word) (f finding, from, to int) {
	from, colon, is := s.valueAfter(int(w.to))
	to = s.valueEnd(from)
	f = finding{"credentials", "secret", 4, s.secrecy(w, from, to, colon, is)}
	if s.about(topicLobby, int(w.from)-30, to+20) != nil {
		f.confidence *= 0.5
	}
	if s.counted(w) {
		return f, 0, 0
	}
	if f.confidence < 0.3 {
		return s.secretLater(w)
	}
	return f, from, to
}

// counted reports whether the name of a secret is a part of one of what is counted or
// given to everybody: the code of an event, of a coupon, of an order.
func (s *scratch) counted(w *word) bool {
	if s.topics&topicOrder == 0 {
		return false
	}
	for i := s.wordsFrom(int(w.from) - 30); i < len(s.words) && s.words[i].from <= w.to+1; i++ {
		if o := &s.words[i]; o.topics&topicOrder != 0 && o.to >= w.to && o.from <= w.from {
			return true
		}
	}
	return false
}

// secretLater looks for a value behind other words: пароль мой zenit2010. It must be
// what no word is, letters and digits in one.
func (s *scratch) secretLater(w *word) (f finding, from, to int) {
	units := s.norm.units
	i := int(w.to)
	for words := 0; words < 5 && i < len(units) && i-int(w.to) < 28; words++ {
		for i < len(units) && !isSpace(units[i].r) {
			if isOneOf(units[i].r, ".!?;") {
				return f, 0, 0
			}
			i++
		}
		for i < len(units) && isSpace(units[i].r) {
			i++
		}
		to = s.valueEnd(i)
		digits, letters := 0, 0
		for k := i; k < to; k++ {
			switch units[k].class {
			case classDigit:
				digits++
			case classLatin:
				letters++
			}
		}
		if digits >= 2 && letters >= 3 && digits+letters >= 6 && to-i-digits-letters <= 2 && s.about(topicLobby, int(w.from)-30, to+20) == nil {
			return finding{"credentials", "secret", 4, 0.66}, i, to
		}
	}
	return f, 0, 0
}

// secrecy is how likely units [from, to) are a secret by what they are made of.
func (s *scratch) secrecy(w *word, from, to int, colon, is bool) float64 {
	units := s.norm.units
	digits, letters, signs, n := 0, 0, 0, to-from
	for i := from; i < to; i++ {
		switch {
		case units[i].class == classDigit:
			digits++
		case units[i].class.letter():
			letters++
		default:
			signs++
		}
	}
	number := digits >= 3 && digits <= 8 && letters == 0 && signs == 0
	switch {
	case n < 3 || units[from].class.dense():
	case digits > 0 && (letters > 0 || signs > 0) && n >= 5 && (colon || is):
		return 0.86
	case number && (colon || is):
		return 0.84
	case number:
		return 0.74
	case digits > 0 && letters > 1 && n >= 6:
		return 0.66
	case letters == 0 || signs > 0 || !s.ownBefore(int(w.from)):
	case colon && n >= 4, is && n >= 6 && to == len(units):
		return 0.6
	}
	return 0
}

var ownWords = [...]string{"my", "mi", "mon", "mein", "il", "mijn", "moje", "minha", "account", "meu"}

// ownBefore reports whether somebody speaks of what is his.
func (s *scratch) ownBefore(i int) bool { return s.wordBefore(i, ownWords[:]) }
