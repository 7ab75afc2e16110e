package bench

import (
	"fmt"
	"time"
)

// soakFrom is the shortest run that says whether memory grows: what is at hand of each
// call fills for half a minute, and collections of garbage come and go.
const soakFrom = 5 * time.Minute

// soakSample is what a gateway took at one moment of a long run.
type soakSample struct {
	at         time.Duration
	resident   float64 // MB
	heap       float64 // MB in use
	goroutines float64
	dropped    float64 // packets so far
	late       float64 // packets so far that took more than lateSeconds
}

// lateSeconds is from when on a packet is measured too late.
const lateSeconds = 0.2

// voiceSoak is what the samples of a long run come to: the first quarter against the
// last, of what is left without the first tenth, in which calls fill what they keep.
type voiceSoak struct {
	Minutes    float64    `json:"minutes"`
	Samples    int        `json:"samples"`
	Resident   [2]float64 `json:"resident_mb_first_last_quarter"`
	Heap       [2]float64 `json:"heap_mb_first_last_quarter"`
	Goroutines [2]float64 `json:"goroutines_first_last_quarter"`
	Dropped    [2]float64 `json:"packets_dropped_first_last_quarter"`
	Late       [2]float64 `json:"packets_late_first_last_quarter"`
	Slope      float64    `json:"resident_mb_an_hour"`
	Flat       bool       `json:"flat"`
}

// flatShare is by how much the last quarter's memory may lie above the first's: a
// collection more or less.
const flatShare = 0.05

// soakOf is nil where there is too little to say something.
func soakOf(all []soakSample) *voiceSoak {
	list := all[len(all)/10:]
	n := len(list) / 4
	if n < 2 {
		return nil
	}
	first, last := list[:n], list[len(list)-n:]
	both := func(of func(*soakSample) float64) [2]float64 { return [2]float64{mean(first, of), mean(last, of)} }
	grown := func(of func(*soakSample) float64) [2]float64 {
		return [2]float64{of(&first[n-1]) - of(&first[0]), of(&last[n-1]) - of(&last[0])}
	}
	s := &voiceSoak{
		Minutes: (list[len(list)-1].at - list[0].at).Minutes(), Samples: len(list), Slope: slope(list),
		Resident:   both(func(s *soakSample) float64 { return s.resident }),
		Heap:       both(func(s *soakSample) float64 { return s.heap }),
		Goroutines: both(func(s *soakSample) float64 { return s.goroutines }),
		Dropped:    grown(func(s *soakSample) float64 { return s.dropped }),
		Late:       grown(func(s *soakSample) float64 { return s.late }),
	}
	s.Flat = s.Resident[1] <= s.Resident[0]*(1+flatShare) && s.Goroutines[1] <= s.Goroutines[0]*(1+flatShare)
	return s
}

func mean(list []soakSample, of func(*soakSample) float64) float64 {
	sum := 0.0
	for i := range list {
		sum += of(&list[i])
	}
	return sum / float64(len(list))
}

// slope is that of the line that lies nearest to the resident memory, in MB an hour.
func slope(list []soakSample) float64 {
	hours := func(s *soakSample) float64 { return s.at.Hours() }
	at, size := mean(list, hours), mean(list, func(s *soakSample) float64 { return s.resident })
	up, along := 0.0, 0.0
	for i := range list {
		d := hours(&list[i]) - at
		up += d * (list[i].resident - size)
		along += d * d
	}
	if along == 0 {
		return 0
	}
	return up / along
}

// print has a line for each figure, by what prints those of the report.
func (s *voiceSoak) print(line func(name, value, goal string)) {
	if s == nil {
		return
	}
	two := func(v [2]float64) string { return fmt.Sprintf("%.0f -> %.0f", v[0], v[1]) }
	verdict := "grows"
	if s.Flat {
		verdict = "flat"
	}
	line(fmt.Sprintf("over %.0f min, first -> last quarter", s.Minutes), verdict, "flat")
	line("  resident, in use by Go", two(s.Resident)+" MB, "+two(s.Heap)+" MB", "last <= first + 5 %")
	line("  resident, slope", fmt.Sprintf("%+.1f MB an hour", s.Slope), "")
	line("  goroutines", two(s.Goroutines), "last <= first + 5 %")
	line("  packets dropped, later than 200 ms", two(s.Dropped)+", "+two(s.Late), "")
}
