package text

import (
	"context"
	"math"

	"github.com/portcullis-gg/portcullis/engines"
	classifier "github.com/portcullis-gg/portcullis/engines/text/classify"
)

// doubts is what the first stage leaves open of a message: whether it is to be read for who is
// attacked, and whether for what is dealt in. One reading answers both.
type doubts struct {
	attack, dealing bool
	deal            Deal
}

// doubts says what is to be asked about a message with these findings.
func (e *Engine) doubts(s *scratch, item *engines.Item, found []engines.Signal) doubts {
	q := doubts{attack: s.asks(item, found), deal: s.deal(found)}
	open, asked := e.weighing.asks(item, found, &q.deal)
	q.dealing = asked || open && q.attack // what is read anyway is heard
	return q
}

// readAs is a message as the network is given it. Where it is asked who is attacked nobody is
// addressed: accounts and links are signs of hate to a network that learnt of tweets.
func (q *doubts) readAs(text string) string {
	if q.attack {
		return unaddressed(text)
	}
	return text
}

// second asks the network about a message whose signals are out[from:].
func (e *Engine) second(ctx context.Context, s *scratch, item *engines.Item, from int, p *[classifier.Heads]float64, out []engines.Signal) []engines.Signal {
	if e.meaning == nil {
		return out
	}
	q := e.doubts(s, item, out[from:])
	if !q.attack && !q.dealing {
		return out
	}
	answers, ok := e.meaning.Read(ctx, q.readAs(item.Text))
	q.deal.hear(answers)
	if q.attack {
		out = s.agreeMeaning(p, answers[AnswerHate], ok, from, out)
	}
	if q.dealing {
		out = e.readDeals(s, &q.deal, ok, from, out)
	}
	return out
}

// Whole is what came of reading a message as a whole, for who explains a verdict.
type Whole struct {
	// Answers are the network's log-odds.
	Answers [Answers]float64
	// Attack is the probability of one by both stages; it is NaN where that was not asked.
	Attack float64
	// Kinds are the probabilities of each kind, and Wrong that of anything that is to be found,
	// by both stages; they are NaN where that was not asked.
	Kinds [Kinds]float64
	Wrong float64
}

// Whole says what both stages make of an item; ok is false where the network is not asked about
// it, or has no answer now.
func (e *Engine) Whole(ctx context.Context, item *engines.Item) (w Whole, ok bool, err error) {
	s := e.scratch()
	defer e.pool.Put(s)
	found, err := e.find(ctx, s, item, nil)
	if err != nil || e.meaning == nil || e.model == nil || !s.wordy() {
		return w, false, err
	}
	p, found := e.firstStage(s, found, 0)
	q := e.doubts(s, item, found)
	if !q.attack && !q.dealing {
		return w, false, nil
	}
	if w.Answers, ok = e.meaning.Read(ctx, q.readAs(item.Text)); !ok {
		return w, false, nil
	}
	w.Attack, w.Wrong = math.NaN(), math.NaN()
	for k := range Kinds {
		w.Kinds[k] = math.NaN()
	}
	if q.attack {
		d := s.doubt(&p, w.Answers[AnswerHate], found)
		w.Attack = d.both()
	}
	if q.dealing {
		q.deal.hear(w.Answers)
		for k := range Kinds {
			w.Kinds[k] = expit(e.weighing.Kinds[k].LogOdds(&q.deal))
		}
		w.Wrong = expit(e.weighing.Wrong.LogOdds(&q.deal))
	}
	return w, true, nil
}
