package risk

import (
	"slices"

	"github.com/portcullis-gg/portcullis/economy"
)

const (
	// One advert is worth attention; each further one within a day makes it surer, up
	// to a bound: words alone never make a risk high.
	advertFirst = .35
	advertNext  = .1
	advertMost  = .65
	// advertsKept is how many adverts of a player are kept, the newest.
	advertsKept = 16
)

// advert counts an advert. Its time moves neither the book's nor its player's: chat
// goes on while old logs are played. What is kept is the newest times, whatever the
// order in which they come, and the flag follows from them alone.
func (b *Book) advert(e *economy.Entry) {
	p := b.other(e.Player)
	b.heard.of(p, e.At)
	times := b.adverts[p]
	i, _ := slices.BinarySearch(times, e.At)
	times = slices.Insert(times, i, e.At)
	if len(times) > advertsKept {
		times = slices.Delete(times, 0, 1)
	}
	b.adverts[p] = times
	b.advertised = max(b.advertised, e.At)
	f := gravest(times)
	for i := range b.flags[p] {
		if b.flags[p][i].code == rmtAdvertising {
			b.flags[p][i] = f
			return
		}
	}
	b.flags[p] = append(b.flags[p], f)
}

// gravest is the advert that says most, now and at any time to come: all fade alike.
// times are sorted.
func gravest(times []int64) (f flag) {
	from := 0
	for i, at := range times {
		for at-times[from] >= day {
			from++
		}
		v := min(advertFirst+advertNext*float64(i-from), advertMost)
		if v >= f.score*fade(f.at, at, halfLife) {
			f = flag{code: rmtAdvertising, score: v, at: at}
		}
	}
	return f
}

// horizon is the newest event time, and the newest advert's where no log told of any.
func (b *Book) horizon() int64 {
	if b.newest != 0 {
		return b.newest
	}
	return b.advertised
}

// lastAdvert is when a player advertised last, 0 where it never did; b.mu is held.
func (b *Book) lastAdvert(p int32) int64 {
	if times := b.adverts[p]; len(times) > 0 {
		return times[len(times)-1]
	}
	return 0
}
