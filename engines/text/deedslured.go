package text

// More deeds: who is recruited for violence, what a child is lured by, arms and drugs by
// words of the street, cards taken from others; and what is sold of networks and by
// subscription, which is spam.

// kindPicture is a picture of oneself that is asked for, kindChild somebody young who is
// addressed, kindHushed that others shall not know; kindArm and kindUnpapered are a firearm
// and what shows that it is no toy.
var (
	kindPicture   = kind{t: topicPhoto, f: facetSelfie}
	kindChild     = kind{t: topicYoung, f: facetChild}
	kindHushed    = kind{t: topicHush, f: facetErase}
	kindArm       = kind{t: topicWeapon, f: facetPiece}
	kindUnpapered = kind{t: topicUnlicensed, f: facetRounds}
)

var luredKnown = [...]deed{
	{[3]kind{{f: facetFighter}, {t: topicCause, f: facetUprising}, {t: topicEnlist, f: facetArmed | facetJourney | facetWant}}, true, proofNone, "extremism", "recruiting", 4, 0.86},
	{[3]kind{{f: facetFighter}, {t: topicCause, f: facetUprising}}, false, proofReached, "extremism", "recruiting", 4, 0.84},
	{[3]kind{{t: topicCause, f: facetUprising}, {f: facetArmed | facetJourney}}, true, proofNone, "extremism", "recruiting", 4, 0.86},
	{[3]kind{{t: topicCause}, {t: topicEnlist, f: facetFighter | facetArmed | facetJourney | facetWant}}, true, proofReached, "extremism", "recruiting", 4, 0.8},
	{[3]kind{{f: facetUprising}, {t: topicEnlist}}, true, proofReached, "extremism", "recruiting", 4, 0.82},
	{[3]kind{{f: facetFighter}, {f: facetArmed}, {t: topicEnlist, f: facetJourney}}, true, proofReached, "extremism", "recruiting", 4, 0.82},

	{[3]kind{kindPicture, kindChild, {t: topicHush, f: facetErase | facetGift}}, false, proofNone, "child_safety", "grooming", 4, 0.9},
	{[3]kind{kindPicture, kindChild, {f: facetYouAre}}, false, proofNone, "child_safety", "grooming", 4, 0.76},
	{[3]kind{kindHushed, kindChild}, false, proofNone, "child_safety", "grooming", 4, 0.86},
	{[3]kind{kindPicture, {t: topicAge}, {t: topicHush, f: facetErase | facetGift}}, false, proofNone, "child_safety", "grooming", 4, 0.86},
	{[3]kind{kindPicture, kindHushed, {f: facetParents | facetGift}}, false, proofNone, "child_safety", "grooming", 4, 0.86},
	{[3]kind{{f: facetSelfie}, {t: topicHush}}, false, proofNone, "child_safety", "grooming", 4, 0.84},

	{[3]kind{kindArm, {t: topicTrade | topicSeek, f: facetWant | facetProcure}, {t: topicUnlicensed, f: facetRounds | facetCash | facetPaid}}, true, proofNone, "weapons", "unlicensed-weapon", 4, 0.84},
	{[3]kind{kindArm, kindUnpapered, {f: facetCash}}, true, proofNone, "weapons", "unlicensed-weapon", 4, 0.84},
	{[3]kind{{f: facetPiece}, kindUnpapered}, true, proofAsked, "weapons", "unlicensed-weapon", 4, 0.8},
	{[3]kind{{t: topicWeapon}, {f: facetCash}}, true, proofReached, "weapons", "illegal-offer", 4, 0.8},

	{[3]kind{{t: topicDrug}, {t: topicDeliver, f: facetProcure | facetDose}}, true, proofReached, "drugs", "illegal-offer", 4, 0.82},
	{[3]kind{{f: facetStreet}, {t: topicDrug, f: facetDose}, {t: topicDeliver, f: facetProcure}}, true, proofNone, "drugs", "illegal-offer", 4, 0.8},
	{[3]kind{{f: facetStreet}, {t: topicDrug, f: facetDose}}, true, proofReached, "drugs", "illegal-offer", 4, 0.8},

	{[3]kind{{f: facetCard}, {t: topicStolen | topicFraud}, {t: topicTrade | topicCheap | topicMoney, f: facetCash}}, true, proofNone, "fraud", "stolen-cards", 4, 0.84},
	{[3]kind{{f: facetCard}, {t: topicStolen | topicFraud}}, true, proofPriced, "fraud", "stolen-cards", 4, 0.84},
	{[3]kind{{f: facetCard}, {t: topicStolen | topicFraud}}, true, proofReached, "fraud", "stolen-cards", 4, 0.8},

	{[3]kind{{t: topicDrug, f: facetTreat}, {f: facetWant}, {t: topicDeliver, f: facetCash | facetProcure | facetDose | facetMeasure}}, true, proofNone, "drugs", "illegal-offer", 4, 0.78},
	{[3]kind{{t: topicDrug}, {f: facetWant}}, true, proofNone, "drugs", "illegal-offer", 4, 0.68},
	{[3]kind{{t: topicOver}, {f: facetRelief}}, true, proofNone, "self_harm", "told-to-die", 4, 0.84},
	{[3]kind{{f: facetFighter}, {t: topicEnlist}}, true, proofReached, "extremism", "recruiting", 4, 0.76},
	// Who burns what others own calls for it.
	{[3]kind{{f: facetBlaze}, {t: topicCause | topicEnlist, f: facetUprising}}, true, proofReached, "extremism", "recruiting", 4, 0.8},
}

