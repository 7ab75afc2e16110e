package text

import (
	"context"
	"math"
	"slices"

	"github.com/portcullis-gg/portcullis/engines"
	classifier "github.com/portcullis-gg/portcullis/engines/text/classify"
)

// DealSide is one of the numbers that are weighed where somebody may deal in something.
type DealSide int

// What is weighed. Log-odds of the network; log-odds of five heads of the linear model, before
// anything tempers them; the confidence of the surest offer, crime and personal data that rules
// found, of a word of the lists about these, and of one that abuses; how many words and signs of
// a deal there are (at most 6), and whether any and whether enough are; whether (1 or 0) a digit
// stands in the message, a long number, and a link or a way to be reached; the logarithm of how
// many words there are; and the highest of the network's log-odds, of those of abuse and hate, and
// of the heads', for a sum of all is little where one is sure.
const (
	DealOffer DealSide = iota
	DealCrime
	DealPersonal
	DealAbuse
	DealHate
	DealHeadAbuse
	DealHeadViolence
	DealHeadIllegal
	DealHeadSpam
	DealHeadPrivacy
	DealRuleOffer
	DealRuleCrime
	DealRulePersonal
	DealWord
	DealInsult
	DealSigns
	DealAnySign
	DealManySigns
	DealDigit
	DealNumber
	DealReach
	DealLength
	DealSurest
	DealHarm
	DealHeadSurest
	DealSides
)

// dealSideNames are what the file of weights calls them.
var dealSideNames = [DealSides]string{
	"offer", "crime", "personal", "abuse", "hate", "head abuse", "head violence", "head illegal", "head spam", "head privacy",
	"rule offer", "rule crime", "rule personal", "word", "insult", "signs", "any sign", "many signs", "digit", "number", "reach", "length", "surest", "harm", "head surest",
}

func (s DealSide) String() string { return dealSideNames[s] }

// Deal is what is known of a message that may be one.
type Deal struct {
	Sides [DealSides]float64
	// Answered is set where the network's are among them.
	Answered bool
	// Evident is set where words or rules found a trade that the network may take back; veiled
	// where the message may read otherwise than it is written.
	Evident bool
	veiled  bool
	points  int // code points
	// serial is set where its only number is a long one in one piece that is no account's.
	serial bool
}

// Kinds are the categories that the network finds, each with a regression of its own.
const Kinds = 3

var kinds = [Kinds]engines.Category{engines.Spam, engines.Illegal, engines.Privacy}

// KindOf is the category of a kind, 0 to Kinds-1.
func KindOf(kind int) engines.Category { return kinds[kind] }

// kindOf is the place of a category among the kinds, -1 for another.
func kindOf(c engines.Category) int {
	for k := range kinds {
		if kinds[k] == c {
			return k
		}
	}
	return -1
}

// mostSigns is how many words and signs of a deal are counted.
const mostSigns = 6

// deal gathers what the first stage knows of a message with the signals found.
func (s *scratch) deal(found []engines.Signal) Deal {
	var d Deal
	for side, head := range dealHeads {
		d.Sides[DealHeadAbuse+DealSide(side)] = within(s.opinions[head])
	}
	d.Sides[DealLength] = math.Log1p(s.length())
	d.Sides[DealHeadSurest] = slices.Max(d.Sides[DealHeadAbuse : DealHeadPrivacy+1])
	d.veiled, d.serial, d.points = s.alt.needed, s.serial(), int(s.norm.points)
	for i := range found {
		g := &found[i]
		d.Evident = d.Evident || d.traded(g)
		side := DealSide(-1)
		switch k := kindOf(g.Category); {
		case g.Source == engines.SourceRule && k >= 0:
			side = DealRuleOffer + DealSide(k)
		case g.Source == engines.SourceLexicon && k >= 0:
			side = DealWord
		case g.Source == engines.SourceLexicon && g.Category != engines.Political:
			side = DealInsult
		}
		if side >= 0 {
			d.Sides[side] = max(d.Sides[side], g.Confidence)
		}
	}
	n := len(s.traits)
	d.Sides[DealSigns] = float64(min(n, mostSigns))
	d.Sides[DealAnySign] = truth(n > 0)
	d.Sides[DealManySigns] = truth(n >= enoughTraits)
	d.Sides[DealDigit] = truth(s.digits > 0)
	d.Sides[DealNumber] = truth(len(s.numbers) > 0)
	d.Sides[DealReach] = truth(len(s.links) > 0 || len(s.private) > 0)
	return d
}

