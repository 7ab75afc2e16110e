package classify

// Version numbers the features. Weights of another version say nothing here, so
// it grows with every change of what extract makes.
const Version = 3

// longestGram is the longest n-gram of letters.
const longestGram = 5

// mostFeatures bounds what is read of a message: about 25,000 letters. Beyond
// that lists and rules alone look.
const mostFeatures = 1 << 17

// Seeds keep kinds of features apart.
const (
	seedGram     uint64 = 0x9E3779B97F4A7C15
	seedWord     uint64 = 0x3C6EF372FE94F82A
	seedPair     uint64 = 0xDAA66D2C7DDF743F
	seedSkip     uint64 = 0x78DDE6E5FD29F054
	seedScript   uint64 = 0x1715609F7C746C69
	seedLength   uint64 = 0xB54CDA58FBBEE87E
	seedEvidence uint64 = 0x538454127B096493
	seedNamed    uint64 = 0xA0761D6478BD642F
	seedStem     uint64 = 0xE7037ED1A0B428DB
)

// spread is an odd constant with well mixed bits (of the golden-ratio family of
// Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
const spread uint64 = 0xBF58476D1CE4E5B9

func mix(h, v uint64) uint64 {
	h = (h ^ v) * spread
	return h ^ h>>29
}

// origin tells where a feature came from, for Explain.
type origin struct {
	kind     byte // g gram, w word, p pair, s skip, n word beside a group, t trait
	from, to int32
	text     string
}

// extract makes the features.
func (in *Input) extract() {
	in.features, in.origins = in.features[:0], in.origins[:0]
	in.traits()
	in.common = len(in.features)
	var before, twice uint64 // hashes of the last two words of the chain
	var said, spoke bool     // whether the last word and the one before it were not quiet
	chain := uint8(0)
	prev := 0
	for i := range in.words {
		w := &in.words[i]
		if w.chain != chain {
			chain, before, twice, said, spoke = w.chain, 0, 0, false, false
		}
		w.begin = int32(len(in.features))
		if w.end = w.begin; w.begin >= mostFeatures {
			continue
		}
		h := in.grams(w)
		loud := !w.quiet || said
		if before != 0 && loud {
			in.add(mix(mix(seedPair, before), h), 'p', in.words[prev].from, w.to)
		}
		if twice != 0 && (loud || spoke) {
			in.add(mix(mix(seedSkip, twice), h), 's', in.words[prev].from, w.to)
		}
		w.end = int32(len(in.features))
		twice, before, spoke, said, prev = before, h, said, !w.quiet, i
	}
}

// grams adds the n-grams of a word, its bounds included, and the word; it returns
// the hash of the word.
func (in *Input) grams(w *word) uint64 {
	h := seedWord
	for _, r := range in.runes[w.from:w.to] {
		h = mix(h, uint64(r))
	}
	if w.quiet {
		return h
	}
	in.add(h, 'w', w.from, w.to)
	if in.named && w.chain == 0 {
		in.beside(w, h)
	}
	if w.whole {
		return h
	}
	text := in.runes[w.from-1 : w.to+1]
	for i := range text {
		g := seedGram
		for n := i; n < len(text) && n < i+longestGram; n++ {
			g = (g ^ uint64(text[n])) * spread
			if n == i && text[n] == ' ' {
				continue
			}
			in.features = append(in.features, uint32(g>>32))
			if in.explain {
				in.origins = append(in.origins, origin{kind: 'g', from: w.from - 1 + int32(i), to: w.from + int32(n)})
			}
		}
	}
	return h
}

// stem is how much of a longer word stands for all its forms.
const stem = 4

// beside adds a word once more as one of a message that names a group of people:
// what is said of things and what is said of people are not the same. Where words
// stand side by side, their pairs and triples of letters are words.
func (in *Input) beside(w *word, h uint64) {
	text := in.runes[w.from:w.to]
	if !spaceless(text[0]) {
		in.add(mix(seedNamed, h), 'n', w.from, w.to)
		if len(text) > stem+1 {
			g := seedStem
			for _, r := range text[:stem] {
				g = mix(g, uint64(r))
			}
			in.add(g, 'n', w.from, w.from+stem)
		}
		return
	}
	for i := range text {
		g := seedNamed
		for n := i; n < min(i+3, len(text)); n++ {
			if g = mix(g, uint64(text[n])); n > i {
				in.add(g, 'n', w.from+int32(i), w.from+int32(n)+1)
			}
		}
	}
}

// spaceless reports whether a rune is of a script that writes words side by side:
// Thai, Lao, Burmese, Khmer, kana and Han.
func spaceless(r rune) bool {
	return r >= 0x0E00 && r < 0x0F00 || r >= 0x1000 && r < 0x10A0 || r >= 0x1780 && r < 0x1800 || r >= 0x2E80 && r < 0xAC00 || r >= 0x20000
}

// traits adds what is true of the whole message.
func (in *Input) traits() {
	in.trait(mix(seedScript, uint64(in.scripts)), "script")
	length := uint64(0)
	for n := len(in.words); n > 0; n >>= 1 {
		length++
	}
	in.trait(mix(seedLength, length), "length")
	for _, e := range in.evidence {
		h := mix(seedEvidence, e.key)
		for range e.times {
			in.trait(h, e.name)
		}
	}
}

func (in *Input) trait(h uint64, name string) {
	in.features = append(in.features, uint32(h>>32))
	if in.explain {
		in.origins = append(in.origins, origin{kind: 't', text: name})
	}
}

func (in *Input) add(h uint64, kind byte, from, to int32) {
	in.features = append(in.features, uint32(h>>32))
	if in.explain {
		in.origins = append(in.origins, origin{kind: kind, from: from, to: to})
	}
}