// soldKnown are what is sold of networks, of cheats, of accounts.
var soldKnown = [...]deed{
	{[3]kind{{f: facetFame}, {t: topicTrade | topicCheap | topicDeliver, f: facetNetwork | facetPace}}, false, proofPriced, "rmt", "followers", 3, 0.84},
	{[3]kind{{f: facetFame}, {f: facetNetwork}, {t: topicTrade | topicDeliver, f: facetPace}}, false, proofSum, "rmt", "followers", 3, 0.78},
	{[3]kind{{f: facetFame}, {t: topicSell | topicCheap, f: facetPace}, {f: facetNetwork}}, false, proofReached, "rmt", "followers", 3, 0.78},

	{[3]kind{{t: topicCheat}, {f: facetTerm}}, false, proofTermed, "rmt", "cheat-rented", 3, 0.84},
	{[3]kind{{t: topicCheat}, {f: facetSafe}, {t: topicTrade | topicCheap | topicDeliver, f: facetTrial | facetTerm}}, true, proofNone, "rmt", "cheat-rented", 3, 0.8},
	{[3]kind{{t: topicCheat}, {f: facetSafe | facetTrial}}, true, proofAsked, "rmt", "cheat-rented", 3, 0.76},
	{[3]kind{{t: topicCheat}, {f: facetTrial}}, true, proofNone, "rmt", "cheat-rented", 3, 0.66},
	{[3]kind{{f: facetSafe}, {f: facetTerm}, {f: facetTrial}}, true, proofTermed, "rmt", "cheat-rented", 3, 0.76},

	{[3]kind{{f: facetIdle}, {t: topicAccount}, {t: topicBuy | topicMoney, f: facetCash | facetPaid}}, false, proofReached, "rmt", "account-bought", 3, 0.84},
	{[3]kind{{f: facetIdle}, {t: topicAccount}, {t: topicMoney, f: facetCash | facetPaid}}, false, proofNone, "rmt", "account-bought", 3, 0.8},
	{[3]kind{{f: facetIdle}, {t: topicBuy}, {t: topicMoney, f: facetCash | facetPaid}}, false, proofReached, "rmt", "account-bought", 3, 0.78},
	{[3]kind{{t: topicBoost}}, false, proofPriced, "rmt", "boost", 3, 0.8},
}

