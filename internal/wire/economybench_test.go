package wire

import (
	"strconv"
	"testing"

	"github.com/portcullis-gg/portcullis/economy"
)

// BenchmarkReadLog reads a submission of 500 entries.
func BenchmarkReadLog(b *testing.B) {
	var entries []string
	for i := range 500 {
		entries = append(entries, entry("L"+strconv.Itoa(i)))
	}
	body := []byte(submission(false, entries...))
	b.ReportAllocs()
	for b.Loop() {
		o, err := Parse(body)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := ReadLog(o, "app", economy.Currency, 1000, testNow); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/500, "ns/entry")
}
