package sqlstore_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// BenchmarkCard is the read of a player's card: of one of whom nothing is kept, as most
// are when their session opens, and of one that has a credit for clean days.
func BenchmarkCard(b *testing.B) {
	s, at := benchStore(b), time.Now().UnixMilli()
	var credits []store.Card
	for i := range 2000 {
		credits = append(credits, store.Card{App: "game", Player: engines.PlayerID(fmt.Sprintf("player-%d", i)), Clean: 1, CleanAt: at, Day: 20000})
	}
	if err := s.PutCredits(b.Context(), credits); err != nil {
		b.Fatal(err)
	}
	for _, who := range []string{"nobody", "player"} {
		b.Run(who, func(b *testing.B) {
			b.ReportAllocs()
			before, n := cpuTime(b), 0
			for b.Loop() {
				n++
				if _, err := s.Card(b.Context(), "game", engines.PlayerID(fmt.Sprintf("%s-%d", who, n%2000)), at); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(cpuTime(b)-before)/float64(b.N), "cpu-ns")
		})
	}
}

// BenchmarkCredits is a player's credit for a clean day, with the look for changed cards
// that comes after it.
func BenchmarkCredits(b *testing.B) {
	s, at := benchStore(b), time.Now().UnixMilli()
	const each = 256
	b.ReportAllocs()
	before, n := cpuTime(b), 0
	for b.Loop() {
		if n++; n%each != 0 {
			continue
		}
		list := make([]store.Card, each)
		for i := range list {
			list[i] = store.Card{App: "game", Player: engines.PlayerID(fmt.Sprintf("player-%d", (n-i)*7919%1_000_003)), Clean: 1, CleanAt: at, Day: 20000}
		}
		if err := s.PutCredits(b.Context(), list); err != nil {
			b.Fatal(err)
		}
		if _, err := s.CardsChanged(b.Context(), store.CardKey{Changed: at - 10_000}, 1000); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(cpuTime(b)-before)/float64(b.N), "cpu-ns")
}
