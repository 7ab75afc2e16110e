package rules

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"slices"
	"time"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
)

const (
	// maxPlayers bounds the book of a back-test, at about half a kilobyte a player.
	maxPlayers = 2_000_000
	sampleSize = 100

	pauseFrom = 5 * time.Millisecond
	pauseMost = time.Second
)

// tooMuch says that a back-test is larger than one may be.
type tooMuch struct{ players int }

func (e tooMuch) Error() string { return fmt.Sprintf("more than %d players", e.players) }

// replayer tries one rule.
type replayer struct {
	job    *job
	book   economy.Book
	result economy.BacktestResult

	seed    maphash.Seed
	known   map[uint64]bool // players that entries named; those judged and hit are true
	judged  map[uint64]bool // of players: true where hit
	active  map[engines.PlayerID]struct{}
	sample  []sampled // by hash
	ofTrade bool
	worked  time.Time // when the last pause ended
}

// sampled is a hit with what it is drawn by.
type sampled struct {
	hash uint64
	hit  economy.BacktestHit
}

// replay reads stored entries in the order of their time into an empty book, and asks
// the rule: of a trade before it is counted, of a player at the end of each day on
// which it did something. Memory: the book, and 8 to 40 bytes for each player;
// entries are handed through.
func (k *Keeper) replay(ctx context.Context, j *job) (economy.BacktestResult, error) {
	r := &replayer{
		job: j, book: k.deps.Book(), seed: maphash.MakeSeed(), known: map[uint64]bool{}, judged: map[uint64]bool{},
		active: map[engines.PlayerID]struct{}{}, worked: time.Now(), ofTrade: j.program.Rule.On == economy.OnTrade,
	}
	r.result.Model, r.result.Both = map[string]int64{}, map[string]int64{}
	for day := dayOf(j.From) - warmUp; day <= dayOf(j.To-1); day++ {
		err := k.deps.Store.DayOf(ctx, j.App, day, func(list []economy.Entry) error {
			if err := r.count(list); err != nil {
				return err
			}
			return r.pause(ctx)
		})
		if err != nil {
			return r.result, err
		}
		if err := r.endOfDay(ctx, day); err != nil {
			return r.result, err
		}
		k.tests.Note(func() { j.Reached = min((day+1)*dayMillis, j.To) })
	}
	r.result.Population = int64(len(r.judged))
	if r.ofTrade {
		r.result.Population, r.result.HitThings = r.result.Evaluations, r.result.Hits
	}
	for _, s := range r.sample {
		r.result.Sample = append(r.result.Sample, s.hit)
	}
	return r.result, nil
}

// pause rests as long as was worked, so that a back-test takes half a core at most
// and questions do not wait for it.
func (r *replayer) pause(ctx context.Context) error {
	worked := time.Since(r.worked)
	if worked < pauseFrom {
		return ctx.Err()
	}
	defer func() { r.worked = time.Now() }()
	rest := time.NewTimer(min(worked, pauseMost))
	defer rest.Stop()
	select {
	case <-rest.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// count takes entries in.
func (r *replayer) count(list []economy.Entry) error {
	done := 0
	for i := range list {
		e := &list[i]
		if e.At >= r.job.To {
			r.book.Apply(list[done:i])
			return nil // what follows is later still
		}
		r.known[maphash.String(r.seed, string(e.Player))] = true
		if len(r.known) > maxPlayers {
			return tooMuch{maxPlayers}
		}
		if e.At < r.job.From {
			continue
		}
		if !r.ofTrade {
			r.active[e.Player] = struct{}{}
			if e.Log == economy.Trade && e.Counterparty != "" {
				r.active[e.Counterparty] = struct{}{}
			}
		} else if e.Log == economy.Trade && e.Deal != nil {
			r.book.Apply(list[done:i])
			done = i
			r.trade(e)
		}
	}
	r.book.Apply(list[done:])
	return nil
}

// trade asks the rule of a trade that is about to be counted.
func (r *replayer) trade(e *economy.Entry) {
	p := economy.Proposal{Sender: e.Player, Receiver: e.Counterparty, Deal: *e.Deal, Device: e.Device, IP: e.IP, At: e.At}
	base := r.book.Evaluate(&p, e.At)
	c := Case{Deal: e.Deal, Model: &base, Sender: &economy.Features{}, Receiver: &economy.Features{}}
	program := r.job.program
	if program.uses[ofSender] {
		f := economy.FeaturesOf(r.book, p.Sender, e.At)
		c.Sender = &f
	}
	if program.uses[ofReceiver] {
		f := economy.FeaturesOf(r.book, p.Receiver, e.At)
		c.Receiver = &f
	}
	hit, err := program.Trade(&c)
	var t economy.RuleTally
	if tally(&t, hit, err, false) {
		changes(&t, base.Suggestion, judged(base, &program.Rule).Suggestion)
		r.draw(e.TradeID+"\x00"+e.ID, economy.BacktestHit{
			At: e.At, Player: e.Player, Receiver: e.Counterparty, TradeID: e.TradeID, LogID: e.ID, Score: base.Score,
		})
	}
	r.note(dayOf(e.At), t, string(base.Suggestion))
}

// endOfDay asks the rule of the players who did something on a day.
func (r *replayer) endOfDay(ctx context.Context, day int64) error {
	at := min((day+1)*dayMillis, r.job.To) - 1
	program := r.job.program
	for player := range r.active {
		risk, _ := r.book.Risk(player, at)
		f := economy.FeaturesOf(r.book, player, at)
		hit, err := program.Player(&f)
		var t economy.RuleTally
		hash := maphash.String(r.seed, string(player))
		if _, ok := r.judged[hash]; !ok {
			r.judged[hash] = false
		}
		if tally(&t, hit, err, false) {
			if economy.LevelOf(economy.AddScore(risk.Score, program.Rule.Then.Factor)) != economy.LevelOf(risk.Score) {
				t.Raised++
			}
			if !r.judged[hash] {
				r.judged[hash] = true
				r.result.HitThings++
				r.draw(string(player), economy.BacktestHit{At: at, Player: player, Score: risk.Score})
			}
		}
		r.note(day, t, string(economy.LevelOf(risk.Score)))
		if err := r.pause(ctx); err != nil {
			return err
		}
	}
	clear(r.active)
	return nil
}

// note counts one evaluation.
func (r *replayer) note(day int64, t economy.RuleTally, model string) {
	r.result.Add(t)
	r.result.Model[model]++
	if t.Hits > 0 {
		r.result.Both[model]++
	}
	days := r.result.Days
	if len(days) == 0 || days[len(days)-1].Day != day {
		days = append(days, economy.BacktestDay{Day: day})
	}
	last := &days[len(days)-1]
	last.Evaluations += t.Evaluations
	last.Hits += t.Hits
	r.result.Days = days
}

// draw keeps the hits with the smallest hashes: an even sample, and the same each time.
func (r *replayer) draw(id string, hit economy.BacktestHit) {
	sum := sha256.Sum256([]byte(id))
	s := sampled{binary.BigEndian.Uint64(sum[:]), hit}
	at, _ := slices.BinarySearchFunc(r.sample, s, func(a, b sampled) int {
		if a.hash < b.hash {
			return -1
		}
		return 1
	})
	if at == sampleSize {
		return
	}
	r.sample = slices.Insert(r.sample, at, s)
	r.sample = r.sample[:min(len(r.sample), sampleSize)]
}
