package text

// What a message has of an offer of its own, whatever else it tells: a way to be reached,
// a price with a pitch, and a verb of trade whose subject is the one who writes.

// deedsOwn are the topics of words by which somebody offers, asks for or calls to a deed.
const deedsOwn = topicSell | topicSeek | topicEnlist | topicAdvance

// pitched reports whether a message in these frames has parts of an offer of its own.
func (s *scratch) pitched(frames stance) bool {
	e := evidence{from: 0, to: len(s.norm.units)}
	s.signs(&e, 0, len(s.norm.units))
	far := word{from: -reach, to: -reach}
	trade := false
	for i := range s.words {
		w := &s.words[i]
		if w.weak && w.topics&topicContact == 0 || s.inFrame(i) {
			continue
		}
		if s.own(w) {
			return true
		}
		s.reachable(&e, w)
		e.sums(s, w.topics, w, &far)
		e.topics |= w.topics
		trade = trade || w.topics&deedsOwn != 0 || w.facets&facetProcure != 0
	}
	pitch := e.has(topicCheap|topicDeliver|topicTrusted) && frames != stanceStore // a shop is praised so too
	switch {
	case e.contact || e.soft || e.price && pitch:
		return true
	case e.price && trade:
		return frames&(framesDone|stanceStore) == 0
	}
	return frames&framesDone == 0 && pitch
}

// own reports whether a word of trade is said of the one who writes, or of nobody who
// is told of.
func (s *scratch) own(w *word) bool {
	if w.topics&deedsOwn != 0 || w.facets&facetProcure != 0 {
		return s.ownTrade(w) || !s.governed(w)
	}
	return w.topics&topicBuy != 0 && s.opens(w)
}

// reachable takes in a way to be reached: with a name behind it, or asked for. In
// scripts without spaces no word is too short to ask.
func (s *scratch) reachable(e *evidence, w *word) {
	if w.topics&topicContact == 0 {
		return
	}
	alone := e.reach(s, w)
	e.soft = e.soft || alone && w.topics == topicContact && w.to-w.from >= 2 && s.norm.units[w.from].class.dense()
}

// inFrame reports whether word i is a part of one of a frame: "don't buy from", "is a scam".
func (s *scratch) inFrame(i int) bool {
	w := &s.words[i]
	for k := s.wordsFrom(int(w.from) - 40); k < len(s.words) && s.words[k].from <= w.from; k++ {
		if o := &s.words[k]; o.stance != 0 && o.to >= w.to {
			return true
		}
	}
	return false
}

// opens reports whether a word begins its clause.
func (s *scratch) opens(w *word) bool {
	i := int(w.from) - 1
	for ; i >= 0 && s.norm.units[i].class == classSep && !s.stop(i) && !s.comma(i, i+1); i-- {
	}
	return i < 0 || s.stop(i) || s.comma(i, i+1)
}

// ownTrade reports whether a verb of trade is said of the one who writes: it opens a
// clause, stands behind "I" or has the ending that says so.
func (s *scratch) ownTrade(w *word) bool {
	if s.opens(w) {
		return true
	}
	var buf [24]byte
	units := s.norm.units
	if ownTrades[string(spelling(buf[:0], units[w.from:w.to]))] {
		return true
	}
	end := int(w.from)
	for end > 0 && units[end-1].r == ' ' {
		end--
	}
	from := end
	for from > 0 && (units[from-1].class.alphabetic() || apostrophe(units[from-1].r)) {
		if units[from-1].class.dense() && end-from >= 2 {
			break
		}
		from--
	}
	return ownPronouns[string(spelling(buf[:0], units[from:end]))]
}

// governed reports whether the sentence of a verb of trade names somebody else, or a
// frame, as what it is told of.
func (s *scratch) governed(w *word) bool {
	first, last, _ := s.sentence(int(w.from), int(w.to))
	for i := s.wordsFrom(first); i < len(s.words) && int(s.words[i].from) < last; i++ {
		if o := &s.words[i]; o.stance&framesAll != 0 || o.facets&facetPerson != 0 || o.topics&topicThird != 0 {
			return true
		}
	}
	return false
}

// ownPronouns stand before what the one who writes does.
var ownPronouns = set("i im i'm we we're ive i've ich wir je j' on yo nosotros eu io noi ik wij ja я мы ми ben biz انا أنا احنا ana aku gw gue gua saya kami tôi tao tớ mình t 我 我们 俺 私 僕 저 제가 나 내가 ผม เรา ฉัน ako kami मैं हम main hum mai")

// ownTrades are verbs of trade that have the first person in them.
var ownTrades = set("vendo vendemos verkaufe verkauf vends verkoop sprzedam sprzedaję продам продаю продаем продаём куплю satıyorum satarım satiyorum wts wtb w.t.s بعت ابيع أبيع نبيع للبيع 팝니다 팔아요 팔게요 판매합니다 売ります 売るよ 売りたい 譲ります 出售 出号 ขายครับ ขายค่ะ ขายคับ")
