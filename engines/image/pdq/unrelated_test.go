package pdq

import (
	"encoding/binary"
	"flag"
	"math/bits"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
)

// All of -pdq.unrelated 100000 can be looked at in parts, each compared with itself and with what came before:
// -pdq.unrelated 25000 -pdq.seen FILE, then the same with -pdq.from 25000 and so on.
var (
	unrelated = flag.Int("pdq.unrelated", 800, "pictures that have nothing to do with each other")
	from      = flag.Int("pdq.from", 0, "the first of them")
	seen      = flag.String("pdq.seen", "", "a file of the hashes of those before, to which theirs are added")
)

// No two unrelated pictures count as one.
func TestUnrelated(t *testing.T) {
	pictures := *unrelated
	words := seenBefore(t, *from)
	before, usables := len(words), 0
	for _, h := range unrelatedHashes(*from, pictures) {
		if h != nil {
			words = append(words, *h)
			usables++
		}
	}
	nearest, matches := Bits, 0
	for i := before; i < len(words); i++ {
		a := words[i]
		for j := range words[:i] {
			b := &words[j]
			d := bits.OnesCount64(a[0]^b[0]) + bits.OnesCount64(a[1]^b[1])
			if d >= nearest && d > near {
				continue
			}
			d += bits.OnesCount64(a[2]^b[2]) + bits.OnesCount64(a[3]^b[3])
			nearest = min(nearest, d)
			if d <= near {
				matches++
			}
		}
	}
	pairs := usables*before + usables*(usables-1)/2
	t.Logf("%d of %d pictures are usable; of their %d pairs with each other and %d before %d match, the nearest at %d", usables, pictures, pairs, before, matches, nearest)
	if matches > 0 {
		t.Errorf("%d pairs of unrelated pictures match", matches)
	}
	keepSeen(t, *from+pictures, words)
}

// unrelatedHashes draws so many pictures, on all processors, and gives their hashes in words, nil for one that says
// too little.
func unrelatedHashes(from, pictures int) []*[4]uint64 {
	all := make([]*[4]uint64, pictures)
	var next atomic.Int64
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < pictures; i = int(next.Add(1)) - 1 {
				h, quality := Sum(scene(uint64(from+i)+2_000_000, 128, 96)) //nolint:gosec // counts from 0
				if quality < usable {
					continue
				}
				all[i] = &[4]uint64{}
				for k := range all[i] {
					all[i][k] = binary.BigEndian.Uint64(h[8*k:])
				}
			}
		})
	}
	wg.Wait()
	return all
}

// seenBefore are the hashes of pictures before from, of a file that begins with how many pictures they are of.
func seenBefore(t *testing.T, from int) (words [][4]uint64) {
	t.Helper()
	if *seen == "" || from == 0 {
		return nil
	}
	file, err := os.ReadFile(*seen)
	if err != nil {
		t.Fatal(err)
	}
	if len(file)%32 != 8 || binary.BigEndian.Uint64(file) != uint64(from) { //nolint:gosec // counts from 0
		t.Fatalf("%s has not the hashes of the %d pictures before", *seen, from)
	}
	for file = file[8:]; len(file) > 0; file = file[32:] {
		var w [4]uint64
		for k := range w {
			w[k] = binary.BigEndian.Uint64(file[8*k:])
		}
		words = append(words, w)
	}
	return words
}

func keepSeen(t *testing.T, pictures int, words [][4]uint64) {
	t.Helper()
	if *seen == "" {
		return
	}
	file := binary.BigEndian.AppendUint64(nil, uint64(pictures)) //nolint:gosec // counts from 0
	for _, w := range words {
		for _, v := range w {
			file = binary.BigEndian.AppendUint64(file, v)
		}
	}
	if err := os.WriteFile(*seen, file, 0o600); err != nil {
		t.Fatal(err)
	}
}
