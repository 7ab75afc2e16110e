package sqlstore

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/portcullis-gg/portcullis/internal/store"
)

// chunksAtOnce is how many chunks of batches are in memory at a time: one may hold a
// picture or a sound.
const chunksAtOnce = 4

// chunkPlace is a chunk of a batch, with what is stored of its lines.
type chunkPlace struct {
	batch string
	seq   int
	text  []byte
}

// eachChunk runs fn for the chunks of an app: column is body or results.
func (s *Store) eachChunk(ctx context.Context, e *store.Erasure, column, which string, fn func(chunkPlace) error) error {
	last := chunkPlace{seq: -1}
	for {
		list, err := collect(ctx, s.core.read(), func(row scanner) (c chunkPlace, err error) {
			err = row.Scan(&c.batch, &c.seq, &c.text)
			return c, err
		}, `SELECT c.batch_id, c.seq, c.`+column+` FROM batch_chunk AS c JOIN batch AS b ON b.batch_id = c.batch_id
			WHERE b.app_id = $1 AND `+which+` AND (c.batch_id, c.seq) > ($2, $3) ORDER BY c.batch_id, c.seq LIMIT $4`,
			string(e.App), last.batch, last.seq, chunksAtOnce)
		if err != nil || len(list) == 0 {
			return err
		}
		last = list[len(list)-1]
		for i := range list {
			if err := fn(list[i]); err != nil {
				return err
			}
		}
	}
}

// eraseLines takes the player's lines out of batches that are not done. A worker that
// has such a chunk in hand finds that it is no longer its own, and it is done anew.
func (s *Store) eraseLines(ctx context.Context, e *store.Erasure) error {
	return s.eachChunk(ctx, e, "body", "c.open = 1", func(c chunkPlace) error {
		if _, n := withoutLines(c.text, e); n == 0 {
			return nil
		}
		return s.core.write(ctx, 1, func(ctx context.Context, q querier) error {
			list, err := collect(ctx, q, func(row scanner) (body []byte, err error) { return body, row.Scan(&body) },
				`SELECT body FROM batch_chunk WHERE batch_id = $1 AND seq = $2 AND open = 1`+s.locked(), c.batch, c.seq)
			if err != nil || len(list) == 0 { // it was done meanwhile: its decisions and results come later
				return err
			}
			body, n := withoutLines(list[0], e)
			_, err = q.ExecContext(ctx, `UPDATE batch_chunk SET body = $1, owner = '', until_ts = 0 WHERE batch_id = $2 AND seq = $3`, body, c.batch, c.seq)
			if err == nil {
				err = s.count(ctx, q, e, "batch_lines", int64(n))
			}
			return err
		})
	})
}

// withoutLines is a chunk's body without the player's lines, each of which stays in
// its place, and how many those are. What cannot be read and names the player goes on
// as it is as far as it can be read.
func withoutLines(body []byte, e *store.Erasure) (out []byte, n int) {
	for rest := body; len(rest) > 0; {
		kind, number, text, next, err := store.CutLine(rest)
		if err != nil {
			if bytes.Contains(rest, []byte(e.Player)) {
				return out, n + 1
			}
			return append(out, rest...), n
		}
		if kind == store.LineText && ofPlayer(text, e) {
			kind, number, text = store.LineErased, 0, nil
			n++
		}
		out = store.AppendLine(out, kind, number, text)
		rest = next
	}
	return out, n
}

// ofPlayer reports whether a line is about the player, or cannot be read and names it.
func ofPlayer(line []byte, e *store.Erasure) bool {
	named := bytes.Contains(line, []byte(e.Player))
	if !named && !bytes.ContainsRune(line, '\\') { // without an escape it would stand there as it is
		return false
	}
	var l struct {
		User string `json:"user_id"`
	}
	if err := json.Unmarshal(line, &l); err != nil {
		return named
	}
	return l.User == string(e.Player)
}

