package main

import (
	"context"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"time"

	"github.com/portcullis-gg/portcullis/internal/resident"
)

const (
	// gcPercent is how much garbage there may be beside what lives while that is little: to
	// collect at 30 took a twentieth of what calls cost. What a burst leaves is given back
	// once the process rests, see trim.
	gcPercent = 100
	// gcRoom is how much garbage there may be at most, in bytes, until gcLeast is more. What
	// makes a heap large are the books of players, in which there is nothing to follow.
	gcRoom  = 150 << 20
	gcLeast = 10

	trimEvery = 5 * time.Second
	// A process that allocates less than this between two looks is resting.
	restingBytes = 16 << 20
	// What is worth giving back.
	trimBytes = 4 << 20
)

// pace sets how much garbage there may be beside what lives, unless the environment
// says so (GOGC). A limit of memory (GOMEMLIMIT) holds either way.
func pace(live uint64) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(paced(live))
	}
}

// paced is the setting of the collector for so much that lives.
func paced(live uint64) int {
	return int(max(gcLeast, min(gcPercent, gcRoom*100/max(1, live)))) //nolint:gosec // at most gcPercent
}

// trim paces the collector, and gives memory back to the system when the process
// rests. A burst of connections leaves garbage that no collection would come for while nobody
// speaks; a busy process is left to the collector.
func trim(ctx context.Context) {
	samples := []metrics.Sample{
		{Name: "/gc/heap/allocs:bytes"},
		{Name: "/memory/classes/heap/free:bytes"},
		{Name: "/memory/classes/heap/unused:bytes"},
		{Name: "/gc/heap/live:bytes"},
		{Name: "/memory/classes/heap/objects:bytes"},
	}
	tick := time.NewTicker(trimEvery)
	defer tick.Stop()
	var before, kept uint64
	was := gcPercent
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		metrics.Read(samples)
		at := func(i int) uint64 { return samples[i].Value.Uint64() }
		allocated := at(0) - before
		before = at(0)
		if p := paced(at(3)); p != was {
			was = p
			pace(at(3))
		}
		garbage := at(1) + at(2) + at(4) - min(at(3), at(4))
		// kept is what the last trim could not give back: holes in pages that are in
		// use. To collect again for those would be work for nothing.
		kept = min(kept, garbage)
		if allocated < restingBytes && garbage > kept+trimBytes && garbage > at(3)/32 {
			resident.Rest()
			metrics.Read(samples)
			before, kept = at(0), at(1)+at(2)+at(4)-min(at(3), at(4))
		}
	}
}
