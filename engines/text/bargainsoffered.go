package text

// More bargains: wares of games named beside how they are handed over, where the rest is
// told and what only real life pays with.
var offeredKnown = [...]deed{
	{[3]kind{{t: topicGoods | topicAccount, f: facetHolding}, {f: facetHanded | facetCounter | facetLeaving | facetRates}}, true, proofPrice, "rmt", "bargain", 3, 0.78},
	{[3]kind{{t: topicGoods | topicAccount, f: facetHolding}, {f: facetPaid}, {t: topicSwap, f: facetHire | facetHanded | facetLeaving}}, true, proofNone, "rmt", "bargain", 3, 0.74},
	{[3]kind{{f: facetLeaving}, {f: facetPaid}}, true, proofNone, "rmt", "bargain", 3, 0.74},
	{[3]kind{{f: facetWorth}, {t: topicContact, f: facetCounter | facetRates}}, true, proofNone, "rmt", "bargain", 3, 0.7},
	{[3]kind{{f: facetProxy}, {f: facetCounter | facetRates | facetSpan}}, true, proofSum, "rmt", "bargain", 3, 0.78},
	{[3]kind{{f: facetFame}, {f: facetCounter | facetRates | facetHanded}}, true, proofNone, "rmt", "followers", 3, 0.74},
	{[3]kind{{f: facetFame}, {f: facetNetwork}}, true, proofPriced, "rmt", "followers", 3, 0.74},
	{[3]kind{{t: topicCheat}}, false, proofPriced, "rmt", "cheat-rented", 3, 0.76},
}
