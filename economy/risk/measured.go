package risk

import (
	"reflect"

	"github.com/portcullis-gg/portcullis/engines"
)

// Measured returns what the newest snapshot knows of a player, by name, for
// measurements and for whoever asks why; nil where it knows nothing, or the
// book was not told to keep it.
func (b *Book) Measured(id engines.PlayerID) map[string]float64 {
	b.mu.RLock()
	p, ok := b.ids.find(string(id))
	b.mu.RUnlock()
	s := b.current()
	p = s.of(p)
	if !ok || p == 0 || s.nodes == nil {
		return nil
	}
	v := reflect.ValueOf(s.nodes[p])
	m := map[string]float64{}
	for _, field := range reflect.VisibleFields(v.Type()) {
		name, f := field.Name, v.FieldByIndex(field.Index)
		switch {
		case f.CanFloat():
			m[name] = f.Float()
		case f.CanInt():
			m[name] = float64(f.Int())
		}
	}
	return m
}
