package sqlstore

import (
	"context"
	"fmt"
	"time"
)

// Seen notes key for ttl and reports whether this call was the first to do so.
// Of many callers one is first.
func (s *Store) Seen(ctx context.Context, key string, ttl time.Duration) (first bool, err error) {
	now := time.Now()
	n, err := s.execCore(ctx, `INSERT INTO seen (seen_key, answer, expires_ts) VALUES ($1, NULL, $2)
		ON CONFLICT (seen_key) DO UPDATE SET answer = NULL, expires_ts = excluded.expires_ts WHERE seen.expires_ts <= $3`,
		key, millis(now.Add(ttl)), millis(now))
	if err != nil {
		return false, fmt.Errorf("note key: %w", classify(err))
	}
	return n == 1, nil
}

// PutSeen keeps the answer that a repeat of key gets, for ttl from now.
func (s *Store) PutSeen(ctx context.Context, key string, answer []byte, ttl time.Duration) error {
	if answer == nil {
		answer = []byte{} // NULL is "no answer yet"
	}
	_, err := s.execCore(ctx, `INSERT INTO seen (seen_key, answer, expires_ts) VALUES ($1, $2, $3)
		ON CONFLICT (seen_key) DO UPDATE SET answer = excluded.answer, expires_ts = excluded.expires_ts`,
		key, answer, millis(time.Now().Add(ttl)))
	if err != nil {
		return fmt.Errorf("keep answer: %w", classify(err))
	}
	return nil
}

// PutSeenOf is PutSeen of a key that begins with owner.
func (s *Store) PutSeenOf(ctx context.Context, _, key string, answer []byte, ttl time.Duration) error {
	return s.PutSeen(ctx, key, answer, ttl)
}

// ForgetSeenOf forgets the keys that begin with owner. It looks through all of them, the
// nonces of some minutes and the answers of an hour: a range would hang on the database's
// collation, and it is asked for with an erasure alone.
func (s *Store) ForgetSeenOf(ctx context.Context, owner string) error {
	if _, err := s.execCore(ctx, `DELETE FROM seen WHERE substr(seen_key, 1, length($1)) = $1`, owner); err != nil {
		return fmt.Errorf("forget keys: %w", classify(err))
	}
	return nil
}

// SeenAnswer returns the answer kept for key. store.ErrNotFound: the key was not
// seen, ran out, or its first request has no answer yet.
func (s *Store) SeenAnswer(ctx context.Context, key string) ([]byte, error) {
	var answer []byte
	err := s.core.read().QueryRowContext(ctx, `SELECT answer FROM seen WHERE seen_key = $1 AND expires_ts > $2 AND answer IS NOT NULL`,
		key, millis(time.Now())).Scan(&answer)
	if err != nil {
		return nil, fmt.Errorf("kept answer: %w", classify(err))
	}
	return answer, nil
}

// ForgetSeen lets key be first again, for a request that failed before it did anything.
func (s *Store) ForgetSeen(ctx context.Context, key string) error {
	if _, err := s.execCore(ctx, `DELETE FROM seen WHERE seen_key = $1`, key); err != nil {
		return fmt.Errorf("forget key: %w", classify(err))
	}
	return nil
}
