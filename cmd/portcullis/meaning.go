package main

import (
	"errors"
	"fmt"
	"log/slog"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/portcullis-gg/portcullis/engines/text"
	"github.com/portcullis-gg/portcullis/engines/text/reading"
	"github.com/portcullis-gg/portcullis/engines/text/stage"
)

// meaningParts is the second stage of the text engine; the zero value is none.
type meaningParts struct {
	readers *stage.Readers
}

// open loads what reads messages as a whole; without it the text engine works by words, and
// the status of models says why. missing has an error for each network that is not there, or
// one for all of them.
func (p *meaningParts) open(k *modelKeeper, l reading.Limits, log *slog.Logger) (missing []error) {
	if err := k.runtime(); err != nil {
		for _, id := range stage.IDs() {
			k.board.Failed(id, err)
		}
		return []error{err}
	}
	readers, why := stage.Open(k.store.Dir(), l, log)
	p.readers = readers
	for _, id := range stage.IDs() {
		if err := why[id]; err != nil {
			k.board.Failed(id, err)
			missing = append(missing, err)
			continue
		}
		k.board.Loaded(id)
	}
	return missing
}

// stage is what the text engine asks.
func (p *meaningParts) stage() text.Second {
	if p.readers == nil {
		return text.Second{}
	}
	return p.readers.Stage()
}

// close ends it once nobody asks any more.
func (p *meaningParts) close() error {
	if p.readers == nil {
		return nil
	}
	return p.readers.Close() //nolint:wrapcheck // it names itself
}

// readMeaning opens the second stage of a gateway's text engine.
func (a *app) readMeaning() (text.Second, error) {
	if !a.cfg.Text.Meaning {
		return text.Second{}, nil
	}
	if err := errors.Join(a.meaning.open(a.models, reading.Within(), a.log)...); err != nil {
		a.log.Info("not all of what reads messages as a whole is there", "reason", err)
	}
	return a.meaning.stage(), a.countMeaning()
}

// countMeaning registers what became of the messages that the first stage was unsure of.
func (a *app) countMeaning() error {
	of := func(outcome string, count func(reading.Counts) uint64) error {
		return a.reg.Register(prometheus.NewCounterFunc(prometheus.CounterOpts{
			Name: "portcullis_text_meaning_total", Help: "Messages that the second stage of the text engine was asked about, by outcome (read, again, full, late, failed; again: the answer was remembered).",
			ConstLabels: prometheus.Labels{"outcome": outcome},
		}, func() float64 { return float64(count(a.meaning.counts())) }))
	}
	err := errors.Join(
		of("read", func(c reading.Counts) uint64 { return c.Read }),
		of("again", func(c reading.Counts) uint64 { return c.Again }),
		of("full", func(c reading.Counts) uint64 { return c.Full }),
		of("late", func(c reading.Counts) uint64 { return c.Late }),
		of("failed", func(c reading.Counts) uint64 { return c.Failed }),
	)
	if err != nil {
		return fmt.Errorf("register the metrics of meaning: %w", err)
	}
	return nil
}

// counts are the reader's, and none once it is closed.
func (p *meaningParts) counts() reading.Counts {
	if r := p.readers; r != nil {
		return r.Counts()
	}
	return reading.Counts{}
}
