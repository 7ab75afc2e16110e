package risk

import (
	"fmt"
	"reflect"
	"strings"
)

// part is something of a book that can be written and read again. get sets nothing
// where the loader has an error.
type part interface {
	put(s *saver)
	get(l *loader)
	layout() string
}

// layoutOf describes records of a type, which has no pointers: names, types, places.
func layoutOf[T any]() string {
	var s strings.Builder
	var of func(t reflect.Type)
	of = func(t reflect.Type) {
		switch t.Kind() {
		case reflect.Struct:
			s.WriteString(t.Name() + "{")
			for f := range t.Fields() {
				fmt.Fprintf(&s, "%s@%d ", f.Name, f.Offset)
				of(f.Type)
				s.WriteByte(';')
			}
			s.WriteByte('}')
		case reflect.Array:
			fmt.Fprintf(&s, "[%d]", t.Len())
			of(t.Elem())
		default:
			s.WriteString(t.Kind().String())
		}
	}
	of(reflect.TypeFor[T]())
	return s.String()
}

type numberPart struct{ v *int64 }

func (p numberPart) put(s *saver)   { s.number(*p.v) }
func (p numberPart) get(l *loader)  { *p.v = l.number() }
func (p numberPart) layout() string { return "number" }

type listPart[T any] struct{ v *[]T }

func (p listPart[T]) put(s *saver)   { putList(s, *p.v) }
func (p listPart[T]) get(l *loader)  { *p.v = getList[T](l) }
func (p listPart[T]) layout() string { return "list " + layoutOf[T]() }

type slabPart[T any] struct{ v *slab[T] }

func (p slabPart[T]) put(s *saver) {
	s.number(int64(p.v.n))
	for _, bl := range p.v.blocks {
		putRaw(s, bl[:])
	}
	putList(s, p.v.free)
}

func (p slabPart[T]) get(l *loader) {
	n := l.number()
	p.v.blocks, p.v.n = nil, 0
	for l.err == nil && int64(len(p.v.blocks))<<slabBits < n {
		bl := new([1 << slabBits]T)
		getRaw(l, bl[:])
		p.v.blocks = append(p.v.blocks, bl)
	}
	p.v.n = int(n)
	p.v.free = getList[int32](l)
}

func (p slabPart[T]) layout() string { return "slab " + layoutOf[T]() }

type mapPart[K comparable, V any] struct{ v *map[K]V }

// pair is a place of a map.
type pair[K, V any] struct {
	key   K
	value V
}

func (p mapPart[K, V]) put(s *saver) {
	s.number(int64(len(*p.v)))
	for k, v := range *p.v {
		putRaw(s, []pair[K, V]{{k, v}})
	}
}

func (p mapPart[K, V]) get(l *loader) {
	list := getList[pair[K, V]](l)
	*p.v = make(map[K]V, len(list))
	for i := range list {
		(*p.v)[list[i].key] = list[i].value
	}
}

func (p mapPart[K, V]) layout() string { return "map " + layoutOf[pair[K, V]]() }

// listsPart is lists by player.
type listsPart[T any] struct{ v *map[int32][]T }

func (p listsPart[T]) put(s *saver) {
	s.number(int64(len(*p.v)))
	for k, list := range *p.v {
		s.number(int64(k))
		putList(s, list)
	}
}

func (p listsPart[T]) get(l *loader) {
	n := l.number()
	*p.v = map[int32][]T{}
	for range n {
		k := int32(l.number())
		list := getList[T](l)
		if l.err != nil {
			return
		}
		(*p.v)[k] = list
	}
}

func (p listsPart[T]) layout() string { return "lists " + layoutOf[T]() }

type pagesPart struct{ v *pages }

func (p pagesPart) put(s *saver) {
	s.number(int64(len(p.v.list)))
	for _, pg := range p.v.list {
		if pg == nil || pg.live < 0 {
			putRaw(s, []int32{-1})
			continue
		}
		putRaw(s, []int32{pg.live})
		s.bytes(pg.bytes[:])
	}
	putList(s, p.v.idle)
	s.number(int64(p.v.at))
	s.number(int64(p.v.fill))
	s.number(int64(p.v.live))
}

func (p pagesPart) get(l *loader) {
	*p.v = pages{}
	n := l.number()
	for i := int64(0); i < n && l.err == nil; i++ {
		live := make([]int32, 1)
		if getRaw(l, live); live[0] < 0 {
			p.v.list = append(p.v.list, nil)
			continue
		}
		pg := &page{live: live[0]}
		l.bytes(pg.bytes[:])
		p.v.list = append(p.v.list, pg)
	}
	p.v.idle = getList[int32](l)
	p.v.at, p.v.fill, p.v.live = int32(l.number()), int(l.number()), int(l.number())
}