// facetBeside are small words that say nothing without others: no message is looked at for them.
const facetBeside = facetWant | facetYears | facetGrade | facetYouAre | facetRealm | facetGuard | facetTerm | facetNetwork | facetPace |
	facetStreet | facetPiece | facetDose | facetGift | facetParents | facetCash | facetTrial | facetArmed | facetJourney | facetRounds

// facetFirst are told before topics, all others after them: where a message has more than
// can be told, those are left out that say less.
const facetFirst = facetFighter - 1

// facetUntold are words that the classifier is not told of: they stand anywhere.
const facetUntold = facetWant | facetYears | facetGrade | facetYouAre | facetPace

// facetNumbered are the words that say something of the number beside them.
const facetNumbered = facetYears | facetGrade | facetYouAre | facetTerm

// lures takes the facets of a word in, and what it makes of a number beside it. Advice and talk
// within a longer word are none: "tell your mom" in "don't tell your mom", "banned" in "never banned".
func (e *evidence) lures(s *scratch, v *word) {
	f := v.facets
	if f&(facetGuard|facetTalk) != 0 && s.within(v) {
		f &^= facetGuard | facetTalk
	}
	e.facets |= f
	if f&facetNumbered != 0 {
		e.aged(s, v)
	}
}

// aged takes in a number that a word makes somebody's age or class, and one beside a word of time.
func (e *evidence) aged(s *scratch, v *word) {
	before, after := s.numberAt(int(v.from)-1, -1, 3), s.numberAt(int(v.to), 1, 2)
	switch {
	case v.facets&facetYears != 0 && isChild(before),
		v.facets&facetYouAre != 0 && isChild(after),
		v.facets&facetGrade != 0 && (isGrade(before) || isGrade(after)):
		e.facets |= facetChild
	}
	if v.facets&facetTerm != 0 {
		e.termed = e.termed || s.numberAt(int(v.from)-1, -1, 11) > 0 || s.numberAt(int(v.to), 1, 3) > 0
	}
}

func isChild(years int) bool { return years >= 7 && years <= 14 }

func isGrade(n int) bool { return n >= 1 && n <= 8 }

// numberAt returns the number of up to six digits that begins (step 1) or ends (step -1)
// within reach units of unit i; -1 where none does.
func (s *scratch) numberAt(i, step, reach int) int {
	units := s.norm.units
	for ; reach > 0 && i >= 0 && i < len(units) && units[i].class != classDigit; reach-- {
		i += step
	}
	if reach == 0 || i < 0 || i >= len(units) {
		return -1
	}
	n, tens := 0, 1
	for size := 0; i >= 0 && i < len(units) && units[i].class == classDigit; i, size = i+step, size+1 {
		if size == 6 {
			return -1
		}
		d := int(units[i].r - '0')
		if step > 0 {
			n = n*10 + d
			continue
		}
		n, tens = n+d*tens, tens*10
	}
	return n
}

// lured is what words of play, of parents and of one's own account leave of a deed; ok is
// false where a deed is none of those told here.
func (e *evidence) lured(d *deed) (left float64, ok bool) {
	switch {
	case d.sub == "extremism" && e.facets&(facetRealm|facetTalk) != 0 && e.facets&facetArmed == 0:
		return 0.4, true
	case d.sub == "extremism":
		return max(e.doubt(), 0.85), true // who says "tell nobody" denies nothing
	case d.sub == "weapons" && e.facets&facetRealm != 0 && !e.price && !e.handle && !e.link:
		return 0.5 * e.played(), true
	case (d.sub == "child_safety" || d.rule == "followers") && e.facets&facetGuard != 0:
		return 0.4, true
	case d.rule == "account-bought":
		return e.played(), true // "you no longer play" denies nothing
	}
	return 0, false
}
