package sqlstore

import (
	"context"
	"fmt"
	"time"
)

const scrubAtOnce = 200

type decisionKey struct{ app, request, verdict string }

func scanDecisionKey(row scanner) (k decisionKey, err error) {
	err = row.Scan(&k.app, &k.request, &k.verdict)
	return k, err
}

// SweepDecisionContent takes the content out of decisions of before a time, a
// bounded piece at a time, and says of how many. Those whose case is not closed
// keep it; all keep what was found and why.
func (s *Store) SweepDecisionContent(ctx context.Context, before time.Time) (scrubbed int, err error) {
	for {
		due, err := collect(ctx, s.core.read(), scanDecisionKey, `SELECT app_id, request_id, verdict FROM decision AS d
			WHERE created_ts < $1 AND (content IS NOT NULL OR media <> '') AND NOT EXISTS
				(SELECT 1 FROM review_case AS c WHERE c.app_id = d.app_id AND c.request_id = d.request_id AND c.state <> 'closed')
			ORDER BY created_ts LIMIT $2`, millis(before), scrubAtOnce)
		if err == nil && len(due) > 0 {
			err = s.core.write(ctx, len(due), func(ctx context.Context, q querier) error { return scrub(ctx, q, due) })
		}
		if err != nil {
			return scrubbed, fmt.Errorf("sweep content of decisions: %w", classify(err))
		}
		scrubbed += len(due)
		if len(due) < scrubAtOnce {
			return scrubbed, nil
		}
	}
}

// scrub takes the content out of decisions, the masked form in the verdict too.
func scrub(ctx context.Context, q querier, keys []decisionKey) error {
	for _, k := range keys {
		verdict, err := withoutMasked(k.verdict)
		if err != nil {
			return err
		}
		if _, err := q.ExecContext(ctx, `UPDATE decision SET content = NULL, media = '', verdict = $1 WHERE app_id = $2 AND request_id = $3`, verdict, k.app, k.request); err != nil {
			return err
		}
	}
	return nil
}

func withoutMasked(text string) (string, error) {
	v, err := decodeVerdict([]byte(text))
	if err != nil || v.Masked == "" {
		return text, err
	}
	v.Masked = ""
	out, err := encodeVerdict(v)
	return string(out), err
}