func (p pagesPart) layout() string { return fmt.Sprintf("pages %d of %d", pageUnits, unitBytes) }

// farPart is the open ends of ledgers that have many.
type farPart struct{ v *map[int32]map[int64]end }

type farEnd struct {
	wallet  int64
	balance int64
	end     end
}

func (p farPart) put(s *saver) {
	var list []farEnd
	for w, ends := range *p.v {
		for balance, e := range ends {
			list = append(list, farEnd{int64(w), balance, e})
		}
	}
	putList(s, list)
}

func (p farPart) get(l *loader) {
	*p.v = map[int32]map[int64]end{}
	for _, f := range getList[farEnd](l) {
		w := int32(f.wallet)
		if (*p.v)[w] == nil {
			(*p.v)[w] = map[int64]end{}
		}
		(*p.v)[w][f.balance] = f.end
	}
}

func (p farPart) layout() string { return "far " + layoutOf[farEnd]() }

// beatsPart is the app's hours.
type beatsPart struct{ v *map[beatKey]*beat }

func (p beatsPart) put(s *saver) {
	s.number(int64(len(*p.v)))
	for k, v := range *p.v {
		putRaw(s, []pair[beatKey, beat]{{k, *v}})
	}
}

func (p beatsPart) get(l *loader) {
	*p.v = map[beatKey]*beat{}
	for _, x := range getList[pair[beatKey, beat]](l) {
		(*p.v)[x.key] = &x.value
	}
}

func (p beatsPart) layout() string { return "beats " + layoutOf[pair[beatKey, beat]]() }

type namesPart struct{ v *names }

func (p namesPart) put(s *saver) {
	s.number(int64(p.v.len()))
	for id := 1; id < p.v.len(); id++ {
		s.text(p.v.name(int32(id)))
	}
}

func (p namesPart) get(l *loader) {
	n := l.number()
	*p.v = newNames()
	for i := int64(1); i < n && l.err == nil; i++ {
		p.v.id(l.text())
	}
}

func (p namesPart) layout() string { return "names" }

type printsPart struct{ v *prints }

func (p printsPart) put(s *saver) { slabPart[uint64]{&p.v.list}.put(s) }

func (p printsPart) get(l *loader) {
	slabPart[uint64]{&p.v.list}.get(l)
	p.v.index = table{}
	for id := 1; l.err == nil && id < p.v.list.n; id++ {
		p.v.index.put(*p.v.list.at(int32(id)), int32(id))
	}
}

func (p printsPart) layout() string { return "prints" }

type wordsPart struct{ v *words }

func (p wordsPart) put(s *saver) {
	s.number(int64(len(*p.v)))
	for w, name := range *p.v {
		s.number(int64(w))
		s.text(name)
	}
}

func (p wordsPart) get(l *loader) {
	n := l.number()
	*p.v = words{}
	for i := int64(0); i < n && l.err == nil; i++ {
		w := uint32(l.number())
		(*p.v)[w] = l.text()
	}
}

func (p wordsPart) layout() string { return "words" }

type dealsPart struct{ v *deals }

func (p dealsPart) put(s *saver) {
	s.number(int64(p.v.first))
	s.number(int64(len(p.v.blocks)))
	for _, bl := range p.v.blocks {
		s.number(bl.newest)
		putList(s, bl.packed)
		putList(s, bl.deals)
		putList(s, bl.legs)
	}
}

func (p dealsPart) get(l *loader) {
	*p.v = deals{first: int32(l.number()), most: p.v.most}
	n := l.number()
	for i := int64(0); i < n && l.err == nil; i++ {
		bl := &dealBlock{newest: l.number(), packed: getList[byte](l)}
		told := getList[deal](l)
		bl.legs = getList[leg](l)
		if l.err != nil || len(told) > 1<<dealBits {
			return
		}
		if bl.packed == nil {
			// A pointer into a block stays good while it grows.
			bl.deals = append(make([]deal, 0, 1<<dealBits), told...)
			p.v.open++
		}
		p.v.blocks = append(p.v.blocks, bl)
	}
}

// reindex makes the index anew, once it is sure that what was read is whole.
func (s *deals) reindex() {
	for i, bl := range s.blocks {
		for k := range bl.len() {
			s.index.put(bl.key(k), (s.first+int32(i))<<dealBits+int32(k)+1)
		}
	}
}

func (p dealsPart) layout() string { return "deals " + layoutOf[deal]() + layoutOf[leg]() }
