package eval

import (
	"cmp"
	"context"
	"encoding/json"
	"strconv"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/economy/risk"
	"github.com/portcullis-gg/portcullis/engines"
)

// taker takes a stream and answers for it. What it is given is the entry as it stands in
// the stream; flush has it counted, and says how many were new.
type taker interface {
	take(ctx context.Context, kind string, text json.RawMessage) error
	flush(ctx context.Context) (news int, err error)
	risk(ctx context.Context, player string) (economy.Risk, error)
	evaluate(ctx context.Context, body json.RawMessage) (economy.Evaluation, error)
	ban(ctx context.Context, b *streamBan, at int64) error
}

// inProcess is a book.
type inProcess struct {
	book  *risk.Book
	strip bool
	known map[string]struct{}
	batch []economy.Entry
	bans  int
}

const economyBatch = 500

func (p *inProcess) take(ctx context.Context, kind string, text json.RawMessage) error {
	var e streamEntry
	if err := json.Unmarshal(text, &e); err != nil {
		return err
	}
	key := kind[:1] + cmp.Or(e.Player, e.Sender) + "\x00" + e.ID
	if _, twice := p.known[key]; twice {
		return nil // a gateway hands on what is new
	}
	p.known[key] = struct{}{}
	p.batch = append(p.batch, e.entry(kind, p.strip))
	return ctx.Err()
}

func (p *inProcess) flush(context.Context) (int, error) {
	n := len(p.batch)
	p.book.Apply(p.batch)
	p.batch = p.batch[:0]
	return n, nil
}

func (p *inProcess) risk(_ context.Context, player string) (economy.Risk, error) {
	r, _ := p.book.Risk(engines.PlayerID(player), p.book.Newest())
	return r, nil
}

func (p *inProcess) evaluate(_ context.Context, text json.RawMessage) (economy.Evaluation, error) {
	var body streamEntry
	if err := json.Unmarshal(text, &body); err != nil {
		return economy.Evaluation{}, err
	}
	q := economy.Proposal{
		Sender: engines.PlayerID(body.Sender), Receiver: engines.PlayerID(body.Receiver), Deal: body.deal(),
		Device: body.Device, IP: body.IP,
	}
	if p.strip {
		q.Deal.Type, q.Deal.ReturnItems, q.Deal.ReturnMoney = "", nil, economy.Money{}
	}
	return p.book.Evaluate(&q, p.book.Newest()), nil
}

func (p *inProcess) ban(_ context.Context, b *streamBan, at int64) error {
	p.bans++
	ban := economy.Ban{ID: strconv.Itoa(p.bans), Player: engines.PlayerID(b.Player), Type: economy.BanType(b.Type), Reason: b.Reason, Created: at}
	if b.Hours > 0 {
		ban.Expires = at + b.Hours*3_600_000
	}
	p.book.Ban(&ban)
	return nil
}
