package text

// shape is all of an entry's pattern but its runes that says where it may stand; 0 is that of
// patterns which are asked one by one. An insult that forty languages have taken over
// is forty entries of one word and two or three shapes.
type shape uint8

const (
	shapeKnown shape = 1 << iota
	shapeInflected
	shapeExact
	shapeMarked
	shapePlain
	shapeInName
	shapeKind // times the matchKind: two bits
)

// shapes notes the shapes of all patterns.
func (l *lexicon) shapes() {
	for i := range l.patterns {
		if p := &l.patterns[i]; p.role == roleEntry && p.more == nil {
			p.shape = p.shaped(&l.entries[p.entry])
		}
	}
}

func (p *pattern) shaped(e *entry) shape {
	return shapeKnown | shapeInflected.where(e.inflect) | shapeExact.where(p.exact) | shapeMarked.where(p.marked) |
		shapePlain.where(p.plain) | shapeInName.where(e.nameInside) | shapeKind*shape(e.match)
}

func (k shape) where(set bool) shape {
	if set {
		return k
	}
	return 0
}

// shapes are those which cannot stand at a place.
type shapes [4]uint64

func (s *shapes) has(k shape) bool { return s[k>>6]>>(k&63)&1 != 0 }

// note takes a shape in where it does not fit.
func (s *shapes) note(k shape, fits bool) {
	if !fits && k != 0 {
		s[k>>6] |= 1 << (k & 63)
	}
}
