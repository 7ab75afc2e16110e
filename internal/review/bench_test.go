package review_test

import (
	"log/slog"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/policy"
	"github.com/portcullis-gg/portcullis/internal/review"
)

// quiet makes the desk that serve runs: passes are not logged, nobody listens.
func quiet(_ *review.Config, d *review.Deps) {
	d.Feed = &feed{}
	d.Log = slog.New(slog.DiscardHandler)
	d.Registry = prometheus.NewRegistry()
}

func TestCleanPassAllocations(t *testing.T) {
	r := furnish(t, policy.Config{}, quiet)
	ctx, item := t.Context(), said("good game")
	item.ReceivedAt = time.Now()
	got := testing.AllocsPerRun(1000, func() {
		item.RequestID = ""
		if _, err := r.Check(ctx, item); err != nil {
			t.Fatal(err)
		}
	})
	if got > 1 {
		t.Errorf("allocations = %v, want the request id alone", got)
	}
}

func BenchmarkCheckPass(b *testing.B) {
	r := furnish(b, policy.Config{}, quiet)
	ctx, item := b.Context(), said("good game")
	item.ReceivedAt = time.Now()
	b.ReportAllocs()
	for b.Loop() {
		item.RequestID = ""
		if _, err := r.Check(ctx, item); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCheckPassParallel(b *testing.B) {
	r := furnish(b, policy.Config{}, quiet)
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		item := said("good game")
		item.ReceivedAt = time.Now()
		for pb.Next() {
			item.RequestID = ""
			if _, err := r.Check(b.Context(), item); err != nil {
				b.Error(err)
			}
		}
	})
}

// The flagged path without its store: what the desk itself adds to a commit.
func BenchmarkCheckBlock(b *testing.B) {
	r := furnish(b, policy.Config{}, quiet)
	ctx, item := b.Context(), said("bad")
	item.ReceivedAt = time.Now()
	b.ReportAllocs()
	for b.Loop() {
		item.RequestID = engines.RequestID("")
		if _, err := r.Check(ctx, item); err != nil {
			b.Fatal(err)
		}
	}
}
