package risk

// lexicon gives small numbers to the words of flows.
type lexicon struct {
	list []uint32 // 0 is restFlow and itemsWord
	at   map[uint32]int32
	near [256]struct { // the last ones asked for
		word   uint32
		number int32
	}
}

func (x *lexicon) number(word uint32) int32 {
	if word == 0 {
		return 0
	}
	c := &x.near[word%256]
	if c.word == word {
		return c.number
	}
	n, ok := x.at[word]
	if !ok {
		n = int32(len(x.list))
		x.list = append(x.list, word)
		x.at[word] = n
	}
	c.word, c.number = word, n
	return n
}

func newLexicon() lexicon { return lexicon{list: []uint32{0}, at: map[uint32]int32{}} }
