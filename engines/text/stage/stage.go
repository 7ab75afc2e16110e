// Package stage opens the networks that read a message as a whole, the text engine's second
// stage: engines/text/meaning says of an English message whether people are attacked in it for
// what they are, engines/text/gist of one in any language what is offered, asked for and told.
// Either works without the other.
package stage

import (
	"errors"
	"io"
	"log/slog"

	"github.com/portcullis-gg/portcullis/engines/models"
	"github.com/portcullis-gg/portcullis/engines/text"
	"github.com/portcullis-gg/portcullis/engines/text/gist"
	"github.com/portcullis-gg/portcullis/engines/text/meaning"
	"github.com/portcullis-gg/portcullis/engines/text/reading"
)

// Readers are the networks at work. The zero value has none.
type Readers struct {
	attacks *reading.Reader[float64]
	meaning *reading.Reader[[text.Answers]float64]
	opened  []io.Closer
}

// Open loads the networks of a folder of models, once the library was started with onnx.Start.
// missing says by a model's ID why one is not there (models.ErrMissing and models.ErrDamaged
// among the reasons). Whoever opens them closes them.
func Open(folder string, l reading.Limits, log *slog.Logger) (r *Readers, missing map[string]error) {
	r, missing = &Readers{}, map[string]error{}
	if m, err := meaning.Open(folder); err != nil {
		missing[models.Meaning] = err
	} else {
		r.attacks, r.opened = reading.New(m.Logit, l, log), append(r.opened, m)
	}
	if m, err := gist.Open(folder); err != nil {
		missing[models.Gist] = err
	} else {
		r.meaning, r.opened = reading.New(m.Read, l, log), append(r.opened, m)
	}
	return r, missing
}

// IDs are the models that Open looks for.
func IDs() []string { return []string{models.Meaning, models.Gist} }

// Stage is what the text engine asks; what is not there is nil.
func (r *Readers) Stage() (s text.Second) {
	if r.attacks != nil {
		s.Attacks = r.attacks
	}
	if r.meaning != nil {
		s.Meaning = r.meaning
	}
	return s
}

// Counts are the messages that both networks were asked about, each by itself.
func (r *Readers) Counts() (c reading.Counts) {
	add := func(n reading.Counts) {
		c.Read, c.Again, c.Full, c.Late, c.Failed = c.Read+n.Read, c.Again+n.Again, c.Full+n.Full, c.Late+n.Late, c.Failed+n.Failed
	}
	if r.attacks != nil {
		add(r.attacks.Counts())
	}
	if r.meaning != nil {
		add(r.meaning.Counts())
	}
	return c
}

// Close ends the networks once nobody asks any more.
func (r *Readers) Close() error {
	if r.attacks != nil {
		r.attacks.Close()
	}
	if r.meaning != nil {
		r.meaning.Close()
	}
	var errs []error
	for _, m := range r.opened {
		errs = append(errs, m.Close())
	}
	return errors.Join(errs...)
}
