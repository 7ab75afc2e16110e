package text

// A bargain is a deal over what a game gives that names neither ware nor trade: an
// inventory "for a transfer, seven tenths of the market", placements that somebody plays
// tonight, a key by the week. It is told as deeds are: by its parts, and by a proof that
// it leaves the game.
var bargainsKnown = [...]deed{
	{[3]kind{{f: facetHolding}, {f: facetLeaving}}, false, proofBid, "rmt", "bargain", 3, 0.86},
	{[3]kind{{f: facetHolding}, {f: facetLeaving}, {t: topicSell | topicContact, f: facetCounter | facetRates | facetHanded}}, false, proofSum, "rmt", "bargain", 3, 0.8},
	{[3]kind{{f: facetHolding}, {f: facetWorth}, {t: topicMoney | topicSell, f: facetPaid | facetHanded | facetCounter | facetRates}}, false, proofNone, "rmt", "bargain", 3, 0.84},
	{[3]kind{{t: topicGoods | topicAccount}, {f: facetWorth}, {f: facetPaid | facetHanded | facetCounter | facetRates}}, true, proofNone, "rmt", "bargain", 3, 0.84},
	{[3]kind{{f: facetWorth}, {t: topicGoods | topicAccount | topicCoin}}, true, proofOutside, "rmt", "bargain", 3, 0.8},
	{[3]kind{{f: facetWorth}, {t: topicGoods | topicAccount}}, true, proofReached, "rmt", "bargain", 3, 0.78},
	{[3]kind{{f: facetHolding}, {f: facetHanded}, {t: topicTrade | topicMoney, f: facetLeaving | facetPaid}}, false, proofNone, "rmt", "bargain", 3, 0.82},
	{[3]kind{{t: topicAccount}, {f: facetHanded}, {t: topicTrade | topicMoney, f: facetLeaving | facetPaid}}, true, proofNone, "rmt", "bargain", 3, 0.82},
	{[3]kind{{t: topicGoods}, {t: topicBuy | topicSell}, {f: facetHanded}}, true, proofNone, "rmt", "bargain", 3, 0.76},
	{[3]kind{{f: facetHolding}, {t: topicTrade}}, true, proofOutside, "rmt", "bargain", 3, 0.82},
	{[3]kind{{f: facetHolding}, {f: facetCounter | facetRates}, {t: topicTrade | topicCheap, f: facetSpan}}, true, proofNone, "rmt", "bargain", 3, 0.78},
	{[3]kind{{f: facetProxy | facetHolding}, {f: facetRates}}, false, proofNone, "rmt", "bargain", 3, 0.78},
	{[3]kind{{f: facetProxy}, {f: facetCounter | facetHanded}}, false, proofAsked, "rmt", "bargain", 3, 0.78},
	{[3]kind{{f: facetProxy}}, false, proofOutside, "rmt", "bargain", 3, 0.82},
	{[3]kind{{f: facetProxy}, {t: topicMoney | topicTrade | topicCheap, f: facetSpan | facetHire}}, false, proofSum, "rmt", "bargain", 3, 0.8},
	{[3]kind{{t: topicBoost}, {f: facetSpan | facetCounter | facetRates | facetHanded}}, true, proofSum, "rmt", "bargain", 3, 0.78},
	{[3]kind{{t: topicCheat}, {f: facetSpan | facetHanded}}, true, proofAsked, "rmt", "bargain", 3, 0.84},
	{[3]kind{{t: topicCheat}, {f: facetRates}}, true, proofNone, "rmt", "bargain", 3, 0.8},
	{[3]kind{{t: topicCheat}, {f: facetCounter}}, true, proofAsked, "rmt", "bargain", 3, 0.8},
	{[3]kind{{f: facetWorth}, {f: facetHanded}}, true, proofNone, "rmt", "bargain", 3, 0.7},
	{[3]kind{{f: facetProxy}, {t: topicMoney | topicCheap, f: facetTag | facetPaid | facetHanded}}, true, proofNone, "rmt", "bargain", 3, 0.72},
	// Whatever it is: who names real money, and where the rest is told, offers something.
	{[3]kind{{f: facetCounter | facetRates}}, false, proofPrice, "rmt", "bargain", 3, 0.7},
	{[3]kind{{t: topicMoney}}, false, proofName, "rmt", "bargain", 3, 0.62},
}