// resultLine is what is looked for in the result of a line: which requests it is of, one,
// or with fields one of each.
type resultLine struct {
	Line    int    `json:"line"`
	Request string `json:"request_id"`
	Result  struct {
		Fields map[string]struct {
			Request string `json:"request_id"`
		} `json:"fields"`
	} `json:"result"`
}

// requests are all of a line's.
func (r *resultLine) requests() (list []string) {
	if r.Request != "" {
		list = append(list, r.Request)
	}
	for _, f := range r.Result.Fields {
		list = append(list, f.Request)
	}
	return list
}

// eraseResults takes what was found of the player's lines out of the results of
// batches. Decisions tell which those are; a pass has none and quotes nothing.
func (s *Store) eraseResults(ctx context.Context, e *store.Erasure) error {
	return s.eachChunk(ctx, e, "results", "c.results IS NOT NULL", func(c chunkPlace) error {
		theirs, err := s.resultsOf(ctx, c.text, e)
		if err != nil {
			return err
		}
		if _, n := withoutResults(c.text, theirs, e); n == 0 {
			return nil
		}
		return s.core.write(ctx, 1, func(ctx context.Context, q querier) error {
			list, err := collect(ctx, q, func(row scanner) (text []byte, err error) { return text, row.Scan(&text) },
				`SELECT results FROM batch_chunk WHERE batch_id = $1 AND seq = $2`+s.locked(), c.batch, c.seq)
			if err != nil || len(list) == 0 {
				return err
			}
			results, n := withoutResults(list[0], theirs, e)
			_, err = q.ExecContext(ctx, `UPDATE batch_chunk SET results = $1 WHERE batch_id = $2 AND seq = $3`, results, c.batch, c.seq)
			if err == nil {
				err = s.count(ctx, q, e, "batch_results", int64(n))
			}
			return err
		})
	})
}

// resultsOf are the requests among results whose decisions are the player's, under
// either name.
func (s *Store) resultsOf(ctx context.Context, results []byte, e *store.Erasure) (theirs map[string]bool, err error) {
	var ids []any
	for line := range bytes.Lines(results) {
		var r resultLine
		if json.Unmarshal(line, &r) != nil {
			continue
		}
		for _, id := range r.requests() {
			ids = append(ids, id)
		}
	}
	theirs = map[string]bool{}
	for len(ids) > 0 {
		piece := ids[:min(len(ids), eraseAtOnce)]
		ids = ids[len(piece):]
		args := append([]any{string(e.App), string(e.Player), string(e.Pseudonym)}, piece...)
		marks := make([]string, len(piece))
		for i := range piece {
			marks[i] = fmt.Sprintf("$%d", i+4)
		}
		list, err := collect(ctx, s.core.read(), scanID, `SELECT request_id FROM decision WHERE app_id = $1 AND player_id IN ($2, $3)
			AND request_id IN (`+strings.Join(marks, ", ")+`)`, args...)
		if err != nil {
			return nil, err
		}
		for _, id := range list {
			theirs[id] = true
		}
	}
	return theirs, nil
}

// withoutResults has a line that says so in the place of each result that is theirs,
// or that names the player, and how many those are that did not say so before.
func withoutResults(results []byte, theirs map[string]bool, e *store.Erasure) (out []byte, n int) {
	name, err := json.Marshal(string(e.Player))
	if err != nil {
		name = []byte(e.Player)
	}
	for line := range bytes.Lines(results) {
		var r resultLine
		err := json.Unmarshal(line, &r)
		if err == nil && !slices.ContainsFunc(r.requests(), func(id string) bool { return theirs[id] }) && !bytes.Contains(line, name) {
			out = append(out, line...)
			continue
		}
		if err != nil && !bytes.Contains(line, []byte(e.Player)) {
			out = append(out, line...)
			continue
		}
		erased := fmt.Appendf(nil, "{\"line\":%d,\"erased\":true}\n", r.Line)
		if !bytes.Equal(erased, line) {
			n++
		}
		out = append(out, erased...)
	}
	return out, n
}
