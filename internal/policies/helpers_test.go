package policies_test

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/policy"
	"github.com/portcullis-gg/portcullis/engines/text"
	"github.com/portcullis-gg/portcullis/internal/policies"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/store/sqlstore"
)

func openStore(tb testing.TB) *sqlstore.Store {
	tb.Helper()
	s, err := sqlstore.Open(tb.Context(), sqlstore.Config{Dir: tb.TempDir(), MasterKey: [32]byte{1}, Node: "node"})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := s.Close(); err != nil {
			tb.Error(err)
		}
	})
	return s
}

// words makes matchers as the program does.
var words = policy.Words{Compile: func(words []engines.Word) (engines.WordMatcher, error) {
	m, err := text.CompileWords(words)
	if err != nil {
		return nil, err
	}
	return m, nil
}}

// looks stands for the engines: a text that has the word is an insult of that
// confidence, and an operator's words are found as they are by engines/text.
func looks(_ context.Context, item *engines.Item, out []engines.Signal) ([]engines.Signal, []engines.Fault) {
	out = append(out, signals(item.Text)...)
	if item.Words == nil {
		return out, nil
	}
	return wordsIn(item, out), nil
}

func wordsIn(item *engines.Item, out []engines.Signal) []engines.Signal {
	for _, h := range item.Words.Hits(item, nil) {
		if h.Exception {
			for i := range out {
				out[i].Excepted = out[i].Excepted || h.Span.Covers(out[i].Span)
			}
			continue
		}
		out = append(out, h.Signal)
	}
	return out
}

// rewords stands for text.Engine.Reword.
func rewords(_ context.Context, item *engines.Item, list []engines.Signal) ([]engines.Signal, error) {
	list = slices.DeleteFunc(list, func(s engines.Signal) bool { return s.Source == engines.SourceCustomList })
	if item.Words == nil {
		return list, nil
	}
	return wordsIn(item, list), nil
}

func signals(text string) []engines.Signal {
	const word = "idiot"
	if len(text) < len(word) || text[:len(word)] != word {
		return nil
	}
	return []engines.Signal{{Category: engines.Harassment, Confidence: .7, Source: engines.SourceLexicon, Severity: 2, Span: engines.Span{End: len(word)}}}
}

func depsOf(s policies.Store) policies.Deps {
	return policies.Deps{
		Store: s, Words: words, Inspect: looks, Reword: rewords, Tell: func() {}, BuiltSource: policies.SourceBuilt, BaseBody: "{}", Log: slog.New(slog.DiscardHandler),
		Built: []policy.Layer{{Kind: policy.KindSegment, Name: "minor", Settings: policy.Settings{Strictness: 4}}},
	}
}

func newKeeper(tb testing.TB, s policies.Store) *policies.Keeper {
	tb.Helper()
	return keeperOf(tb, depsOf(s))
}

func keeperOf(tb testing.TB, deps policies.Deps) *policies.Keeper {
	tb.Helper()
	k, err := policies.New(deps)
	if err != nil {
		tb.Fatal(err)
	}
	if err := k.Load(tb.Context()); err != nil {
		tb.Fatal(err)
	}
	return k
}

// serve runs a keeper until the test ends.
func serve(tb testing.TB, k *policies.Keeper) {
	tb.Helper()
	ctx, stop := context.WithCancel(context.WithoutCancel(tb.Context()))
	var wg sync.WaitGroup
	wg.Go(func() { k.Serve(ctx) })
	tb.Cleanup(func() {
		stop()
		wg.Wait()
	})
}

func key(layer, name string) store.PolicyKey {
	return store.PolicyKey{App: "game", Layer: layer, Name: name}
}

func change(layer, name, body string) policies.Change {
	return policies.Change{PolicyKey: key(layer, name), Body: []byte(body), By: "ann"}
}

const patience = 2 * time.Minute

// eventually waits for what happens behind an answer.
func eventually(tb testing.TB, what string, ok func() bool) {
	tb.Helper()
	for end := time.Now().Add(patience); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			tb.Fatalf("not in time: %s", what)
		}
	}
}

// await waits for the end of a back-test.
func await(tb testing.TB, k *policies.Keeper, id string) (b store.PolicyBacktest) {
	tb.Helper()
	eventually(tb, "the end of back-test "+id, func() bool {
		var err error
		if b, err = k.Backtest(tb.Context(), "game", id); err != nil {
			tb.Fatal(err)
		}
		return !b.GoesOn()
	})
	return b
}
