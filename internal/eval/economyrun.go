package eval

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strconv"
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
	book   *risk.Book
	labels []actor
	meta   streamMeta
	strip  bool
	every  int64

	batch   []economy.Entry
	known   map[string]struct{}
	sample  []string // legitimate players that are looked at on the way
	seen    map[string][]checkpoint
	final   map[string]economy.Risk
	probes  []judged
	entries int
	took    time.Duration
	asked   time.Duration
	asks    int
	bans    int
}

const economyBatch = 500

func (r *economyRun) replay(ctx context.Context, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // it was only read
	r.known = map[string]struct{}{}
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
			r.look(next)
			next += r.every
		}
		if err := r.line(&line); err != nil {
			return fmt.Errorf("stream.jsonl:%d: %w", n, err)
		}
	}
	if err := in.Err(); err != nil {
		return err
	}
	r.flush()
	r.final = make(map[string]economy.Risk, len(r.labels))
	for i := range r.labels {
		r.final[r.labels[i].ID] = r.risk(r.labels[i].ID)
	}
	return nil
}

func (r *economyRun) line(line *streamLine) error {
	switch line.Type {
	case "probe":
		return r.probe(line.Entry)
	case "ban":
		var b streamBan
		if err := json.Unmarshal(line.Entry, &b); err != nil {
			return err
		}
		r.flush()
		r.bans++
		at := int64(line.Arrive)
		ban := economy.Ban{ID: strconv.Itoa(r.bans), Player: engines.PlayerID(b.Player), Type: economy.BanType(b.Type), Reason: b.Reason, Created: at}
		if b.Hours > 0 {
			ban.Expires = at + b.Hours*3_600_000
		}
		r.book.Ban(&ban)
		return nil
	}
	var e streamEntry
	if err := json.Unmarshal(line.Entry, &e); err != nil {
		return err
	}
	key := line.Type[:1] + cmp.Or(e.Player, e.Sender) + "\x00" + e.ID
	if _, twice := r.known[key]; twice {
		return nil // the service hands on what is new
	}
	r.known[key] = struct{}{}
	r.batch = append(r.batch, e.entry(line.Type, r.strip))
	if len(r.batch) >= 3*economyBatch {
		r.flush()
	}
	return nil
}

func (r *economyRun) flush() {
	began := time.Now()
	r.book.Apply(r.batch)
	r.took += time.Since(began)
	r.entries += len(r.batch)
	r.batch = r.batch[:0]
}

// look notes the scores of bad players and of a sample of others.
func (r *economyRun) look(at int64) {
	r.flush()
	for i := range r.labels {
		if a := &r.labels[i]; a.Label == 1 && a.First <= at {
			r.seen[a.ID] = append(r.seen[a.ID], checkpoint{at: at, score: r.risk(a.ID).Score})
		}
	}
	for _, id := range r.sample {
		r.seen[id] = append(r.seen[id], checkpoint{at: at, score: r.risk(id).Score})
	}
}

func (r *economyRun) risk(id string) economy.Risk {
	began := time.Now()
	v, _ := r.book.Risk(engines.PlayerID(id), r.book.Newest())
	r.asked += time.Since(began)
	r.asks++
	return v
}

func (r *economyRun) probe(text []byte) error {
	var p probe
	if err := json.Unmarshal(text, &p); err != nil {
		return err
	}
	r.flush()
	q := economy.Proposal{
		Sender: engines.PlayerID(p.Body.Sender), Receiver: engines.PlayerID(p.Body.Receiver), Deal: p.Body.deal(),
		Device: p.Body.Device, IP: p.Body.IP,
	}
	if r.strip {
		q.Deal.Type, q.Deal.ReturnItems, q.Deal.ReturnMoney = "", nil, economy.Money{}
	}
	e := r.book.Evaluate(&q, r.book.Newest())
	r.probes = append(r.probes, judged{label: p.Label, arch: p.Arch, score: e.Score, suggestion: e.Suggestion, reasons: e.Reasons})
	return nil
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
		row := map[string]any{
			"seen": seen,
			"data": data, "player": a.ID, "label": a.Label, "arch": a.Arch, "role": a.Role, "kind": a.Kind, "ring": a.Ring,
			"score": v.Score, "factors": v.Factors, "f": r.book.Measured(engines.PlayerID(a.ID)),
		}
		if err := out.Encode(row); err != nil {
			return err
		}
	}
	return nil
}
