package text

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/portcullis-gg/portcullis/engines"
)

// topic says what the words of a list's vocabulary are about, as a set.
type topic uint64

const (
	topicSell topic = 1 << iota
	topicBuy
	topicCheap
	topicDeliver
	topicTrusted
	topicGoods
	topicAccount
	topicBoost
	topicCheat
	topicMoney
	topicContact
	topicDrug
	topicWeapon
	topicFraud
	topicStreet
	topicHome
	topicPhone
	topicSecret
	topicIdentity
	topicThird
	topicChain
	topicFree
	topicClick
	topicNegate
	topicStaff
	topicName
	topicBank
	topicLobby
	topicScam
	topicSpread
	topicAt
	topicDot
	// What meetings are made of: a forged paper and who makes it, a weapon without
	// papers, a killer paid in advance, pictures of minors and their exchange, somebody
	// asked for age, picture and silence, a leap and why, doubled goods handed over and
	// returned, an account to verify or rent, a drug that is sought.
	topicForged
	topicPaper
	topicMake
	topicUnlicensed
	topicKiller
	topicAdvance
	topicMinor
	topicMedia
	topicSwap
	topicAge
	topicPhoto
	topicHush
	topicLeap
	topicOver
	topicDouble
	topicReturn
	topicHand
	topicVerify
	topicRent
	topicSeek
	// What games are made of and pay with; what is stolen; who is recruited for what;
	// what is built; a child, and somebody met without others.
	topicPlay
	topicCoin
	topicStolen
	topicThings
	topicCause
	topicEnlist
	topicBomb
	topicYoung
	topicAlone
	// A zero in words; what a number is of that is no telephone's.
	topicZero
	topicOrder
	topicScene // of a place or a thing in a game
)

// topics are the keys of a list's vocabulary that the rules here read. Other
// keys (threats) belong to other rules.
var topics = map[string]topic{
	"sell": topicSell, "buy": topicBuy, "cheap": topicCheap, "deliver": topicDeliver, "trusted": topicTrusted, "goods": topicGoods,
	"account": topicAccount, "boost": topicBoost, "cheat": topicCheat, "money": topicMoney, "paid": topicMoney, "contact": topicContact, "drug": topicDrug,
	"weapon": topicWeapon, "fraud": topicFraud, "street": topicStreet, "home": topicHome, "phone": topicPhone, "secret": topicSecret,
	"identity": topicIdentity, "third": topicThird, "chain": topicChain, "free": topicFree, "click": topicClick, "negate": topicNegate,
	"staff": topicStaff, "name": topicName, "bank": topicBank, "lobby": topicLobby, "scam": topicScam, "spread": topicSpread, "at": topicAt,
	"dot": topicDot, "forged": topicForged, "paper": topicPaper, "make": topicMake, "unlicensed": topicUnlicensed, "killer": topicKiller,
	"advance": topicAdvance, "minor": topicMinor, "media": topicMedia, "swap": topicSwap, "age": topicAge, "photo": topicPhoto,
	"hush": topicHush, "leap": topicLeap, "over": topicOver, "double": topicDouble, "return": topicReturn, "hand": topicHand,
	"verify": topicVerify, "rent": topicRent, "seek": topicSeek, "play": topicPlay, "coin": topicCoin, "stolen": topicStolen,
	"things": topicThings, "cause": topicCause, "enlist": topicEnlist, "bomb": topicBomb, "young": topicYoung,
	"alone": topicAlone, "zero": topicZero, "order": topicOrder, "scene": topicScene, "recipe": topicMake,
}

// word is a vocabulary word that stands in a message: units [from, to).
type word struct {
	topics   topic
	facets   facet
	langs    uint32 // of the lists that have it
	from, to int32
	weak     bool
	stance   stance
}

// vocabWord is a vocabulary word ready to be matched. A weak one is likely to be
// an ordinary word of another language: it counts beside a word of its own.
type vocabWord struct {
	topics topic
	facets facet
	langs  uint32
	weak   bool
	stance stance
}

// weakLength is the length up to which a Latin word of a language other than
// English is too likely to be a word of another (fr "or", pt "conta" is longer).
const weakLength = 4

// shortTone is up to which length a Vietnamese word is read with its tones.
const shortTone = 5

// vocabulary adds the words for rules of all lists to the patterns. Words with
// the same spelling and match are one.
func (c *compiler) vocabulary(lists []*list) {
	index := map[string]int32{}
	for _, l := range lists {
		for _, key := range slices.Sorted(maps.Keys(l.Vocabulary)) {
			name, language, ok := strings.Cut(key, "/")
			if !ok {
				language, _, _ = strings.Cut(l.Language, "-")
			}
			about, who := kind{topics[name], facets[name]}, stances[name]
			if about.none() && who == 0 {
				continue
			}
			for _, term := range l.Vocabulary[key] {
				c.vocabTerm(index, stem(term.text, language, about), about, who, vocabLanguage(language))
			}
		}
	}
}

