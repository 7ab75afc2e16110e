package policy

import "github.com/portcullis-gg/portcullis/engines"

// LayerNumber is a layer's place in a Set, from 1; 0 is none.
type LayerNumber int16

// Number returns the number of the layer with an id such as region/jp, 0 for none.
func (s *Set) Number(id string) LayerNumber {
	for i := range s.layers {
		if s.layers[i].id == id {
			return LayerNumber(i + 1)
		}
	}
	return 0
}

// LayersOf lists the ids of the layers that hold for an item, the most general first.
func (s *Set) LayersOf(item *engines.Item) (ids []string) {
	for _, n := range s.stack(s.combination(item)) {
		ids = append(ids, s.layers[n-1].id)
	}
	return ids
}

// Holds reports whether a layer is one of those that hold for an item. It allocates
// nothing.
func (s *Set) Holds(item *engines.Item, n LayerNumber) bool {
	if n == 0 {
		return false
	}
	key, number := s.combination(item), int16(n)
	return number == s.global || number == key.language || number == key.region || number == key.mode || number == key.channel || number == s.segments[key.segment]
}
