package text

import (
	"context"
	"math"
	"sync"

	"github.com/portcullis-gg/portcullis/engines"
	classifier "github.com/portcullis-gg/portcullis/engines/text/classify"
)

// doubts is what the first stage leaves open of a message: whether it is to be read for who is
// attacked, and whether for what is dealt in.
type doubts struct {
	attack, dealing bool
	deal            Deal
}

// doubts says what is to be asked about a message with these findings.
func (e *Engine) doubts(s *scratch, item *engines.Item, found []engines.Signal) (q doubts) {
	q.attack = e.networks.Attacks != nil && s.asks(item, found)
	if e.weighing != nil {
		q.deal = s.deal(found)
		q.dealing = e.weighing.asks(item, found, &q.deal)
	}
	return q
}

// heard is what the networks answered.
type heard struct {
	attack             float64
	answers            [Answers]float64
	attackOK, answerOK bool
}

// ask has both networks read a message, at the same time where both are to.
func (e *Engine) ask(ctx context.Context, q *doubts, text string) (h heard) {
	// Accounts and links are signs of hate to a network that learnt of tweets.
	attack := func() { h.attack, h.attackOK = e.networks.Attacks.Read(ctx, unaddressed(text)) }
	if q.attack && q.dealing {
		var both sync.WaitGroup
		both.Go(attack)
		defer both.Wait()
	} else if q.attack {
		attack()
	}
	if q.dealing {
		h.answers, h.answerOK = e.networks.Meaning.Read(ctx, text)
		q.deal.hear(h.answers)
	}
	return h
}

// second asks the networks about a message whose signals are out[from:].
func (e *Engine) second(ctx context.Context, s *scratch, item *engines.Item, from int, p *[classifier.Heads]float64, out []engines.Signal) []engines.Signal {
	if e.networks.Attacks == nil && e.networks.Meaning == nil {
		return out
	}
	q := e.doubts(s, item, out[from:])
	if !q.attack && !q.dealing {
		return out
	}
	h := e.ask(ctx, &q, item.Text)
	if q.attack {
		out = s.agreeMeaning(p, h.attack, h.attackOK, from, out)
	}
	if q.dealing {
		out = e.readDeals(s, &q.deal, h.answerOK, from, out)
	}
	return out
}

// Whole is what came of reading a message as a whole, for who explains a verdict.
type Whole struct {
	// Answers are log-odds by the network that is asked about deals; Dealing says that it was.
	Answers [Answers]float64
	Dealing bool
	// Attack is the probability of one by both stages; it is NaN where that was not asked.
	Attack float64
	// Kinds are the probabilities of each kind, and Wrong that of anything else that is to be found,
	// by both stages; they are NaN where that was not asked.
	Kinds [Kinds]float64
	Wrong float64
}

// Whole says what both stages make of an item; ok is false where no network is asked about it, or
// one that is has no answer now.
func (e *Engine) Whole(ctx context.Context, item *engines.Item) (w Whole, ok bool, err error) {
	s := e.scratch()
	defer e.pool.Put(s)
	found, err := e.find(ctx, s, item, nil)
	if err != nil || e.networks.Attacks == nil && e.networks.Meaning == nil || e.model == nil || !s.wordy() {
		return w, false, err
	}
	p, found := e.firstStage(s, found, 0)
	q := e.doubts(s, item, found)
	h := e.ask(ctx, &q, item.Text)
	if !q.attack && !q.dealing || q.attack && !h.attackOK || q.dealing && !h.answerOK {
		return w, false, nil
	}
	w.Attack, w.Wrong = math.NaN(), math.NaN()
	for k := range Kinds {
		w.Kinds[k] = math.NaN()
	}
	if q.attack {
		d := s.doubt(&p, h.attack, found)
		w.Attack = d.both()
	}
	if w.Dealing = q.dealing; q.dealing {
		w.Answers = h.answers
		for k := range Kinds {
			w.Kinds[k] = expit(e.weighing.Kinds[k].LogOdds(&q.deal))
		}
		w.Wrong = expit(e.weighing.Wrong.LogOdds(&q.deal))
	}
	return w, true, nil
}
