package text

import "github.com/portcullis-gg/portcullis/engines"

// Who tells of a deed names the same things as who does it: the news of somebody that
// was arrested for forged papers, a friend who fell for a seller of gold, a stranger who
// played the admin and was reported. Such a frame lowers what lists, rules and the model
// said of trade and crime, unless the message has parts of an offer of its own (pitch.go).

// overReport ends the rule of a signal that a frame lowered.
const overReport = "+reported"

const (
	// hearsay is what is left of a signal of which the message only tells.
	hearsay = 0.38
	// longestReport is how many units a message may have that is one report.
	longestReport = 320
)

// Frames by what they lower: what happened lowers trade and crime, what is warned of
// trade and fraud, who was reported these and other wares, a shop's sale trade alone.
const (
	framesDone = stanceNews | stanceCaught | stanceVictim
	framesTold = stanceWarn | stanceTold
	framesAll  = framesDone | framesTold | stanceStore
)

// reported lowers the signals of a message that tells of a deed.
func (s *scratch) reported(signals []engines.Signal) {
	if s.stance&framesAll == 0 || len(signals) == 0 || len(s.norm.units) > longestReport {
		return
	}
	frames := s.frameFacets()
	if frames == 0 || !hasDeed(signals) || s.pitched(frames) {
		return
	}
	grave, other, lowered := false, false, false
	for i := range signals {
		g := &signals[i]
		if g.Source == engines.SourceModel || g.Confidence < faint {
			continue
		}
		switch {
		case tellsOf(g, frames):
			lowered = true
		case g.Category == engines.Illegal:
			grave = true
		case g.Category != engines.Spam && g.Category != engines.Privacy:
			other = true
		}
	}
	for i := range signals {
		g := &signals[i]
		model := g.Source == engines.SourceModel
		switch {
		case model && g.Category == engines.Illegal && grave:
		case model && g.Category == engines.Harassment && lowered && !other && !grave, tellsOf(g, frames):
			g.Confidence *= hearsay
			g.Rule += overReport
		}
	}
}

// hasDeed reports whether trade or crime was found at all.
func hasDeed(signals []engines.Signal) bool {
	for i := range signals {
		if c := signals[i].Category; (c == engines.Spam || c == engines.Illegal) && signals[i].Confidence >= faint {
			return true
		}
	}
	return false
}

// tellsOf reports whether the frames lower the signal. Who is told to die, a child that
// is met and a cause that is fought for are no less grave for being told of.
func tellsOf(g *engines.Signal, frames stance) bool {
	switch g.Category {
	case engines.Spam:
		return g.SubLabel != "flood" && g.SubLabel != "chain" && (frames&^stanceStore != 0 || g.Source == engines.SourceModel)
	case engines.Illegal:
		switch g.SubLabel {
		case "", "drugs", "weapons":
			return frames&(framesDone|stanceTold) != 0
		case "fraud":
			return frames&(framesDone|framesTold) != 0
		case "violence":
			return frames&framesDone != 0
		}
	}
	return false
}

// frameFacets are the frames that really stand in the message: nobody was caught where
// "never" stands before it.
func (s *scratch) frameFacets() (frames stance) {
	for i := range s.words {
		w := &s.words[i]
		f := w.stance & framesAll
		if f == 0 || w.weak {
			continue
		}
		if f&(stanceCaught|stanceVictim) != 0 && (s.nobodyBefore(int(w.from)) || s.notAfter(int(w.to))) {
			f &^= stanceCaught | stanceVictim
		}
		frames |= f
	}
	return frames
}

// nobodyReach is how many words before what happened say that it did not.
const nobodyReach = 2

// nobodyBefore reports whether one of the words before unit i says that nothing of the
// kind happened: never got caught, ohne erwischt zu werden, 没被抓.
func (s *scratch) nobodyBefore(i int) bool {
	units := s.norm.units
	var buf [24]byte
	for k := i - 1; k >= 0 && k >= i-2; k-- {
		if isOneOf(units[k].r, "没沒未不别別안못") {
			return true
		}
	}
	end := i
	for range nobodyReach {
		for end > 0 && units[end-1].r == ' ' {
			end--
		}
		from := end
		for from > 0 && (units[from-1].class.alphabetic() || apostrophe(units[from-1].r)) {
			from--
		}
		if from == end {
			return false
		}
		if nobodyWords[string(spelling(buf[:0], units[from:end]))] {
			return true
		}
		end = from
	}
	return false
}

// notAfter reports whether the negation of a language that puts it last stands behind
// what happened: 捕まってない, 처벌받지 않아요.
func (s *scratch) notAfter(i int) bool {
	if i < len(s.norm.units) && s.norm.units[i].r == ' ' {
		i++
	}
	for _, not := range [...]string{"ない", "なかった", "ません", "지 않", "지않", "नहीं", "nahi ", "nahin"} {
		if runesAt(s.norm.units, i, not) > 0 {
			return true
		}
	}
	return false
}

var nobodyWords = set("never nobody noone not no without wont won't cant can't nie niemand keiner nicht ohne jamais sans personne nunca nadie jamas sin sem ninguem mai nessuno senza nooit niemand zonder nigdy nikt bez никогда никто не ни без ніколи ніхто hiç hic asla kimse hicbir tanpa gak ga nggak belum tidak tak tiada chua khong không chưa ไม่ ไม่เคย لا لم ما بدون नहीं कभी बिना nahi kabhi bina hindi walang wala")
