package text

import "math/bits"

// How likely the surroundings of a ware make an offer.

// trade is how likely game wares are traded for real money. Trade inside the game
// names no real money, no site, no way to be reached outside, and no bulk.
func (e *evidence) trade() float64 {
	verb := e.has(topicTrade)
	pitch := bits.OnesCount64(uint64(e.topics & (topicCheap | topicDeliver | topicTrusted)))
	money := e.price || e.has(topicMoney)
	outside := e.contact || e.has(topicContact)
	c := e.services(verb, pitch, money, outside)
	if e.has(topicGoods) && (!e.inGame || e.price || e.handle || e.link || e.paid) {
		c = max(c, e.goods(verb, pitch, money, outside))
	}
	return c * e.doubt() * e.played()
}

// services is how likely an account, a cheat or somebody's play is sold.
func (e *evidence) services(verb bool, pitch int, money, outside bool) float64 {
	switch {
	case !e.has(topicBoost | topicAccount | topicCheat):
	case verb && (money || outside || e.soft || pitch > 0):
		return 0.93
	case e.has(topicCheat) && verb, e.has(topicAccount) && e.has(topicSell):
		return 0.78
	case e.has(topicAccount) && verb, e.has(topicBoost) && e.has(topicSell):
		return 0.6
	case e.price && outside, pitch > 0 && (money || outside), pitch > 1:
		return 0.86
	case e.has(topicBoost) && pitch > 0 && !e.long && !e.has(topicPlay):
		return 0.62
	case e.has(topicBoost|topicCheat) && (e.price || e.handle || money && (outside || e.soft)), e.sited():
		return 0.72
	case e.tagged && !e.coins && !e.long:
		return 0.66
	case e.has(topicAccount) && e.contact && e.has(topicGoods), e.has(topicAccount) && (e.price || e.paid) && !e.long:
		return 0.7
	}
	return 0
}

// sited reports whether a link leads to what is given away or, beside a cheat, to where it is had.
func (e *evidence) sited() bool {
	return e.link && (e.has(topicFree|topicClick) || e.has(topicCheat) && !e.long && !e.has(topicThird))
}

// doubt is what words of denial leave: who gives a price or a contact means "no scam".
func (e *evidence) doubt() float64 {
	switch {
	case e.long && !e.handle && !e.price:
		return 0.6
	case !e.denied:
		return 1
	case e.price || e.handle:
		return 0.92
	}
	return 0.5
}

// played is what words of a game leave: there herbs and pistols are sold for silver.
// Who names real money, a name in a network or a link sells outside it.
func (e *evidence) played() float64 {
	switch {
	case e.facets&facetTalk != 0 && !e.contact && !e.soft && !e.has(topicContact):
		return 0.55 // what it costs, what was paid for it
	case e.price || e.handle || e.link || e.paid:
		return 1
	case e.coins:
		return 0.5
	case e.has(topicPlay):
		return 0.58
	}
	return 1
}

// paidFor reports whether goods are had for what no game takes. Who asks whether a shop
// takes it names nobody to write to.
func (e *evidence) paidFor(pitched, outside bool) bool {
	return e.paid && !e.long && (outside || !e.asked && (pitched || e.has(topicSwap|topicMake)))
}

// rated reports whether goods are had by a rate: so much of them for one of real money.
func (e *evidence) rated(pitched, outside bool) bool {
	return e.ratio && (pitched || outside || e.soft)
}

// meantBy reports whether a message offers where it may only ask what a shop takes.
func (e *evidence) meantBy(outside bool) bool { return !e.asked || e.price || outside }

func (e *evidence) goods(verb bool, pitch int, money, outside bool) float64 {
	switch {
	case verb && e.price, e.price && (e.contact || pitch > 0), verb && e.contact && e.link:
		return 0.93
	case e.price && e.amount, e.rated(verb || pitch > 0, outside), e.paidFor(verb || pitch > 0, outside):
		return 0.88
	case verb && pitch > 0 && (e.amount || outside || money), pitch > 1 && (outside || e.amount || verb), verb && e.contact:
		return 0.88
	case verb && money && e.meantBy(outside):
		return 0.8
	case pitch > 0 && (e.contact || money):
		return 0.78
	case e.plain, verb && outside, verb && pitch > 0, e.link && (e.has(topicFree) || e.amount):
		return 0.6
	}
	return 0
}

// illegal is how likely drugs, weapons or forged papers are offered, and of what kind.
// Guns are also sold inside games, so they need money, a contact or a delivery.
func (e *evidence) illegal(t topic) (float64, string) {
	if t&topicIllegal == 0 {
		return 0, ""
	}
	verb := e.has(topicTrade)
	outside := e.price || e.has(topicMoney) || e.handle || e.soft || e.has(topicContact) || e.has(topicDeliver)
	sub := "drugs"
	switch {
	case t&topicFraud != 0:
		sub = "fraud"
	case t&topicWeapon != 0 && t&topicDrug == 0:
		sub = "weapons"
	}
	var c float64
	switch {
	case verb && (outside || e.link), e.handle && (e.price || e.has(topicDeliver)):
		c = 0.93
	case e.handle && e.has(topicCheap|topicDeliver|topicTrusted):
		c = 0.9
	case sub == "weapons":
		c = e.weapons()
	case e.handle, e.price && e.has(topicDeliver):
		c = 0.86
	case sub == "fraud":
		c = max(e.fraud(verb, outside), e.hawked(verb, outside))
	default:
		c = max(e.drugged(outside), e.hawked(verb, outside))
	}
	if sub == "weapons" && e.has(topicGoods) && !e.has(topicUnlicensed) { // their skins are sold on markets
		c *= 0.5
	}
	return c * e.doubt() * e.played(), sub
}

// weapons is how likely a weapon is offered where no verb says so.
func (e *evidence) weapons() float64 {
	switch {
	case e.has(topicUnlicensed) && (e.price || e.handle):
		return 0.9
	case e.handle:
		return 0.8
	case e.price && !e.has(topicGoods):
		return 0.66
	}
	return 0
}

// fraud is how likely forged or stolen papers and cards are offered.
func (e *evidence) fraud(verb, outside bool) float64 {
	switch {
	case verb:
		return 0.85
	case e.has(topicMake | topicDeliver | topicCheap | topicSeek):
		return 0.72
	case outside, e.frauds > 1 && !e.long, e.sum && !e.long:
		return 0.62
	}
	return 0
}

// drugged is how likely drugs are offered where no verb says so.
func (e *evidence) drugged(outside bool) float64 {
	switch {
	case e.drugs > 1 && outside, e.has(topicDeliver) && !e.long:
		return 0.72
	case e.paid && !e.long:
		return 0.66
	case e.drugs > 1 && e.opening:
		return 0.62
	case e.soft && !e.long:
		return 0.6
	}
	return 0
}

// hawked is how likely a word of crime is a ware by the pitch around it alone.
func (e *evidence) hawked(verb, outside bool) float64 {
	switch {
	case e.has(topicSell) && (e.opening || e.amount), outside && e.has(topicCheap):
		return 0.62
	case verb:
		return 0.5
	}
	return 0
}