// serialDigits is how many digits a number has that is an account's, or only some order's.
const serialDigits = 12

// serial reports whether the only number of the message is a long one in one piece. Numbers of
// cards, accounts and people as long as that have check digits, which the rules know; one that
// has none is a parcel's or an order's, and to the network all are pieces of digits.
func (s *scratch) serial() bool {
	if len(s.numbers) != 1 {
		return false
	}
	n := &s.numbers[0]
	return n.n >= serialDigits && n.ngroups == 1 && n.apart && !n.claimed
}

// dealHeads are the heads of the linear model that are weighed, in the order of their sides.
var dealHeads = [...]classifier.Head{classifier.Abuse, classifier.Violence, classifier.Illegal, classifier.Spam, classifier.Privacy}

// length is how many words a message has; where they are not written apart two letters are one.
func (s *scratch) length() (words float64) {
	inside := false
	for i := range s.norm.units {
		u := &s.norm.units[i]
		if u.class.dense() {
			words += 0.5
			inside = false
			continue
		}
		letter := u.class.letter() || inside && apostrophe(u.r)
		if letter && !inside {
			words++
		}
		inside = letter
	}
	return words
}

func truth(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// hear takes the network's answers in.
func (d *Deal) hear(logOdds [Answers]float64) {
	copy(d.Sides[:Answers], logOdds[:])
	d.Sides[DealSurest] = slices.Max(logOdds[:])
	d.Sides[DealHarm] = max(logOdds[AnswerAbuse], logOdds[AnswerHate])
	d.Answered = true
}

// DealBlend is a logistic regression over the sides of a Deal.
type DealBlend struct {
	Constant float64
	Weights  [DealSides]float64
}

// LogOdds are those of what the regression is about.
func (b *DealBlend) LogOdds(d *Deal) float64 {
	sum := b.Constant
	for i, w := range b.Weights {
		sum += w * d.Sides[i]
	}
	return sum
}

// Weighing says when the network is asked and what becomes of its answers.
type Weighing struct {
	// Suspects are what the first stage alone makes of a message as a deal of each kind (the
	// network's weights are 0): it is asked about where one is From or more.
	Suspects [Kinds]DealBlend
	From     float64
	// Kinds are regressions of the kinds, Wrong that of anything else that is to be found.
	Kinds [Kinds]DealBlend
	Wrong DealBlend
	// Raise is the probability of a kind from which it is a finding. Where the likeliest is below
	// Lower, what is loose of the kinds counts no more than that, and below Deny an evident trade.
	// What the linear model says of abuse counts no more than Wrong where that is below Calm and
	// no kind reaches Lower.
	Raise, Lower, Calm, Deny float64
}

// Suspicion is the highest log-odds, by the first stage alone, of a deal of any kind.
func (w *Weighing) Suspicion(d *Deal) float64 {
	most := math.Inf(-1)
	for k := range w.Suspects {
		most = max(most, w.Suspects[k].LogOdds(d))
	}
	return most
}

// OfNetwork reports whether a side is the network's.
func (s DealSide) OfNetwork() bool { return s < Answers || s == DealSurest || s == DealHarm }

// Deal is what is known of an item as a deal, and whether the network is to be asked about it; d
// has its answers where m gives them, and nil asks nobody. It is for engines/text/train and for
// explanations.
func (e *Engine) Deal(ctx context.Context, item *engines.Item, m Meaning) (d Deal, asked bool, err error) {
	s := e.scratch()
	defer e.pool.Put(s)
	found, err := e.find(ctx, s, item, nil)
	if err != nil || e.model == nil || !s.wordy() {
		return d, false, err
	}
	_, found = e.firstStage(s, found, 0)
	q := e.doubts(s, item, found)
	if q.dealing && m != nil {
		if answers, ok := m.Read(ctx, item.Text); ok {
			q.deal.hear(answers)
		}
	}
	return q.deal, q.dealing, nil
}
