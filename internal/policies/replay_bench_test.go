package policies_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/policies"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// BenchmarkBacktest decides a million stored decisions in SQLite again under a draft:
//
//	go test -run '^$' -bench Backtest -benchtime 1x ./internal/policies
func BenchmarkBacktest(b *testing.B) {
	const many = 1_000_000
	db := openStore(b)
	start := time.Now().Add(-24 * time.Hour).Truncate(time.Millisecond)
	page := make([]store.Decision, 0, 4000)
	for i := range many {
		page = append(page, pastDecision(start.Add(time.Duration(i)*time.Hour/many), i))
		if len(page) == cap(page) {
			if err := db.PutDecisions(b.Context(), page); err != nil {
				b.Fatal(err)
			}
			page = page[:0]
		}
	}
	k := newKeeper(b, db)
	serve(b, k)
	b.ResetTimer()
	for i := range b.N {
		began := time.Now()
		id := fmt.Sprint("b", i)
		if _, err := k.Replay(b.Context(), store.PolicyBacktest{
			App: "game", ID: id, By: "ann", From: start.UnixMilli(), To: start.Add(2 * time.Hour).UnixMilli(),
		}, []policies.Change{change("global", "default", `{"strictness":5,"prohibited":["gate"]}`)}); err != nil {
			b.Fatal(err)
		}
		got := await(b, k, id)
		if got.State != store.PolicyBacktestDone || got.Result.Decisions != many {
			b.Fatalf("%+v", got)
		}
		b.ReportMetric(time.Since(began).Seconds(), "s/million")
		b.ReportMetric(float64(many)/time.Since(began).Seconds(), "decisions/s")
	}
}

// pastDecision is a decision as they are stored: of ten, six pass with nothing found,
// two pass with something weak, one is reviewed and one is blocked.
func pastDecision(at time.Time, i int) store.Decision {
	ms := at.UnixMilli()
	id := uuid.UUID{
		byte(ms >> 40), byte(ms >> 32), byte(ms >> 24), byte(ms >> 16), byte(ms >> 8), byte(ms),
		0x70 | byte(i>>8&0xf), byte(i), 0x80, byte(i >> 24), byte(i >> 16), byte(i >> 8), byte(i),
	}
	d := store.Decision{
		App: "game", Request: engines.RequestID(id.String()), Player: engines.PlayerID(fmt.Sprint("player-", i%20_000)), Scene: "global_chat",
		Kind: engines.KindText, Language: "en", Content: "see you at the old mill, bring rope", Weight: 10, Created: at,
		Circumstances: store.Circumstances{Segment: "standard", Region: "west", Live: true},
		Verdict:       engines.Verdict{Finding: engines.Finding{Suggestion: engines.Pass}, Mode: engines.RealTimeBlock, Action: engines.Deliver, PolicyVersion: "0123456789ab"},
	}
	signal := func(c engines.Category, confidence float64) {
		d.Signals = append(d.Signals, engines.Signal{
			Category: c, SubLabel: "insult", Severity: 2, Confidence: confidence, Source: engines.SourceLexicon,
			Span: engines.Span{Start: 3, End: 8}, Rule: "en/insult/17", Language: "en",
		})
	}
	found := func(s engines.Suggestion, c engines.Category, confidence float64) {
		d.Weight = 1
		d.Verdict.Suggestion, d.Verdict.Hits = s, []engines.Span{{Start: 3, End: 8}}
		d.Verdict.Labels = []engines.Label{{Category: c, SubLabel: "insult", Severity: 2, Confidence: confidence, Source: engines.SourceModel}}
	}
	switch i % 10 {
	case 0:
		signal(engines.Hate, .95)
		signal(engines.Harassment, .9)
		found(engines.Block, engines.Hate, .95)
	case 1:
		signal(engines.Harassment, .7)
		found(engines.Review, engines.Harassment, .7)
	case 2, 3:
		signal(engines.Harassment, .35)
	}
	return d
}
