package enginetest_test

import (
	"context"
	"strings"
	"testing"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/enginetest"
)

// plain is the smallest engine that keeps the promises.
type plain struct{}

func (plain) Inspect(ctx context.Context, item *engines.Item, out []engines.Signal) ([]engines.Signal, error) {
	if err := ctx.Err(); err != nil {
		return out, err
	}
	before, _, ok := strings.Cut(item.Text, "idiot")
	if !ok {
		return out, nil
	}
	start := len([]rune(before))
	return append(out, engines.Signal{
		Category: engines.Harassment, Severity: 2, Confidence: 0.7, Source: engines.SourceLexicon, Span: engines.Span{Start: start, End: start + 5},
	}), nil
}

func TestRun(t *testing.T) { enginetest.Run(t, func() engines.Engine { return plain{} }) }
