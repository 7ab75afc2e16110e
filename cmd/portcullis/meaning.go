package main

import (
	"errors"
	"fmt"
	"log/slog"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/portcullis-gg/portcullis/engines/models"
	"github.com/portcullis-gg/portcullis/engines/text"
	"github.com/portcullis-gg/portcullis/engines/text/gist"
	"github.com/portcullis-gg/portcullis/engines/text/reading"
)

// meaningParts is the second stage of the text engine; the zero value is none.
type meaningParts struct {
	model  *gist.Model
	reader *reading.Reader[[text.Answers]float64]
}

// open loads what reads messages as a whole; without it the text engine works by words, and
// the status of models says why.
func (p *meaningParts) open(k *modelKeeper, l reading.Limits, log *slog.Logger) error {
	err := k.runtime()
	if err == nil {
		p.model, err = gist.Open(k.store.Dir())
	}
	if err != nil {
		k.board.Failed(models.Gist, err)
		return err
	}
	k.board.Loaded(models.Gist)
	p.reader = reading.New(p.model.Read, l, log)
	return nil
}

// stage is what the text engine asks; nil for nobody.
func (p *meaningParts) stage() text.Meaning {
	if p.reader == nil {
		return nil
	}
	return p.reader
}

// close ends it once nobody asks any more.
func (p *meaningParts) close() error {
	if p.reader == nil {
		return nil
	}
	p.reader.Close()
	return p.model.Close() //nolint:wrapcheck // it names itself
}

// readMeaning opens the second stage of a gateway's text engine.
func (a *app) readMeaning() (text.Meaning, error) {
	if !a.cfg.Text.Meaning {
		return nil, nil //nolint:nilnil // nobody reads
	}
	if err := a.meaning.open(a.models, reading.Within(), a.log); err != nil {
		a.log.Info("messages are not read as a whole", "reason", err)
		return nil, nil //nolint:nilnil // nobody reads
	}
	return a.meaning.stage(), a.countMeaning()
}

// countMeaning registers what became of the messages that the first stage was unsure of.
func (a *app) countMeaning() error {
	of := func(outcome string, count func(reading.Counts) uint64) error {
		return a.reg.Register(prometheus.NewCounterFunc(prometheus.CounterOpts{
			Name: "portcullis_text_meaning_total", Help: "Messages that the second stage of the text engine was asked about, by outcome (read, full, late, failed).",
			ConstLabels: prometheus.Labels{"outcome": outcome},
		}, func() float64 { return float64(count(a.meaning.counts())) }))
	}
	err := errors.Join(
		of("read", func(c reading.Counts) uint64 { return c.Read }),
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
	if r := p.reader; r != nil {
		return r.Counts()
	}
	return reading.Counts{}
}
