package policies_test

import (
	"context"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/policy"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// BenchmarkPass is what policies cost a clean pass: without layers of the app's own,
// with five of them, and beside a rollout in shadow.
//
//	go test -run '^$' -bench Pass ./internal/policies
func BenchmarkPass(b *testing.B) {
	k := newKeeper(b, openStore(b))
	serve(b, k)
	item := engines.Item{
		App: "game", Kind: engines.KindText, Text: "good evening", Scene: "board", Player: "p", Region: "jp", Language: "ja", Segment: "minor",
		RequestID: "r", ReceivedAt: time.Now(),
	}
	run := func(name string) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				r, arm := k.Resolve(&item)
				v := policy.Decide(&item, nil, nil, engines.Standing{}, r)
				if arm != nil {
					arm.Decided(context.Background(), &item, nil, nil, engines.Standing{}, v)
				}
			}
		})
	}
	run("shared")
	for _, c := range [][2]string{{"global", "default"}, {"region", "jp"}, {"region", "lang:ja"}, {"mode", "board"}, {"segment", "minor"}} {
		put(b, k, change(c[0], c[1], `{"strictness":4}`), 0)
	}
	run("five layers")
	begin(b, k, change("channel", "board", `{"strictness":5}`), wide, store.RolloutShadow, 0)
	run("in shadow")
}
