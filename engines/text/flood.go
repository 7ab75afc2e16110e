package text

import "github.com/portcullis-gg/portcullis/engines"

// floodLength is the units from which repetition can be a flood.
const floodLength = 40

// heavyMarks is how many marks on one letter run over into the lines around it.
// Fewer are a way to write, and a disguise is read through them.
const heavyMarks = 6

// ink is what a message is made of.
type ink struct {
	all, marks, emoji int
	run               int // the longest run of one sign
	at                int // a unit of that run
}

func (s *scratch) ink() ink {
	units := s.norm.units
	var k ink
	run := 0
	for i := range units {
		u := &units[i]
		run++
		if i > 0 && u.r != units[i-1].r {
			run = 1
		}
		if run > k.run && u.r != ' ' {
			k.run, k.at = run, i
		}
		if u.end-u.start > heavyMarks && u.class.letter() {
			k.marks++
		}
		if u.r >= 0x1F300 && u.r < 0x1FB00 || u.r >= 0x2600 && u.r < 0x27C0 {
			k.emoji++
		}
		if !isSpace(u.r) {
			k.all++
		}
	}
	return k
}

// floods finds walls: one character or word over and over, heaps of marks, heaps
// of emoji. Laughter, screams and drawn lines are none.
func (s *scratch) floods(out []engines.Signal) []engines.Signal {
	units, k := s.norm.units, s.ink()
	var rule string
	confidence := 0.6
	switch {
	case k.marks >= 3 && k.marks*3 >= k.all:
		rule = "zalgo"
	case k.emoji >= 24 && k.emoji*10 > k.all*7:
		rule, confidence = "emoji-wall", 0.58
	case k.run >= floodLength && k.run*10 > k.all*6 && !innocentRun(&units[k.at], k.run):
		rule = "repeated-sign"
	case s.repeats(k.all):
		rule = "repeated-word"
	default:
		return out
	}
	return append(out, s.shape(engines.Spam, "flood", rule, 1, confidence, 0, len(units)))
}

// innocentRun: screams, laughter and drawn lines are long too.
func innocentRun(u *unit, n int) bool {
	if u.class == classHangul && u.r < 0xAC00 {
		return true
	}
	if u.class.letter() {
		return n < 200 && (isOneOf(u.r, "aeiouyhwkxz5ㅋㅎㅠㅜㅡ哈呵嘿啊草笑ーあえいおうんw") || u.class != classLatin && u.class != classHan && n < 80)
	}
	return isOneOf(u.r, "-=_*~.#─━═+|/\\\u2588\u2591 5") && n < 200
}

// tally counts one word.
type tally struct {
	hash    uint32
	n, size int
	laugh   bool
}

// tallies counts the words of a message in few places: a word that fills the
// message keeps its place (after J. Misra and D. Gries, Finding repeated elements, 1982).
type tallies [16]tally

func (t *tallies) add(hash uint32, token []unit) {
	slot := &t[hash%uint32(len(t))]
	if slot.hash != hash {
		if slot.n > 1 {
			slot.n -= 2
			return
		}
		*slot = tally{hash: hash, size: len(token), laugh: laughter(token)}
	}
	slot.n++
}

// tally counts the words of the message, mentions left out.
func (s *scratch) tally() tallies {
	units := s.norm.units
	var t tallies
	for i := 0; i < len(units); {
		if !units[i].class.letter() && units[i].class != classDigit {
			i++
			continue
		}
		from := i
		hash := uint32(2166136261)
		for ; i < len(units) && (units[i].class.letter() || units[i].class == classDigit); i++ {
			hash = (hash ^ uint32(units[i].r)) * 16777619
		}
		if from == 0 || units[from-1].r != '@' {
			t.add(hash, units[from:i])
		}
	}
	return t
}

// repeats reports whether one word, not laughter, makes up most of the message.
// Four times are enough for the words of adverts.
func (s *scratch) repeats(ink int) bool {
	advert := s.topics&(topicAdvert|topicClick|topicFree) != 0
	if len(s.norm.units) < floodLength && !advert {
		return false
	}
	t := s.tally()
	few, filled := 0, 0
	for i := range t {
		w := &t[i]
		switch {
		case w.n*w.size*10 <= ink*6:
		case w.n >= 8 && !w.laugh && w.n*(w.size+1) >= floodLength,
			w.n >= 4 && w.size > 2 && advert && s.sellingWord(w.n):
			return true
		}
		if w.n >= 6 && (!w.laugh || advert && w.size > 2) {
			few++
			filled += w.n * w.size
		}
	}
	return few <= 3 && filled >= floodLength && filled*10 > ink*7
}

// sellingWord reports whether words of adverts stand n times.
func (s *scratch) sellingWord(n int) bool {
	for i := range s.words {
		if s.words[i].topics&(topicAdvert|topicClick|topicFree) != 0 {
			n--
		}
	}
	return n <= 0
}

// laughter reports whether a word is one or two letters over and over (hahaha, lol
// is not), or a short cry.
func laughter(units []unit) bool {
	kinds := 0
	var seen [4]rune
	for i := range units {
		known := false
		for _, r := range seen[:kinds] {
			known = known || r == units[i].r
		}
		if known {
			continue
		}
		if kinds == 3 {
			return false
		}
		seen[kinds] = units[i].r
		kinds++
	}
	return kinds <= 2 || len(units) <= 3
}
