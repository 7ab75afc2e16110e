package eval

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"time"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/economy/risk"
	"github.com/portcullis-gg/portcullis/engines"
)

// checkpoint is a score at a time of the replay.
type checkpoint struct {
	at    int64
	score int
}

// judged is what was said of a trade about to happen.
type judged struct {
	label      int
	arch       string
	score      int
	suggestion engines.Suggestion
	reasons    []string
}

// economyRun replays one stream.
type economyRun struct {
	taker  taker
	book   *risk.Book // of the taker, where that is one
	labels []actor
	meta   streamMeta
	every  int64

	waiting int      // entries that were taken and not flushed
	sample  []string // legitimate players that are looked at on the way
	seen    map[string][]checkpoint
	final   map[string]economy.Risk
	probes  []judged
	entries int
	took    time.Duration
	asked   time.Duration
	asks    int
}

func (r *economyRun) replay(ctx context.Context, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // it was only read
	for i := range r.labels {
		if r.labels[i].Label == 0 {
			r.sample = append(r.sample, r.labels[i].ID)
		}
	}
	rnd := rand.New(rand.NewPCG(5, 0))
	rnd.Shuffle(len(r.sample), func(i, j int) { r.sample[i], r.sample[j] = r.sample[j], r.sample[i] })
	r.sample = r.sample[:min(300, len(r.sample))]
	next := r.meta.Start + 24*3_600_000
	in := bufio.NewScanner(f)
	in.Buffer(make([]byte, 1<<16), 1<<22)
	for n := 1; in.Scan(); n++ {
		if n%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		var line streamLine
		if err := json.Unmarshal(in.Bytes(), &line); err != nil {
			return fmt.Errorf("stream.jsonl:%d: %w", n, err)
		}
		for int64(line.Arrive) >= next {
			if err := r.look(ctx, next); err != nil {
				return err
			}
			next += r.every
		}
		if err := r.line(ctx, &line); err != nil {
			return fmt.Errorf("stream.jsonl:%d: %w", n, err)
		}
	}
	if err := in.Err(); err != nil {
		return err
	}
	return r.end(ctx)
}

// end notes the last score of every player.
func (r *economyRun) end(ctx context.Context) error {
	if err := r.flush(ctx); err != nil {
		return err
	}
	r.final = make(map[string]economy.Risk, len(r.labels))
	for i := range r.labels {
		v, err := r.risk(ctx, r.labels[i].ID)
		if err != nil {
			return err
		}
		r.final[r.labels[i].ID] = v
	}
	return nil
}

func (r *economyRun) line(ctx context.Context, line *streamLine) error {
	switch line.Type {
	case "probe":
		return r.probe(ctx, line.Entry)
	case "ban":
		var b streamBan
		if err := json.Unmarshal(line.Entry, &b); err != nil {
			return err
		}
		if err := r.flush(ctx); err != nil {
			return err
		}
		return r.taker.ban(ctx, &b, int64(line.Arrive))
	}
	if err := r.taker.take(ctx, line.Type, line.Entry); err != nil {
		return err
	}
	if r.waiting++; r.waiting >= 3*economyBatch {
		return r.flush(ctx)
	}
	return nil
}

func (r *economyRun) flush(ctx context.Context) error {
	began := time.Now()
	n, err := r.taker.flush(ctx)
	r.took += time.Since(began)
	r.entries += n
	r.waiting = 0
	return err
}

// look notes the scores of bad players and of a sample of others.
func (r *economyRun) look(ctx context.Context, at int64) error {
	if err := r.flush(ctx); err != nil {
		return err
	}
	note := func(id string) error {
		v, err := r.risk(ctx, id)
		r.seen[id] = append(r.seen[id], checkpoint{at: at, score: v.Score})
		return err
	}
	for i := range r.labels {
		if a := &r.labels[i]; a.Label == 1 && a.First <= at {
			if err := note(a.ID); err != nil {
				return err
			}
		}
	}
	for _, id := range r.sample {
		if err := note(id); err != nil {
			return err
		}
	}
	return nil
}

func (r *economyRun) risk(ctx context.Context, id string) (economy.Risk, error) {
	began := time.Now()
	v, err := r.taker.risk(ctx, id)
	r.asked += time.Since(began)
	r.asks++
	return v, err
}

func (r *economyRun) probe(ctx context.Context, text []byte) error {
	var p probe
	if err := json.Unmarshal(text, &p); err != nil {
		return err
	}
	if err := r.flush(ctx); err != nil {
		return err
	}
	e, err := r.taker.evaluate(ctx, p.Body)
	r.probes = append(r.probes, judged{label: p.Label, arch: p.Arch, score: e.Score, suggestion: e.Suggestion, reasons: e.Reasons})
	return err
}

// dump writes the features of every labelled player.
func (r *economyRun) dump(w io.Writer, data string) error {
	out := json.NewEncoder(w)
	for i := range r.labels {
		a := &r.labels[i]
		v := r.final[a.ID]
		seen := make([][2]float64, 0, len(r.seen[a.ID])) // hours since its first bad deed, score
		for _, c := range r.seen[a.ID] {
			seen = append(seen, [2]float64{float64(c.at-a.First) / 3_600_000, float64(c.score)})
		}
		var features map[string]float64
		if r.book != nil {
			features = r.book.Measured(engines.PlayerID(a.ID))
		}
		row := map[string]any{
			"seen": seen,
			"data": data, "player": a.ID, "label": a.Label, "arch": a.Arch, "role": a.Role, "kind": a.Kind, "ring": a.Ring,
			"score": v.Score, "factors": v.Factors, "f": features,
		}
		if err := out.Encode(row); err != nil {
			return err
		}
	}
	return nil
}