// vocabTerm adds one word.
func (c *compiler) vocabTerm(index map[string]int32, term string, about kind, who stance, lang uint32) {
	p := foldTerm(strings.TrimSuffix(term, "*"))
	if foldedEmpty(term) { // a sign: rules know those
		return
	}
	p.role, p.match = roleWord, vocabularyMatch(term, &p)
	key := strings.Join([]string{string(p.runes), string(p.spelled()), string(rune('0' + p.match))}, "\x00")
	if p.marked && p.length() <= 4 { // an accent makes a short word another
		key += "\x00marked"
	}
	// Vietnamese words that differ in a tone alone are others: thận, a kidney, in cẩn thận.
	if p.exact = p.marked && lang == vocabLanguage("vi") && p.length() <= shortTone; p.exact {
		key += "\x00" + term
	}
	i, ok := index[key]
	if !ok {
		i = int32(len(c.vocab))
		index[key] = i
		c.vocab = append(c.vocab, vocabWord{weak: true})
		p.entry = i
		c.patterns = append(c.patterns, p)
	}
	v := &c.vocab[i]
	v.topics |= about.t
	v.facets |= about.f
	v.stance |= who
	v.langs |= lang
	v.weak = v.weak && lang != everywhere && !p.dense && p.length() <= weakLength && classify(p.runes[0]) == classLatin
}

// vocabularyMatch is where a vocabulary word may stand: a whole word, the start
// of one where the term ends in a star, anywhere in scripts without spaces.
func vocabularyMatch(term string, p *pattern) matchKind {
	switch {
	case p.dense && (p.length() > 1 || classify(p.runes[0]) == classHan):
		return matchSubstring
	case strings.HasSuffix(term, "*"):
		return matchPrefix
	}
	return matchWord
}

// word notes that a vocabulary word stands at symbols start to end. Readings of
// other units (decoded, reversed) have no place among the numbers and links.
func (s *scratch) word(l *lexicon, p *pattern, v *view, start, end int, evasive bool) {
	if len(v.units) == 0 || &v.units[0] != &s.norm.units[0] || !p.stands(v, start, end, evasive, p.match) || p.exact && !s.asTyped(p, v.syms[start:end+1]) {
		return
	}
	w := &l.vocab[p.entry]
	s.words = append(s.words, word{topics: w.topics, facets: w.facets, langs: w.langs, weak: w.weak, stance: w.stance, from: v.syms[start].first, to: v.syms[end].last + 1})
	s.topics |= w.topics
	s.facets |= w.facets
	s.stance |= w.stance
}

// asTyped reports whether a match has the pattern's accents, or none: many write without.
func (s *scratch) asTyped(p *pattern, syms []sym) bool {
	if p.toned(s.norm.units, syms) {
		return true
	}
	for i := range syms {
		for u := syms[i].first; u <= syms[i].last; u++ {
			if s.norm.units[u].tones != 0 {
				return false
			}
		}
	}
	return true
}

// orderWords sorts the words of all views by place, once before the rules.
func (s *scratch) orderWords() {
	order := func(a, b word) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(b.to, a.to), cmp.Compare(a.topics, b.topics), cmp.Compare(a.facets, b.facets), cmp.Compare(a.stance, b.stance))
	}
	if !slices.IsSortedFunc(s.words, order) {
		slices.SortFunc(s.words, order)
	}
	s.words = slices.Compact(s.words)
	if len(s.allows) > 0 {
		s.words = slices.DeleteFunc(s.words, s.partOfAnother(s.longestAllow()))
	}
}

// partOfAnother tells which words are a part of another one that an allowance names,
// where no space shows it: ยาบ้า, a drug, in ยาบ้าง, some medicine.
func (s *scratch) partOfAnother(longest int) func(word) bool {
	return func(w word) bool {
		u := s.norm.units
		return u[w.from].class.dense() && s.allowed(engines.Span{Start: int(u[w.from].start), End: int(u[w.to-1].end)}, longest)
	}
}

// wordsFrom returns the index of the first word that begins at unit from or after.
func (s *scratch) wordsFrom(from int) int {
	i, _ := slices.BinarySearchFunc(s.words, int32(max(from, 0)), func(w word, at int32) int { return cmp.Compare(w.from, at) })
	return i
}

// about returns the first word on any of the topics that begins in units
// [from, to), or nil.
func (s *scratch) about(t topic, from, to int) *word {
	if s.topics&t == 0 {
		return nil
	}
	for i := s.wordsFrom(from); i < len(s.words) && int(s.words[i].from) < to; i++ {
		if s.words[i].topics&t != 0 && !s.words[i].weak {
			return &s.words[i]
		}
	}
	return nil
}

// said is about for words that may be weak: where the place itself vouches for them.
func (s *scratch) said(t topic, from, to int) bool {
	if s.topics&t == 0 {
		return false
	}
	for i := s.wordsFrom(from); i < len(s.words) && int(s.words[i].from) < to; i++ {
		if s.words[i].topics&t != 0 {
			return true
		}
	}
	return false
}

// validateVocabulary reports empty words.
func (l *list) validateVocabulary(bad func(line int, format string, args ...any)) {
	for key, terms := range l.Vocabulary {
		for _, t := range terms {
			if t.text == "" {
				bad(t.line, "vocabulary: %s: an empty word", key)
			}
		}
	}
}
