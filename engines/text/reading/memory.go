package reading

import (
	"hash/maphash"
	"sync"
)

// memory keeps the newest answers, at least most and at most twice as many of them: adverts come
// in floods of the same words, and whoever is asked once need not be asked again. It holds no
// text, only its hash of 64 bits under a seed of this process, so that nobody can make two meet.
type memory[T any] struct {
	seed maphash.Seed
	most int // of a generation; 0 keeps nothing

	mu         sync.Mutex
	young, old map[uint64]T // a full young one becomes the old one, which is forgotten
}

func newMemory[T any](most int) *memory[T] {
	return &memory[T]{seed: maphash.MakeSeed(), most: most, young: map[uint64]T{}}
}

// find gives the answer to a text that is remembered.
func (m *memory[T]) find(text string) (is T, ok bool) {
	if m.most == 0 {
		return is, false
	}
	key := maphash.String(m.seed, text)
	m.mu.Lock()
	defer m.mu.Unlock()
	if is, ok = m.young[key]; ok {
		return is, true
	}
	if is, ok = m.old[key]; ok { // what is asked for again stays
		m.keep(key, is)
	}
	return is, ok
}

// add remembers an answer.
func (m *memory[T]) add(text string, is T) {
	if m.most == 0 {
		return
	}
	key := maphash.String(m.seed, text)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.keep(key, is)
}

func (m *memory[T]) keep(key uint64, is T) {
	if len(m.young) >= m.most {
		m.old, m.young = m.young, make(map[uint64]T, m.most)
	}
	m.young[key] = is
}
