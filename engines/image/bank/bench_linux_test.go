package bank

import (
	"math/rand/v2"
	"runtime"
	"strconv"
	"syscall"
	"testing"
)

// A search among up to ten million hashes, of which none, or one, is near. cpu-ms/op is
// what it takes of a core, whatever else runs; bytes/hash what a hash takes.
func BenchmarkNear(b *testing.B) {
	for _, n := range []int{10_000, 100_000, 1_000_000, 10_000_000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			r := rand.New(rand.NewPCG(9, uint64(n)))
			list := make([]Hash, n)
			for i := range list {
				list[i] = randomHash(r)
			}
			set := Near{}.With(0, list)
			for _, radius := range []int{31, MaxRadius} {
				near, far := make([]Hash, 64), make([]Hash, 64)
				for i := range near {
					near[i], far[i] = flipped(r, list[r.IntN(n)], radius), randomHash(r)
				}
				within := "within_" + strconv.Itoa(radius)
				b.Run("found_"+within, func(b *testing.B) { benchNear(b, set, near, radius, true) })
				b.Run("absent_"+within, func(b *testing.B) { benchNear(b, set, far, radius, false) })
			}
		})
	}
}

func benchNear(b *testing.B, set Near, queries []Hash, radius int, want bool) {
	b.Helper()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	before := threadTime(b)
	n := 0
	for ; b.Loop(); n++ {
		if _, ok := set.Find(&queries[n%len(queries)], radius, nil); ok != want {
			b.Fatalf("found: %v", ok)
		}
	}
	b.ReportMetric(float64(threadTime(b)-before)/1e6/float64(n), "cpu-ms/op")
	b.ReportMetric(float64(set.Bytes())/float64(set.Len()), "bytes/hash")
}

// threadTime is what this thread has taken of a core, ns.
func threadTime(b *testing.B) int64 {
	b.Helper()
	var u syscall.Rusage
	const thread = 1 // RUSAGE_THREAD
	if err := syscall.Getrusage(thread, &u); err != nil {
		b.Fatal(err)
	}
	return u.Utime.Nano() + u.Stime.Nano()
}
