package bank

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
)

func randomHash(r *rand.Rand) (h Hash) {
	for i := range h {
		h[i] = byte(r.Uint32())
	}
	return h
}

// flipped is h with some bits changed.
func flipped(r *rand.Rand, h Hash, n int) Hash {
	for _, bit := range r.Perm(256)[:n] {
		h[bit/8] ^= 1 << (bit % 8)
	}
	return h
}

func distance(a, b Hash) int {
	x, y := wordsOf(&a), wordsOf(&b)
	return x.distance(&y)
}

// crowd are hashes of which many are near each other, as those of real pictures are.
func crowd(r *rand.Rand, n int) []Hash {
	list := make([]Hash, 0, n)
	for len(list) < n {
		h := randomHash(r)
		list = append(list, h)
		for range min(r.IntN(4), n-len(list)) {
			list = append(list, flipped(r, h, r.IntN(45)))
		}
	}
	return list
}

// Find returns what a look at every hash returns, for each radius and size.
func TestNearIsExact(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 100, plain, plain + 1, 60_000} {
		list := crowd(r, n)
		set := Near{}.With(0, list)
		if set.Len() != n {
			t.Fatalf("%d hashes, want %d", set.Len(), n)
		}
		for i := range 300 {
			q := randomHash(r)
			if n > 0 && i%10 > 0 {
				q = flipped(r, list[r.IntN(n)], r.IntN(50))
			}
			radius := r.IntN(MaxRadius + 1)
			want, found := Match{}, false
			for k, h := range list {
				if d := distance(h, q); d <= radius && (!found || d < want.Distance) {
					want, found = Match{k, d}, true
				}
			}
			if got, ok := set.Find(&q, radius, nil); got != want || ok != found {
				t.Fatalf("of %d within %d: %+v %v, want %+v %v", n, radius, got, ok, want, found)
			}
		}
	}
}

// What is added in steps is found under its number, while others look for it.
func TestNearWith(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	list := crowd(r, 40_000)
	var set Near
	var wg sync.WaitGroup
	numbers := map[int]Hash{}
	next := 0
	for from := 0; from < len(list); {
		n := min(1+r.IntN(7000), len(list)-from)
		next += r.IntN(3) * 1000 // numbers that nothing has
		for i, h := range list[from : from+n] {
			numbers[next+i] = h
		}
		set = set.With(next, list[from:from+n])
		next, from = next+n, from+n
		wg.Go(func() {
			for i := range 50 {
				if m, ok := set.Find(&list[i*from/50], 0, nil); !ok || m.Distance != 0 {
					t.Errorf("hash %d is not found", i*from/50)
				}
			}
		})
		wg.Wait()
	}
	if len(set.parts) > 12 {
		t.Errorf("%d parts", len(set.parts))
	}
	for range 2000 {
		h := list[r.IntN(len(list))]
		m, ok := set.Find(&h, 5, nil)
		if !ok || numbers[m.Number] != h {
			t.Fatalf("found %+v %v, which is %x, not %x", m, ok, numbers[m.Number], h)
		}
	}
}

func TestNearGone(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	h := randomHash(r)
	list := append(crowd(r, 20_000), h, flipped(r, h, 3), flipped(r, h, 9))
	set := Near{}.With(10, list)
	gone := map[int]bool{}
	for i, want := range []int{0, 3, 9} {
		m, ok := set.Find(&h, 20, func(n int) bool { return gone[n] })
		if !ok || m.Number != 20_010+i || m.Distance != want {
			t.Errorf("found %+v %v, want number %d at %d", m, ok, 20_010+i, want)
		}
		gone[m.Number] = true
	}
	if m, ok := set.Find(&h, 20, func(n int) bool { return gone[n] }); ok {
		t.Errorf("found %+v, which is gone", m)
	}
}

func TestExact(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	var set Exact
	numbers := map[Hash]int{}
	next := 5
	for range 40 {
		n := 1 + r.IntN(500)
		list := make([]Hash, n)
		for i := range list {
			list[i] = randomHash(r)
			numbers[list[i]] = next + i
		}
		set = set.With(next, list)
		next += n + r.IntN(9)
	}
	if set.Len() != len(numbers) {
		t.Errorf("%d hashes, want %d", set.Len(), len(numbers))
	}
	for h, want := range numbers {
		if m, ok := set.Find(&h, nil); !ok || m.Number != want {
			t.Fatalf("%x is %+v %v, want %d", h, m, ok, want)
		}
		other := flipped(r, h, 1)
		if m, ok := set.Find(&other, nil); ok {
			t.Fatalf("%x is found as %+v", other, m)
		}
		if m, ok := set.Find(&h, func(n int) bool { return n == want }); ok {
			t.Fatalf("%x is found as %+v, which is gone", h, m)
		}
	}
}

// A search among ten million hashes, of which none, or one, is near; -benchmem tells
// what a search allocates, bytes/hash what a hash takes.
func BenchmarkNear(b *testing.B) {
	for _, n := range []int{10_000, 100_000, 1_000_000, 10_000_000} {
		r := rand.New(rand.NewPCG(9, uint64(n)))
		list := make([]Hash, n)
		for i := range list {
			list[i] = randomHash(r)
		}
		set := Near{}.With(0, list)
		queries := make([]Hash, 64)
		for i := range queries {
			queries[i] = flipped(r, list[r.IntN(n)], 31)
		}
		list = nil
		b.Run(fmt.Sprintf("found/%d", n), func(b *testing.B) {
			b.ReportMetric(float64(set.Bytes())/float64(n), "bytes/hash")
			for i := 0; b.Loop(); i++ {
				if _, ok := set.Find(&queries[i%len(queries)], MaxRadius, nil); !ok {
					b.Fatal("not found")
				}
			}
		})
		for i := range queries {
			queries[i] = randomHash(r)
		}
		b.Run(fmt.Sprintf("absent/%d", n), func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				set.Find(&queries[i%len(queries)], MaxRadius, nil)
			}
		})
	}
}

func BenchmarkNearBuild(b *testing.B) {
	r := rand.New(rand.NewPCG(9, 9))
	list := make([]Hash, 1_000_000)
	for i := range list {
		list[i] = randomHash(r)
	}
	for b.Loop() {
		Near{}.With(0, list)
	}
}

func BenchmarkExact(b *testing.B) {
	r := rand.New(rand.NewPCG(11, 12))
	list := make([]Hash, 1_000_000)
	for i := range list {
		list[i] = randomHash(r)
	}
	set := Exact{}.With(0, list)
	b.ReportMetric(float64(set.Bytes())/float64(len(list)), "bytes/hash")
	for i := 0; b.Loop(); i++ {
		set.Find(&list[i%len(list)], nil)
	}
}
