package stats

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

const (
	writeEvery  = 5 * time.Second
	writeWithin = 5 * time.Second
	lastWithin  = 5 * time.Second
	// writeAtOnce is how many counts one write has, so that a verdict's own write
	// waits for no more than some ms behind it.
	writeAtOnce = 64
)

// Adder adds counts to those that are stored.
type Adder interface {
	// AddStats adds all of them or none; an error that is not engines.ErrUnavailable
	// is about the counts themselves.
	AddStats(ctx context.Context, counts []store.StatCount) error
}

// Serve writes behind what is counted, until ctx ends, and then what is left.
func (c *Counter) Serve(ctx context.Context) {
	tick := time.NewTicker(writeEvery)
	defer tick.Stop()
	failing := false
	for {
		within, done := writeWithin, false
		select {
		case <-ctx.Done():
			within, done = lastWithin, true
		case <-tick.C:
		}
		err := c.flush(context.WithoutCancel(ctx), within)
		switch {
		case err != nil && (done || !failing):
			c.log.LogAttrs(ctx, slog.LevelWarn, "statistics are not written", slog.Any("error", err), slog.Int64("lost", c.Lost()))
		case err == nil && failing:
			c.log.LogAttrs(ctx, slog.LevelInfo, "statistics are written again")
		}
		failing = err != nil
		if done {
			return
		}
	}
}

// Flush writes what was counted now. Serve must not run.
func (c *Counter) Flush(ctx context.Context) error { return c.flush(ctx, lastWithin) }

// flush writes what waits, and then what was counted since. What is not written
// waits, and nothing is read from the cells before it is: they go on counting.
func (c *Counter) flush(ctx context.Context, within time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	if err := c.write(ctx); err != nil && len(c.waiting) > 0 {
		return err
	}
	for app, a := range *c.apps.Load() {
		c.waiting = a.read(c.waiting, app, c.now().UnixMilli())
	}
	return c.write(ctx)
}

func (c *Counter) write(ctx context.Context) (refused error) {
	for len(c.waiting) > 0 {
		n := min(len(c.waiting), writeAtOnce)
		err := c.store.AddStats(ctx, c.waiting[:n])
		if errors.Is(err, engines.ErrUnavailable) {
			return err
		}
		if err != nil { // it would fail each time, and keep the rest back
			refused = fmt.Errorf("%d counts refused: %w", n, err)
		}
		c.waiting = c.waiting[n:]
	}
	c.waiting = nil
	return refused
}

// read takes what was counted out of the cells, and drops the slots of past hours.
func (a *counts) read(dst []store.StatCount, app engines.AppID, now int64) []store.StatCount {
	a.mu.Lock()
	var taken taken
	for _, s := range a.slots {
		taken.add(s)
	}
	hour := now - now%store.StatHour.Milliseconds()
	keep := a.slots[:0]
	for _, s := range a.slots {
		if s.hour >= hour {
			keep = append(keep, s)
		}
	}
	clear(a.slots[len(keep):])
	a.slots = keep
	a.mu.Unlock()
	return taken.counts(dst, app)
}

// taken is what was read from cells; it is written out where no lock is held.
type taken struct {
	verdicts []hourly[verdictCell]
	labels   []hourly[labelCell]
	scenes   []hourly[sceneCell]
	economy  []hourly[economyCell]

	statements []hourly[statementCell]
}

type hourly[C any] struct {
	hour int64
	cell C
}

// add takes what a slot counted; an alias finds its cell empty.
func (t *taken) add(s *slot) {
	for _, c := range s.verdicts {
		if c.n > 0 {
			t.verdicts = append(t.verdicts, hourly[verdictCell]{s.hour, *c})
			*c = verdictCell{key: c.key}
		}
	}
	for _, c := range s.labels {
		if c.n > 0 {
			t.labels = append(t.labels, hourly[labelCell]{s.hour, *c})
			*c = labelCell{key: c.key}
		}
	}
	for _, c := range s.scenes {
		if c.n > 0 {
			t.scenes = append(t.scenes, hourly[sceneCell]{s.hour, *c})
			*c = sceneCell{key: c.key, day: c.day}
		}
	}
	for _, c := range s.economy {
		if c.n > 0 {
			t.economy = append(t.economy, hourly[economyCell]{s.hour, *c})
			*c = economyCell{key: c.key}
		}
	}
	for _, c := range s.statements {
		if c.n > 0 {
			t.statements = append(t.statements, hourly[statementCell]{s.hour, *c})
			*c = statementCell{key: c.key}
		}
	}
}

func (t *taken) counts(dst []store.StatCount, app engines.AppID) []store.StatCount {
	for i := range t.verdicts {
		c := &t.verdicts[i].cell
		dst = append(dst, store.StatCount{
			Cube: store.StatVerdicts, App: app, Hour: t.verdicts[i].hour, Dims: c.key.dims(), Counts: append([]int64{c.n, c.took}, c.by[:]...),
		})
	}
	for i := range t.labels {
		c := &t.labels[i].cell
		dst = append(dst, store.StatCount{Cube: store.StatLabels, App: app, Hour: t.labels[i].hour, Dims: c.key.dims(), Counts: []int64{c.n, c.verdicts}})
	}
	for i := range t.scenes {
		c := &t.scenes[i].cell
		one := store.StatCount{
			Cube: store.StatScenes, App: app, Hour: t.scenes[i].hour, Dims: []string{string(c.key.scene), string(c.key.kind), string(c.key.mode)},
			Counts: []int64{c.n, c.review, c.block, c.degraded},
		}
		if c.day == c.key.scene {
			dst = append(dst, one)
			continue
		}
		one.OnlyHour = true
		day := one
		day.OnlyHour, day.OnlyDay = false, true
		day.Dims = []string{string(c.day), one.Dims[1], one.Dims[2]}
		dst = append(dst, one, day)
	}
	for i := range t.economy {
		c := &t.economy[i].cell
		dst = append(dst, store.StatCount{
			Cube: store.StatEconomy, App: app, Hour: t.economy[i].hour, Dims: []string{c.key.log, c.key.what, c.key.action, c.key.source},
			Counts: []int64{c.n, c.in, c.out},
		})
	}
	for i := range t.statements {
		c := &t.statements[i].cell
		dst = append(dst, store.StatCount{Cube: store.StatStatements, App: app, Hour: t.statements[i].hour, Dims: c.key.dims(), Counts: []int64{c.n}})
	}
	return dst
}
